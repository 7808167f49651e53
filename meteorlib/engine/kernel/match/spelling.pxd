"""Spellings of words: keys, sets of letters and Levenshtein distance; see `meteorlib.matchers`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.bits cimport count_bits
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport Spelling


cdef enum:
    BLOCK = 64  # letters of a pattern that are compared at a time
    SLOTS = 128
    KINDS = 32  # of letters in a bag

cdef struct Slot:  # of a letter of the pattern
    uint64_t block  # in which it is valid
    uint64_t places
    int32_t letter

cdef cppclass Pattern:
    """A word that is compared with others, letter → its places, for one block of it at a time."""
    const int32_t* letters
    int32_t length
    uint64_t block  # number of the block that was laid out last
    vector[Slot] slots
    vector[signed char] steps  # from each letter of the other word to the next, in the last row of a block


cdef inline uint64_t with_letter(uint64_t hash, const Spelling& key) noexcept nogil:
    """The hash of letters with a key behind them."""
    return hash * key.power + key.hash


cdef inline void spell(Spelling& spelling) noexcept nogil:
    """Compute what is computed of the letters."""
    cdef int32_t index
    cdef uint64_t kind
    spelling.hash, spelling.power, spelling.bag = 0, 1, 0
    for index in range(spelling.key_length):
        spelling.hash = spelling.hash * <uint64_t>0x9E3779B97F4A7C15 + <uint64_t>(spelling.key[index] + 1)
        spelling.power *= <uint64_t>0x9E3779B97F4A7C15
    for index in range(spelling.length):
        kind = <uint64_t>1 << (spelling.letters[index] & (KINDS - 1))
        spelling.bag |= (kind << KINDS) if spelling.bag & kind else kind


cdef inline int32_t least_distance(uint64_t bag, uint64_t other) noexcept nogil:
    """No two words of these letters are nearer: one of them has so many letters that the other has not."""
    return max(count_bits(bag & ~other), count_bits(other & ~bag))


cdef inline int lay_pattern(const Spelling& spelling, Pattern& pattern) except -1 nogil:
    """Take a word as the pattern."""
    if pattern.slots.empty():
        pattern.slots.resize(SLOTS)
        pattern.block = 0
    pattern.letters, pattern.length = spelling.letters, spelling.length
    lay_block(pattern, 0)


cdef inline Slot* slot_of_letter(Pattern& pattern, int32_t letter) noexcept nogil:
    """The slot of a letter of the block, or the free one into which it would be put."""
    cdef int32_t slot = letter & (SLOTS - 1)
    while pattern.slots[slot].block == pattern.block and pattern.slots[slot].letter != letter:
        slot = (slot + 1) & (SLOTS - 1)
    return &pattern.slots[slot]


cdef inline void lay_block(Pattern& pattern, int32_t first) noexcept nogil:
    """Lay a block of the pattern out, from its first letter."""
    cdef int32_t index
    cdef Slot* slot
    pattern.block += 1
    for index in range(first, min(first + BLOCK, pattern.length)):
        slot = slot_of_letter(pattern, pattern.letters[index])
        if slot.block != pattern.block:
            slot.block, slot.letter, slot.places = pattern.block, pattern.letters[index], 0
        slot.places |= <uint64_t>1 << (index - first)


cdef inline int32_t across_block(
    Pattern& pattern, int32_t first, const int32_t* letters, int32_t length
) noexcept nogil:
    """Growth of the distance along the last row of a block (Myers 1999, Hyyrö 2003).

    The steps along the row above, `pattern.steps`, become those of this row; above the first block all are 1, and those
    of the last block are not kept.
    """
    cdef int32_t index, rows = min(BLOCK, pattern.length - first), grown = 0
    cdef uint64_t last = <uint64_t>1 << (rows - 1)
    cdef uint64_t more = ~<uint64_t>0, less = 0, equal, diagonal, across, up, down
    cdef bint keep = pattern.length > BLOCK
    cdef int step, above = 1
    cdef Slot* slot
    for index in range(length):
        slot = slot_of_letter(pattern, letters[index])
        equal = slot.places if slot.block == pattern.block else 0
        if first:
            above = pattern.steps[index]
        across = equal | less
        equal |= <uint64_t>(above < 0)
        diagonal = (((equal & more) + more) ^ more) | equal
        up = less | ~(diagonal | more)
        down = more & diagonal
        step = <int>((up & last) != 0) - <int>((down & last) != 0)
        grown += step
        if keep:
            pattern.steps[index] = step
        up = (up << 1) | <uint64_t>(above > 0)
        down = (down << 1) | <uint64_t>(above < 0)
        more = down | ~(across | up)
        less = up & across
    return grown


cdef inline int32_t levenshtein(Pattern& pattern, const Spelling& other, int64_t& taken) except -1 nogil:
    """The distance of the pattern, one block of which is laid out if it has one, from another word."""
    cdef int32_t first = 0, grown = 0
    if pattern.length <= BLOCK:
        return pattern.length + across_block(pattern, 0, other.letters, other.length)
    pattern.steps.resize(other.length)
    while first < pattern.length:
        lay_block(pattern, first)
        grown = across_block(pattern, first, other.letters, other.length)
        count_steps(taken, 8 * <int64_t>other.length)
        first += BLOCK
    return pattern.length + grown
