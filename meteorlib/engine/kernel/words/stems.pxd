"""Porter's two English stemmers for words of a-z and 0-9, and NLTK's variant for ASCII words.

See `meteorlib.resources.porter`, `porter_1980` and `porter`. The tables are Python's. A stem is never longer than its
word, so it is made where the word stands. NLTK counts consonants behind vowels again at each step; here R1 and R2 of
the word are enough, because what takes the place of a suffix has its vowels and consonants in the same places.
"""

from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.words.suffixes cimport (
    Stem, Stemmer, Suffix, ends_short, ends_with, find_regions, has_vowel, is_same, is_vowel, mark_consonants, put, suffix_of,
)


cdef inline void take_plural(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Step 1a."""
    cdef char before
    if ends_with(word, "sses", 4):
        word.length -= 2
    elif ends_with(word, "ies", 3) or (stemmer.english and ends_with(word, "ied", 3)):
        word.length -= 1 if (word.nltk and word.length == 4) or (stemmer.english and word.length <= 4) else 2
    elif ends_with(word, "s", 1):
        before = word.letters[word.length - 2] if word.length > 1 else 0
        if before != c"s" and (
            not stemmer.english or (before != c"u" and has_vowel(word.letters, word.length - 2))
        ):
            word.length -= 1


cdef inline bool ends_double(const Stem& word) noexcept nogil:
    """Whether a word ends in a double letter that loses one: for NLTK any consonant but l, s and z."""
    cdef int length = word.length
    cdef char last, before
    if length < 2:
        return False
    last, before = word.letters[length - 1], word.letters[length - 2]
    if word.nltk:
        return (last == before or (last == c"Y" and before == c"y")) and not is_vowel(last) and last not in (
            c"l", c"s", c"z"
        )
    return last == before and last in (c"b", c"d", c"f", c"g", c"m", c"n", c"p", c"r", c"t")


cdef inline void repair(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """A word without -ed or -ing gets the e that was lost, and loses the letter that was doubled."""
    cdef int length = word.length
    if not (ends_with(word, "at", 2) or ends_with(word, "bl", 2) or ends_with(word, "iz", 2)):
        if ends_double(word):
            word.length -= 1
            return
        if word.nltk and ends_with(word, "*d", 2):  # NLTK takes its own sign for a double consonant for a suffix
            word.letters[length - 2] = c"d"
            word.length -= 1
            return
        if length != word.first or not ends_short(stemmer, word, length):
            return
    word.letters[length] = c"e"
    word.length += 1


cdef inline void take_past(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Step 1b."""
    cdef int ending
    if word.nltk and ends_with(word, "ied", 3):
        word.length -= 1 if word.length == 4 else 2
        return
    if ends_with(word, "eed", 3):
        if word.length - 3 >= word.first:
            word.length -= 1
        return
    if stemmer.english and ends_with(word, "eedly", 5):
        if word.length - 5 >= word.first:
            word.length -= 3
        return
    if ends_with(word, "ed", 2):
        ending = 2
    elif ends_with(word, "ing", 3):
        ending = 3
    elif stemmer.english and ends_with(word, "ingly", 5):
        ending = 5
    elif stemmer.english and ends_with(word, "edly", 4):
        ending = 4
    else:
        return
    if has_vowel(word.letters, word.length - ending):
        word.length -= ending
        repair(stemmer, word)


cdef inline void replace(const Stemmer& stemmer, Stem& word, const vector[Suffix]& suffixes) noexcept nogil:
    """Steps 2 and 3: a suffix in R1 becomes another one."""
    cdef const Suffix* suffix = suffix_of(word, suffixes)
    cdef int start
    cdef char before
    if suffix == NULL:
        return
    start = word.length - <int>suffix.text.size()
    if start < word.first:
        return
    if stemmer.english:
        before = word.letters[start - 1] if start else 0
        if is_same(suffix.text, "ative", 5) and start < word.second:
            return
        if is_same(suffix.text, "ogi", 3) and before != c"l":
            return
        if is_same(suffix.text, "li", 2) and before not in (
            c"c", c"d", c"e", c"g", c"h", c"k", c"m", c"n", c"r", c"t",
        ):
            return
    put(word, start, suffix.other)


cdef inline void replace_second(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Step 2; NLTK takes -alli first, and counts the l of -logi with the stem."""
    if word.nltk and ends_with(word, "logi", 4):
        word.length -= 1 if word.length - 3 >= word.first else 0
        return
    if word.nltk and ends_with(word, "alli", 4) and word.length - 4 >= word.first:
        word.length -= 2
    replace(stemmer, word, stemmer.second_step)


cdef inline int residue_of(const Stemmer& stemmer, const Stem& word) noexcept nogil:
    """Index at which the suffix of step 4 begins; -1: there is none, or -ion follows another letter than s and t."""
    cdef const Suffix* suffix = suffix_of(word, stemmer.fourth_step)
    cdef int start
    if suffix == NULL:
        return -1
    start = word.length - <int>suffix.text.size()
    if is_same(suffix.text, "ion", 3) and (
        start == 0 or (word.letters[start - 1] != c"s" and word.letters[start - 1] != c"t")
    ):
        return -1
    return start


cdef inline void take_residue(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Step 4."""
    cdef int start = residue_of(stemmer, word)
    if start >= word.second:
        word.length = start


cdef inline void take_last(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Step 5."""
    cdef int end = word.length - 1
    if ends_with(word, "e", 1) and (
        end >= word.second or (end >= word.first and not ends_short(stemmer, word, end))
    ):
        word.length -= 1
        end -= 1
        if stemmer.english:
            return
    if ends_with(word, "ll", 2) and end >= word.second:
        word.length -= 1


cdef inline bool is_whole(const Stemmer& stemmer, Stem& word) noexcept nogil:
    """Whether a word is one of those that follow no rule; it becomes its stem."""
    cdef size_t index
    for index in range(stemmer.whole_words.size()):
        if is_same(stemmer.whole_words[index].text, word.letters, word.length):
            put(word, 0, stemmer.whole_words[index].other)
            return True
    return False


cdef inline bool is_kept(const Stemmer& stemmer, const Stem& word) noexcept nogil:
    cdef size_t index
    for index in range(stemmer.kept.size()):
        if is_same(stemmer.kept[index], word.letters, word.length):
            return True
    return False


cdef inline int stem(const Stemmer& stemmer, bool nltk, char* letters, int length) noexcept nogil:
    """Make the stem of a word, in lowercase, in its place; how long it is."""
    cdef Stem word
    cdef int place
    word.letters, word.length, word.nltk = letters, length, nltk
    if length == 0 or (length < 3 and (stemmer.english or nltk)) or is_whole(stemmer, word):
        return word.length
    mark_consonants(word)
    find_regions(stemmer, word)
    take_plural(stemmer, word)
    if not is_kept(stemmer, word):
        take_past(stemmer, word)
        place = word.length - 1
        if word.length and (letters[place] == c"y" or letters[place] == c"Y"):
            if (
                word.length > 2 and not is_vowel(letters[place - 1])
                if stemmer.english or nltk else has_vowel(letters, place)
            ):
                letters[place] = c"i"
        replace_second(stemmer, word)
        replace(stemmer, word, stemmer.third_step)
        take_residue(stemmer, word)
        take_last(stemmer, word)
    for place in range(word.length):
        if letters[place] == c"Y":
            letters[place] = c"y"
    return word.length
