"""Synonym sets of UTF-8 words; the compiled form of `meteorlib.resources.lexicons`."""

from libc.stdint cimport uint32_t
from libc.string cimport memcmp, memcpy
from libcpp cimport bool
from libcpp.string cimport string
from libcpp.vector cimport vector

from meteorlib.engine.kernel.words.records cimport Records, find_records
from meteorlib.engine.kernel.text.tokens cimport TOKEN_LENGTH


cdef enum:  # of a record
    IRREGULAR_BIT = 31
    SYNSET = 0x7FFFFFFF
    POS_FACTOR = 100000000

cdef struct Rule:  # how base forms are made
    uint32_t part  # of speech; 0 where parts do not count
    string suffix
    string replacement  # no longer

cdef cppclass Lexicon:
    Records records
    vector[Rule] rules[26]  # by the last letter of a word, in the order of trying
    bool by_part  # of speech


cdef inline int find_base(
    const Lexicon& lexicon, const Rule& rule, const char* word, int length, vector[uint32_t]& found
) except -1 nogil:
    """Put the records of a base form behind the others; how many there are."""
    cdef char base[TOKEN_LENGTH]
    cdef int start = length - <int>rule.suffix.size()
    if start < 0 or memcmp(word + start, rule.suffix.data(), rule.suffix.size()) != 0:
        return 0
    memcpy(base, word, start)
    memcpy(base + start, rule.replacement.data(), rule.replacement.size())
    return find_records(lexicon.records, base, start + <int>rule.replacement.size(), found)


cdef inline const vector[Rule]* rules_for(const Lexicon& lexicon, const char* word, int length) noexcept nogil:
    """The rules for a word; NULL: none."""
    if length == 0 or not c"a" <= word[length - 1] <= c"z":
        return NULL
    return &lexicon.rules[word[length - 1] - c"a"]


cdef inline size_t keep_regular(vector[uint32_t]& found, size_t first) noexcept nogil:
    """Keep those records from the first on that are not of irregular forms; where they end."""
    cdef size_t index, kept = first
    for index in range(first, found.size()):
        if not found[index] >> IRREGULAR_BIT:
            found[kept] = found[index]
            kept += 1
    return kept


cdef inline int find_offsets(
    const Lexicon& lexicon, const char* word, int length, int letters, vector[uint32_t]& found
) except -1 nogil:
    """See `OffsetLexicon.synsets`; a word has as many bytes as its length is, and fewer letters or as many."""
    cdef const vector[Rule]* rules = rules_for(lexicon, word, length)
    cdef size_t index, own
    cdef bool irregular = False
    find_records(lexicon.records, word, length, found)
    own = found.size()
    for index in range(own):
        irregular = irregular or found[index] >> IRREGULAR_BIT
    if irregular:
        own = 0
        for index in range(found.size()):
            if found[index] & SYNSET:
                found[own] = found[index] & SYNSET
                own += 1
        found.resize(own)
        return 0
    if rules == NULL or letters <= 2 or (word[length - 1] == c"s" and word[length - 2] == c"s"):
        return 0
    for index in range(rules.size()):
        if find_base(lexicon, rules[0][index], word, length, found):
            found.resize(keep_regular(found, own))
            if found.size() > own:
                return 0


cdef inline int find_by_part(
    const Lexicon& lexicon, const char* word, int length, vector[uint32_t]& found
) except -1 nogil:
    """See `WordNetLexicon.synsets`."""
    cdef const vector[Rule]* rules = rules_for(lexicon, word, length)
    cdef size_t index, record, first, kept = 0
    cdef uint32_t synset, irregular = 0, part
    find_records(lexicon.records, word, length, found)
    for index in range(found.size()):
        synset = found[index] & SYNSET
        if found[index] >> IRREGULAR_BIT:
            irregular |= <uint32_t>1 << synset // POS_FACTOR
        if synset % POS_FACTOR:
            found[kept] = synset
            kept += 1
    found.resize(kept)
    if rules == NULL:
        return 0
    for index in range(rules.size()):
        part = rules[0][index].part
        if irregular >> part & 1:
            continue
        first = kept = found.size()
        find_base(lexicon, rules[0][index], word, length, found)
        for record in range(first, found.size()):
            if found[record] // POS_FACTOR == part:
                found[kept] = found[record]
                kept += 1
        found.resize(kept)
