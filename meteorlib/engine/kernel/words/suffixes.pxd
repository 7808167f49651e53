"""Vowels, regions and suffixes of a word on its way to a stem; see `stems.pxd`."""

from libc.string cimport memcmp, memcpy
from libcpp cimport bool
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef struct Suffix:
    string text
    string other  # its replacement

cdef cppclass Stemmer:
    """Suffixes that a stemmer replaces: in each step, the longest one that a word ends in."""
    bool english  # METEOR 1.5's; else Porter's of 1980
    vector[Suffix] whole_words
    vector[string] kept  # without their -s
    vector[string] beginnings  # that stand before R1
    vector[Suffix] second_step
    vector[Suffix] third_step
    vector[Suffix] fourth_step

cdef struct Stem:  # a word on its way to one
    char* letters
    int length
    bool nltk  # whether NLTK's changes apply
    int first  # index at which R1 begins
    int second  # index at which R2 begins


cdef inline bool is_vowel(char letter) noexcept nogil:
    return letter == c"a" or letter == c"e" or letter == c"i" or letter == c"o" or letter == c"u" or letter == c"y"


cdef inline bool has_vowel(const char* letters, int length) noexcept nogil:
    cdef int place
    for place in range(length):
        if is_vowel(letters[place]):
            return True
    return False


cdef inline bool ends_with(const Stem& word, const char* ending, int length) noexcept nogil:
    return word.length >= length and memcmp(word.letters + word.length - length, ending, length) == 0


cdef inline bool is_same(const string& text, const char* letters, int length) noexcept nogil:
    return <int>text.size() == length and memcmp(text.data(), letters, length) == 0


cdef inline void mark_consonants(Stem& word) noexcept nogil:
    """Write Y for a y that is a consonant."""
    cdef int place
    cdef bool vowel = True
    for place in range(word.length):
        if word.letters[place] == c"y" and vowel:
            word.letters[place] = c"Y"
            vowel = False
        else:
            vowel = is_vowel(word.letters[place])


cdef inline int behind_consonant(const Stem& word, int place) noexcept nogil:
    """Index after the first consonant that follows a vowel, from a place on; -1: there is none."""
    while place < word.length and not is_vowel(word.letters[place]):
        place += 1
    while place < word.length and is_vowel(word.letters[place]):
        place += 1
    return place + 1 if place < word.length else -1


cdef inline void find_regions(const Stemmer& stemmer, Stem& word) noexcept nogil:
    cdef const string* beginning
    cdef size_t index
    word.first = -1
    for index in range(stemmer.beginnings.size()):
        beginning = &stemmer.beginnings[index]
        if word.length >= <int>beginning.size() and memcmp(word.letters, beginning.data(), beginning.size()) == 0:
            word.first = <int>beginning.size()
            break
    if word.first < 0:
        word.first = behind_consonant(word, 0)
    word.second = -1 if word.first < 0 else behind_consonant(word, word.first)
    if word.first < 0:
        word.first = word.length
    if word.second < 0:
        word.second = word.length


cdef inline bool ends_short(const Stemmer& stemmer, const Stem& word, int length) noexcept nogil:
    """Whether the first letters of a word end in a short syllable."""
    cdef const char* letters = word.letters
    cdef char last
    if length == 2 and (stemmer.english or word.nltk):
        return is_vowel(letters[0]) and not is_vowel(letters[1])
    if length < 3:
        return False
    last = letters[length - 1]
    return (
        not (is_vowel(last) or last == c"w" or last == c"x" or last == c"Y")
        and is_vowel(letters[length - 2])
        and not is_vowel(letters[length - 3])
    )


cdef inline const Suffix* suffix_of(const Stem& word, const vector[Suffix]& suffixes) noexcept nogil:
    """The first suffix that a word ends in; the longer ones come first. NULL: none."""
    cdef size_t index
    cdef char last
    if word.length == 0:
        return NULL
    last = word.letters[word.length - 1]
    for index in range(suffixes.size()):
        if suffixes[index].text.back() == last and ends_with(
            word, suffixes[index].text.data(), <int>suffixes[index].text.size()
        ):
            return &suffixes[index]
    return NULL


cdef inline void put(Stem& word, int start, const string& ending) noexcept nogil:
    """Let a word end in something else from a place on."""
    memcpy(word.letters + start, ending.data(), ending.size())
    word.length = start + <int>ending.size()
