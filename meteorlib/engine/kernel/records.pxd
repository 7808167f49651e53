"""Records of words in packaged lexicons; see `meteorlib.resources.wordnet.record_table`."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp
from libcpp.vector cimport vector


cdef struct Records:  # a table that its owner has checked to be one
    const unsigned char* data
    uint32_t mask  # of buckets
    uint32_t end
    uint32_t steps[256]  # of crc32


cdef inline uint32_t low_first(const unsigned char* bytes) noexcept nogil:
    """A number of 32 bits, least significant byte first."""
    return bytes[0] | <uint32_t>bytes[1] << 8 | <uint32_t>bytes[2] << 16 | <uint32_t>bytes[3] << 24


cdef inline uint32_t high_first(const unsigned char* bytes) noexcept nogil:
    """The same, most significant byte first."""
    return <uint32_t>bytes[0] << 24 | <uint32_t>bytes[1] << 16 | <uint32_t>bytes[2] << 8 | bytes[3]


cdef inline void open_records(Records& records, const unsigned char* data, uint32_t length) noexcept nogil:
    """Take over a table; it stays where it is as long as its owner."""
    cdef uint32_t index, bit, value
    records.data, records.end, records.mask = data, length, low_first(data) // 4 - 2
    for index in range(256):
        value = index
        for bit in range(8):
            value = value >> 1 ^ (<uint32_t>0xEDB88320 & (0 - (value & 1)))
        records.steps[index] = value


cdef inline uint32_t crc32(const Records& records, const char* word, int length) noexcept nogil:
    cdef uint32_t value = 0xFFFFFFFF
    cdef int place
    for place in range(length):
        value = records.steps[(value ^ <unsigned char>word[place]) & 0xFF] ^ value >> 8
    return ~value


cdef inline int damaged_table() except -1 with gil:
    raise ValueError("a table of records is damaged")


cdef inline int find_records(
    const Records& records, const char* word, int length, vector[uint32_t]& found
) except -1 nogil:
    """Put the records of a word behind the others; how many it has."""
    cdef const unsigned char* begins = records.data + 4 * <size_t>(crc32(records, word, length) & records.mask)
    cdef const unsigned char* entry
    cdef uint64_t place = low_first(begins), end = low_first(begins + 4)
    cdef int index
    if place > end or end > records.end:
        damaged_table()
    while place < end:
        entry = records.data + place
        if end - place < 2 or end - place < <uint64_t>2 + entry[0] + 4 * entry[1]:
            damaged_table()
        if entry[0] == length and memcmp(entry + 2, word, length) == 0:
            for index in range(entry[1]):
                found.push_back(high_first(entry + 2 + length + 4 * index))
            return entry[1]
        place += <uint64_t>2 + entry[0] + 4 * entry[1]
    return 0
