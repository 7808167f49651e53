"""Porter's stemmer as NLTK runs it, for words of ASCII; see `meteorlib.resources.porter`.

The form of a word is a number: a bit for each letter, set for vowels, that of the last letter is the lowest. Words have
at most 64 letters. A stem is never longer than its word, so it is made where the word stands.
"""

from libc.stdint cimport uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.bits cimport count_bits
from meteorlib.compiled.stems cimport Stem, Stemmer, Suffix, ends_with, is_whole, put, residue_of, suffix_of


cdef inline uint64_t form_of(const Stem& word, int length) noexcept nogil:
    """The form of the first letters of a word; y is a vowel behind a consonant."""
    cdef uint64_t form = 0
    cdef int place
    cdef char letter
    cdef bool vowel = True  # a first y is a consonant
    for place in range(length):
        letter = word.letters[place]
        vowel = not vowel if letter == c"y" else (
            letter == c"a" or letter == c"e" or letter == c"i" or letter == c"o" or letter == c"u"
        )
        form = form << 1 | vowel
    return form


cdef inline int measure(const Stem& word, int length) noexcept nogil:
    """How often a consonant follows a vowel in the first letters of a word: Porter's m."""
    cdef uint64_t form = form_of(word, length)
    return count_bits(form >> 1 & ~form)


cdef inline bool ends_short(const Stem& word, int length) noexcept nogil:
    """Porter's condition ``*o`` of the first letters of a word, and NLTK's for two letters."""
    cdef uint64_t form = form_of(word, length)
    if length < 3:
        return length == 2 and form == 0b10
    return form & 0b111 == 0b010 and word.letters[length - 1] not in (c"w", c"x", c"y")


cdef inline bool take_short(Stem& word, const char* ending) noexcept nogil:
    """Let a word in -ies or -ied end in -i, one of four letters in -ie; False where it ends otherwise."""
    if not ends_with(word, ending, 3):
        return False
    word.length -= 1 if word.length == 4 else 2
    return True


cdef inline void take_plural(Stem& word) noexcept nogil:
    """Step 1a."""
    if take_short(word, "ies"):
        return
    if ends_with(word, "sses", 4):
        word.length -= 2
    elif ends_with(word, "s", 1) and not ends_with(word, "ss", 2):
        word.length -= 1


cdef inline void repair(Stem& word) noexcept nogil:
    """A word without -ed or -ing, in which there is a vowel, gets the e that was lost, loses what was doubled."""
    cdef int length = word.length
    cdef char last = word.letters[length - 1]
    if not (ends_with(word, "at", 2) or ends_with(word, "bl", 2) or ends_with(word, "iz", 2)):
        if length > 1 and last == word.letters[length - 2] and not form_of(word, length) & 1:
            word.length -= 0 if last in (c"l", c"s", c"z") else 1
            return
        if ends_with(word, "*d", 2):  # NLTK takes its own sign for a double consonant for a suffix
            word.letters[length - 2] = c"d"
            word.length -= 1
            return
        if measure(word, length) != 1 or not ends_short(word, length):
            return
    word.letters[length] = c"e"
    word.length += 1


cdef inline void take_past(Stem& word) noexcept nogil:
    """Step 1b."""
    cdef int ending
    if take_short(word, "ied"):
        return
    if ends_with(word, "eed", 3):
        if measure(word, word.length - 3):
            word.length -= 1
        return
    ending = 2 if ends_with(word, "ed", 2) else 3 if ends_with(word, "ing", 3) else 0
    if ending and form_of(word, word.length - ending):
        word.length -= ending
        repair(word)


cdef inline void turn_y(Stem& word) noexcept nogil:
    """Step 1c."""
    cdef int last = word.length - 1
    if last > 1 and word.letters[last] == c"y" and not form_of(word, last) & 1:
        word.letters[last] = c"i"


cdef inline void replace(Stem& word, const vector[Suffix]& suffixes) noexcept nogil:
    """Steps 2 and 3: a suffix behind a measure becomes another one."""
    cdef const Suffix* suffix = suffix_of(word, suffixes)
    cdef int start
    if suffix != NULL:
        start = word.length - <int>suffix.text.size()
        if measure(word, start):
            put(word, start, suffix.other)


cdef inline void replace_second(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Step 2: -alli first; of -logi the l is counted with the stem."""
    if ends_with(word, "logi", 4):
        if measure(word, word.length - 3):
            word.length -= 1
        return
    if ends_with(word, "alli", 4) and measure(word, word.length - 4):
        word.length -= 2
    replace(word, stemmer.second_step)


cdef inline void take_residue(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Step 4."""
    cdef int start = residue_of(stemmer, word)
    if start >= 0 and measure(word, start) > 1:
        word.length = start


cdef inline void take_last(Stem& word) noexcept nogil:
    """Step 5."""
    cdef int measured
    if ends_with(word, "e", 1):
        measured = measure(word, word.length - 1)
        if measured > 1 or (measured == 1 and not ends_short(word, word.length - 1)):
            word.length -= 1
    if ends_with(word, "ll", 2) and measure(word, word.length - 1) > 1:
        word.length -= 1


cdef inline int stem_as_nltk(const Stemmer& stemmer, char* letters, int length) noexcept nogil:
    """Make the stem of a word, in lowercase, in its place; how long it is."""
    cdef Stem word
    cdef int place
    for place in range(length):
        if c"A" <= letters[place] <= c"Z":
            letters[place] += 32
    word.letters, word.length = letters, length
    if is_whole(stemmer, word) or length <= 2:
        return word.length
    take_plural(word)
    take_past(word)
    turn_y(word)
    replace_second(stemmer, word)
    replace(word, stemmer.third_step)
    take_residue(stemmer, word)
    take_last(word)
    return word.length
