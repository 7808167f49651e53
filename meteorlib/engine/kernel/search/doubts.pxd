"""Hypothesis positions that the nodes of a search tree, or the paths of a beam, have taken.

Nodes of a level have nearly the same past: a few positions are *doubtful*, taken by some nodes and not by others. Only
these have a bit in the set of each node, its row.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

from meteorlib.engine.kernel.bits cimport has, put, words_for


cdef cppclass Sets:
    vector[uint64_t] common  # positions that all nodes have taken
    vector[int32_t] doubtful  # ascending
    vector[int32_t] bits  # for each position; -1: none
    vector[int32_t] free  # bits
    size_t words  # of a row
    vector[uint64_t] rows
    vector[uint64_t] next_rows
    vector[uint64_t] everywhere  # bits that all rows have; the second half: those that any has


cdef inline int widen(Sets& it, size_t nodes) except -1 nogil:
    """Give rows one machine word more."""
    cdef size_t node
    cdef int32_t bit
    it.next_rows.assign(nodes * (it.words + 1), 0)
    for node in range(nodes if it.words else 0):
        memcpy(
            it.next_rows.data() + node * (it.words + 1), it.rows.data() + node * it.words, it.words * sizeof(uint64_t)
        )
    it.rows.swap(it.next_rows)
    for bit in range(63, -1, -1):
        it.free.push_back(<int32_t>(64 * it.words) + bit)
    it.words += 1


cdef inline int begin_sets(Sets& it, int32_t positions) except -1 nogil:
    """One node, which has taken nothing."""
    it.common.assign(words_for(positions), 0)
    it.bits.assign(positions, -1)
    it.doubtful.clear()
    it.free.clear()
    it.words = 0
    widen(it, 1)


cdef inline int give_bit(Sets& it, int32_t position, size_t nodes) except -1 nogil:
    """Make a position doubtful that no node has taken yet."""
    cdef size_t place = it.doubtful.size()
    if it.free.empty():
        widen(it, nodes)
    it.bits[position] = it.free.back()
    it.free.pop_back()
    it.doubtful.push_back(position)
    while place and it.doubtful[place - 1] > position:
        it.doubtful[place] = it.doubtful[place - 1]
        place -= 1
    it.doubtful[place] = position


cdef inline int settle_doubts(Sets& it, size_t nodes) except -1 nogil:
    """Take the bits of the positions that are not doubtful any more."""
    cdef size_t node, word, words = it.words, index, left = 0
    cdef uint64_t* row = it.rows.data()
    cdef uint64_t* everywhere
    cdef uint64_t found = 0
    cdef int32_t position, bit
    if not nodes or it.doubtful.empty():
        return 0
    it.everywhere.assign(row, row + words)
    it.everywhere.insert(it.everywhere.end(), row, row + words)
    everywhere = it.everywhere.data()
    for node in range(1, nodes):
        row += words
        for word in range(words):
            everywhere[word] &= row[word]
            everywhere[words + word] |= row[word]
    for index in range(it.doubtful.size()):
        position = it.doubtful[index]
        bit = it.bits[position]
        if has(everywhere, bit):
            put(it.common.data(), position)
        elif has(everywhere + words, bit):
            it.doubtful[left] = position
            left += 1
            continue
        it.bits[position] = -1
        it.free.push_back(bit)
    it.doubtful.resize(left)
    for word in range(words):
        found |= everywhere[word]
    row = it.rows.data()
    for node in range(nodes if found else 0):
        for word in range(words):
            row[word] &= ~everywhere[word]
        row += words
