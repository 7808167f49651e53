"""Nodes of the branch-and-bound tree of METEOR 2005's search, and equal futures among them."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.search.staged_moves cimport Answers, Level, mixed
from meteorlib.engine.kernel.search.doubts cimport Sets
from meteorlib.engine.kernel.bits cimport drop, put
from meteorlib.engine.kernel.search.staged_words cimport OpenWords


cdef enum:
    WIDENING = 8

cdef struct Node:
    int64_t bound  # of the whole cost
    int32_t position  # that was taken last
    int32_t parent

cdef struct Key:  # part of a node that still matters behind a level
    int32_t lowest  # of the positions that do; -1: none
    bool chained  # whether the position taken last does

cdef cppclass Tree:
    vector[Key] keys
    vector[Node] links  # the nodes that were kept, level by level
    int32_t behind  # the position of children that take none
    size_t first  # of the nodes of the last level
    Sets sets  # that they have taken
    Level level
    vector[Node] children  # there may be more behind them, like behind the ranks
    size_t child_count
    int64_t lowest  # bound of theirs
    uint64_t spread  # of the bounds of the last level that were kept: the others are looked at last
    vector[uint64_t] relevant  # doubtful positions that still matter, as bits of a row
    vector[int32_t] slots  # a table of the children by what still matters
    vector[uint64_t] ranks  # of the children: how far their bounds are above the lowest, before their numbers
    vector[uint64_t] kept  # a set of children
    vector[int64_t] dropped  # for each level, the least bound of what was not kept
    vector[int32_t] found  # for each level, the position that is taken
    vector[int32_t] best
    int64_t cost
    int64_t least
    int64_t steps
    int64_t looked  # steps that were not yet told
    Answers answers


cdef inline int find_keys(const OpenWords& words, Tree& it) except -1 nogil:
    """For each level: which positions still matter behind it, and whether the last one does."""
    cdef int32_t level, later = -1, following = -1
    it.keys.resize(words.words.size())
    for level in range(<int32_t>words.words.size() - 1, -1, -1):
        it.keys[level].lowest = later
        it.keys[level].chained = words.words[level].reference + 1 == following
        if words.words[level].lowest >= 0 and (later < 0 or words.words[level].lowest < later):
            later = words.words[level].lowest
        following = words.words[level].reference


cdef inline int find_relevant(Tree& it, Key key) except -1 nogil:
    """Find the doubtful positions that still matter behind a level."""
    cdef size_t index = it.sets.doubtful.size()
    it.relevant.assign(it.sets.words, 0)
    while key.lowest >= 0 and index and it.sets.doubtful[index - 1] >= key.lowest:
        index -= 1
        put(it.relevant.data(), it.sets.bits[it.sets.doubtful[index]])


cdef inline const uint64_t* row_before(const Tree& it, const Node& child) noexcept nogil:
    return it.sets.rows.data() + (child.parent - it.first) * it.sets.words


cdef inline uint64_t word_of(const Tree& it, const Node& child, size_t word) noexcept nogil:
    """What still matters of the doubtful positions that a child has taken."""
    cdef uint64_t bits = row_before(it, child)[word]
    cdef int32_t bit = it.sets.bits[child.position] if child.position != it.behind else -1
    if bit >= 0 and <size_t>bit >> 6 == word:
        bits |= <uint64_t>1 << (bit & 63)
    return bits & it.relevant[word]


cdef inline int32_t position_of(const Tree& it, const Node& child, Key key) noexcept nogil:
    """The position that a child has taken last, if it matters beside the doubtful ones; else -1."""
    if key.chained:
        return child.position
    if child.position == it.behind or not child.position >= key.lowest >= 0 or it.sets.bits[child.position] >= 0:
        return -1
    return child.position


cdef inline bool are_alike(const Tree& it, const Node& one, const Node& other, Key key) noexcept nogil:
    """Whether the same is possible behind two children."""
    cdef size_t word
    if position_of(it, one, key) != position_of(it, other, key):
        return False
    for word in range(it.sets.words):
        if word_of(it, one, word) != word_of(it, other, word):
            return False
    return True


cdef inline int offer(Tree& it, int32_t index, Key key) noexcept nogil:
    """Keep a child, but for one that another dominates; how many are kept more."""
    cdef const Node* child = &it.children[index]
    cdef const Node* known
    cdef uint64_t hash = position_of(it, child[0], key) + 1
    cdef size_t slot
    for slot in range(it.sets.words):
        hash = mixed(hash, word_of(it, child[0], slot))
    slot = (hash ^ (hash >> 32)) & (it.slots.size() - 1)
    while it.slots[slot] >= 0:
        known = &it.children[it.slots[slot]]
        if are_alike(it, known[0], child[0], key):
            if known.bound < child.bound or (known.bound == child.bound and it.slots[slot] < index):
                return 0
            drop(it.kept.data(), it.slots[slot])
            put(it.kept.data(), index)
            it.slots[slot] = index
            return 0
        slot = (slot + 1) & (it.slots.size() - 1)
    it.slots[slot] = index
    put(it.kept.data(), index)
    return 1
