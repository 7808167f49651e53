"""Words and their records; see `meteorlib.resources.store.record_table`."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy
from libcpp.vector cimport vector

from meteorlib.engine.kernel.system cimport prefetch


cdef enum:
    BLOCK = 8  # words
    HEAD = 8  # bytes of a block's first word
    APPROACHES = 4
    SEPARATOR = 0xFF
    BEGINNINGS = 0x10000  # pairs of bytes

cdef cppclass Records:
    """A table that its owner has checked to be one."""
    vector[uint32_t] beginnings  # how many blocks begin with a lesser pair of bytes
    const unsigned char* heads
    const unsigned char* begins  # of the words of each block
    const unsigned char* first_records
    const unsigned char* counts  # low bytes, then high bytes
    const unsigned char* records  # most significant bytes first
    const unsigned char* words  # up to the end of the table
    uint32_t length  # of the words
    uint32_t blocks
    uint32_t count  # of words
    uint32_t record_count
    uint32_t width  # of a record


cdef inline uint32_t low_first(const unsigned char* bytes) noexcept nogil:
    """A number of 32 bits, least significant byte first."""
    return bytes[0] | <uint32_t>bytes[1] << 8 | <uint32_t>bytes[2] << 16 | <uint32_t>bytes[3] << 24


cdef inline uint64_t high_first(const unsigned char* bytes) noexcept nogil:
    """A number of 64 bits, most significant byte first."""
    return (
        <uint64_t>bytes[0] << 56 | <uint64_t>bytes[1] << 48 | <uint64_t>bytes[2] << 40 | <uint64_t>bytes[3] << 32
        | <uint64_t>bytes[4] << 24 | <uint64_t>bytes[5] << 16 | <uint64_t>bytes[6] << 8 | bytes[7]
    )


cdef inline int open_records(Records& records, const unsigned char* data) except -1 nogil:
    """Take over a table; it stays where it is as long as its owner."""
    cdef uint32_t index
    records.count, records.record_count, records.width = low_first(data), low_first(data + 4), low_first(data + 8)
    records.length = low_first(data + 12)
    records.blocks = (records.count + BLOCK - 1) // BLOCK
    records.heads = data + 16
    records.begins = records.heads + HEAD * <size_t>records.blocks
    records.first_records = records.begins + 4 * (<size_t>records.blocks + 1)
    records.counts = records.first_records + 4 * (<size_t>records.blocks + 1)
    records.records = records.counts + 2 * <size_t>records.count
    records.words = records.records + <size_t>records.width * records.record_count
    records.beginnings.assign(BEGINNINGS + 1, 0)
    for index in range(records.blocks):
        records.beginnings[(high_first(records.heads + HEAD * <size_t>index) >> 48) + 1] += 1
    for index in range(BEGINNINGS):
        records.beginnings[index + 1] += records.beginnings[index]


cdef inline int damaged_table() except -1 with gil:
    raise ValueError("a table of records is damaged")


cdef inline uint32_t blocks_before(const Records& records, uint64_t head) noexcept nogil:
    """Number of blocks that begin with less; branch-free among those that begin with the same pair of bytes."""
    cdef size_t beginning = head >> 48
    cdef uint32_t low = records.beginnings[beginning], half
    cdef uint32_t left = records.beginnings[beginning + 1] - low
    while left > 0:
        half = (left + 1) >> 1
        low += half & (0 - <uint32_t>(high_first(records.heads + HEAD * <size_t>(low + half - 1)) < head))
        left -= half
    return low


cdef inline uint64_t head_of(const char* word, int length) noexcept nogil:
    """The first bytes of a word as a number."""
    cdef unsigned char padded[HEAD]
    cdef int index
    for index in range(HEAD):
        padded[index] = <unsigned char>word[index] if index < length else 0
    return high_first(padded)


cdef inline uint64_t approach(const Records& records, const char* word, int length, int step) noexcept nogil:
    """Begin to fetch what a search for a word reads, in `APPROACHES` steps, so that several words wait together.

    The number that is returned must be used, else GCC leaves out calls of what does nothing but fetch.
    """
    cdef uint64_t head = head_of(word, length)
    cdef const uint32_t* beginning = records.beginnings.data() + (head >> 48)
    cdef size_t block
    if step == 0:
        prefetch(beginning)
        return head
    if step == 1:
        prefetch(records.heads + HEAD * <size_t>((beginning[0] + beginning[1]) >> 1))
        return head
    block = blocks_before(records, head)
    block -= block > 0
    if step == 2:
        prefetch(records.begins + 4 * block)
        prefetch(records.counts + BLOCK * block)
    elif block < records.blocks:
        block = low_first(records.begins + 4 * block)
        if block < records.length:
            prefetch(records.words + block)
            prefetch(records.words + block + 64)
    return head


cdef inline int64_t index_of_word(const Records& records, const char* word, int length) except -2 nogil:
    """The place of a word among the words; -1 where it is not there."""
    cdef unsigned char padded[HEAD]
    cdef const unsigned char* place
    cdef const unsigned char* end
    cdef uint64_t head, key, mask, found  # the first bytes, as they lie in memory, and which of them count
    cdef uint32_t block, begin, stop
    cdef int64_t index
    for index in range(HEAD):
        padded[index] = <unsigned char>word[index] if index < length else 0
    head = high_first(padded)
    memcpy(&key, padded, HEAD)
    for index in range(HEAD):
        padded[index] = 0xFF if index < length else 0
    memcpy(&mask, padded, HEAD)
    block = blocks_before(records, head)
    block -= block > 0
    index = BLOCK * <int64_t>block
    while block < records.blocks and high_first(records.heads + HEAD * <size_t>block) <= head:
        begin, stop = low_first(records.begins + 4 * <size_t>block), low_first(records.begins + 4 * <size_t>block + 4)
        if begin >= stop or stop >= records.length or records.words[stop] != SEPARATOR:
            damaged_table()
        place, end = records.words + begin + 1, records.words + stop  # behind a separator; at one
        while place <= end:
            if records.words + records.length - place >= HEAD:
                memcpy(&found, place, HEAD)
                found = (found ^ key) & mask
            else:
                found = 0
            if found == 0 and end - place >= length and place[length] == SEPARATOR and memcmp(place, word, length) == 0:
                return index
            place = 1 + <const unsigned char*>memchr(place, SEPARATOR, end + 1 - place)
            index += 1
        block += 1
    return -1


cdef inline uint32_t count_at(const Records& records, int64_t index) noexcept nogil:
    """Number of records of a word."""
    return records.counts[index] | <uint32_t>records.counts[records.count + index] << 8


cdef inline int find_records(
    const Records& records, const char* word, int length, vector[uint32_t]& found
) except -1 nogil:
    """Put the records of a word behind the others; how many it has."""
    cdef int64_t index = index_of_word(records, word, length), other
    cdef uint64_t first, last, place
    cdef uint32_t record, plane
    if index < 0:
        return 0
    if index >= records.count:
        damaged_table()
    first = low_first(records.first_records + 4 * <size_t>(index // BLOCK))
    for other in range(index // BLOCK * BLOCK, index):
        first += count_at(records, other)
    last = first + count_at(records, index)
    if last > records.record_count:
        damaged_table()
    for place in range(first, last):
        record = 0
        for plane in range(records.width):
            record = record << 8 | records.records[<size_t>plane * records.record_count + place]
        found.push_back(record)
    return <int>(last - first)
