"""The words of a line, looked up token by token; what a token becomes is asked of the text mode, once.

See `meteorlib.text.tokenwise`: a token stands between two spaces, and its words depend on its neighbors in a few ways.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from meteorlib.compiled.system cimport prefetch
from meteorlib.compiled.words cimport Word

cdef extern from "Python.h":
    # reads the memory of a string that somebody else holds
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil


cdef enum:
    TOKEN_LENGTH = 40  # longer ones are not kept
    VARIANTS = 3
    MOST_WORDS = 255  # of a variant
    NOTHING = 0  # what a token begins with
    LOWER = 1
    DIGIT = 2
    OTHER = 3

cdef struct Token:
    uint64_t hash
    uint32_t text  # where its characters begin
    uint32_t length  # 0 where a slot is free: the text of a token has an end mark
    uint32_t words  # where the words of its first variant begin; those of the others follow
    uint8_t counts[VARIANTS]
    uint8_t variants  # 1, or one for each initial of a follower
    uint8_t begins
    uint8_t ends
    uint8_t initial  # what it begins with
    uint8_t whole  # 1: its line must be taken as a whole

cdef struct Stretch:  # of a line, between two spaces
    uint64_t hash
    Py_ssize_t begin
    Py_ssize_t end

cdef cppclass Line:
    """Room for the tokens of a line."""
    vector[Stretch] stretches
    vector[Token] tokens

cdef cppclass Tokens:
    """A table of tokens by their characters."""
    vector[Token] slots
    vector[uint32_t] texts
    vector[Word*] words
    size_t count


cdef inline uint64_t hashed(int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last) noexcept nogil:
    cdef uint64_t hash = <uint64_t>0x9E3779B97F4A7C15 + <uint64_t>last
    cdef Py_ssize_t place
    for place in range(begin, end):
        hash = (hash ^ PyUnicode_READ(kind, data, place)) * <uint64_t>0x100000001B3
    hash ^= hash >> 29
    hash *= <uint64_t>0xBF58476D1CE4E5B9
    return hash ^ (hash >> 32)


cdef inline Token* slot_of(
    Tokens& tokens, uint64_t hash, int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last
) noexcept nogil:
    """Where a token is, or would be put."""
    cdef size_t mask = tokens.slots.size() - 1
    cdef size_t slot = hash & mask
    cdef Token* token
    cdef uint32_t length = <uint32_t>(end - begin), place
    cdef const uint32_t* text
    while True:
        token = &tokens.slots[slot]
        if token.length == 0:
            return token
        if token.hash == hash and token.length == length + 1:
            text = tokens.texts.data() + token.text
            for place in range(length):
                if text[place] != PyUnicode_READ(kind, data, begin + place):
                    break
            else:
                if <int>text[length] == last:
                    return token
        slot = (slot + 1) & mask


cdef inline void fetch_slots(const Tokens& tokens, const vector[Stretch]& stretches) noexcept nogil:
    """Begin to fetch what is known of the tokens of a line, so that they wait for the memory together."""
    cdef size_t index, mask = tokens.slots.size() - 1
    cdef const Token* token
    for index in range(stretches.size()):
        prefetch(&tokens.slots[stretches[index].hash & mask])
    for index in range(stretches.size()):
        token = &tokens.slots[stretches[index].hash & mask]
        prefetch(tokens.texts.data() + token.text)
        prefetch(tokens.words.data() + token.words)


cdef inline int grow(Tokens& tokens) except -1 nogil:
    """Keep at least half of the slots free."""
    cdef vector[Token] slots
    cdef size_t index, mask, slot
    if 2 * (tokens.count + 1) <= tokens.slots.size():
        return 0
    slots.resize(max(<size_t>1024, 2 * tokens.slots.size()))
    mask = slots.size() - 1
    for index in range(tokens.slots.size()):
        if tokens.slots[index].length:
            slot = tokens.slots[index].hash & mask
            while slots[slot].length:
                slot = (slot + 1) & mask
            slots[slot] = tokens.slots[index]
    tokens.slots.swap(slots)
    return 0


cdef inline int add_token(
    Tokens& tokens, Token& token, const vector[Word*]& words, uint64_t hash, int kind, const void* data,
    Py_ssize_t length, int last,
) except -1 nogil:
    """Keep what a token becomes; where another thread was quicker, its answer is taken."""
    cdef Token* slot
    cdef Py_ssize_t place
    grow(tokens)
    slot = slot_of(tokens, hash, kind, data, 0, length, last)
    if slot.length:
        token = slot[0]
        return 0
    token.hash, token.length = hash, <uint32_t>(length + 1)
    token.text, token.words = <uint32_t>tokens.texts.size(), <uint32_t>tokens.words.size()
    for place in range(length):
        tokens.texts.push_back(PyUnicode_READ(kind, data, place))
    tokens.texts.push_back(last)
    tokens.words.insert(tokens.words.end(), words.begin(), words.end())
    tokens.count += 1
    slot[0] = token
    return 0


cdef inline int variant_of(const vector[Token]& line, size_t place) noexcept nogil:
    """Which variant of a token it is, by the first character that follows."""
    cdef size_t next = place + 1
    if line[place].variants == 1:
        return 0
    while next < line.size() and line[next].initial == NOTHING:
        next += 1
    return 0 if next == line.size() or line[next].initial == OTHER else line[next].initial


cdef inline int read_words(const Tokens& tokens, const vector[Token]& line, vector[Word*]& words) except -1 nogil:
    """Put the words of the tokens of a line one after the other; False where it must be taken as a whole."""
    cdef size_t place, count = 0
    cdef int variant, before
    cdef uint32_t word
    for place in range(line.size()):
        count += line[place].counts[variant_of(line, place)]
    words.reserve(count)
    for place in range(line.size()):
        if line[place].whole or (place and line[place].begins and line[place].begins == line[place - 1].ends):
            return False
        variant = variant_of(line, place)
        word = line[place].words
        for before in range(variant):
            word += line[place].counts[before]
        for word in range(word, word + line[place].counts[variant]):
            words.push_back(tokens.words[word])
    return True
