"""Nodes of the branch-and-bound tree of METEOR 2005's search, and equal futures among them."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport no_room
from meteorlib.engine.kernel.search.staged_moves cimport Answers, mixed
from meteorlib.engine.kernel.bits cimport bits_from, has
from meteorlib.engine.kernel.search.staged_words cimport OpenWords


cdef enum:
    WIDENING = 8

cdef struct Node:
    int64_t bound  # of the whole cost
    int32_t position  # that was taken last
    int32_t parent

cdef extern from *:
    """
    struct MeteorRank { int64_t bound; int32_t index; };
    static inline bool operator<(const MeteorRank& a, const MeteorRank& b) {
        return a.bound < b.bound || (a.bound == b.bound && a.index < b.index);
    }
    """
    cdef struct Rank "MeteorRank":  # of a node
        int64_t bound
        int32_t index

cdef struct Key:  # part of a node that still matters behind a level
    int32_t lowest  # of the positions that do; -1: none
    bool chained  # whether the position taken last does

cdef cppclass Tree:
    vector[Key] keys
    size_t words  # of a set of positions
    vector[Node] links  # the nodes that were kept, level by level
    int32_t behind  # the position of children that take none
    size_t first  # of the nodes of the last level
    vector[uint64_t] taken  # for each of them, a set of positions
    vector[uint64_t] next_taken
    vector[Node] children
    vector[uint64_t] hashes  # of what still matters behind them
    vector[uint64_t] multipliers
    vector[uint8_t] dominated
    size_t alive  # children that are not
    vector[int32_t] slots  # a table of the children by what still matters
    vector[Rank] ranks
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


cdef inline int lay_multipliers(Tree& it) except -1 nogil:
    cdef size_t word
    it.multipliers.resize(it.words)
    for word in range(it.words):
        it.multipliers[word] = mixed(word + 1, 0) | 1


cdef inline uint64_t hash_of(const Tree& it, const uint64_t* taken, Key key) noexcept nogil:
    """The hash of what still matters of the positions that a node has taken; that of a child has one summand more."""
    cdef uint64_t hash = 0
    cdef size_t word
    if key.lowest >= 0:
        word = key.lowest >> 6
        hash = (taken[word] & bits_from(key.lowest)) * it.multipliers[word]
        for word in range(word + 1, it.words):
            hash += taken[word] * it.multipliers[word]
    return hash


cdef inline const uint64_t* taken_before(const Tree& it, const Node& child) noexcept nogil:
    return it.taken.data() + (child.parent - it.first) * it.words


cdef inline bool are_alike(const Tree& it, const Node& one, const Node& other, Key key) noexcept nogil:
    """Whether the same is possible behind two children."""
    cdef const uint64_t* taken = taken_before(it, one)
    cdef const uint64_t* others = taken_before(it, other)
    cdef size_t word
    cdef uint64_t differing
    if key.chained and one.position != other.position:
        return False
    if key.lowest < 0:
        return True
    for word in range(key.lowest >> 6, it.words):
        differing = taken[word] ^ others[word]
        if one.position >> 6 == <int32_t>word and one.position != it.behind:
            differing ^= <uint64_t>1 << (one.position & 63)
        if other.position >> 6 == <int32_t>word and other.position != it.behind:
            differing ^= <uint64_t>1 << (other.position & 63)
        if word == <size_t>key.lowest >> 6:
            differing &= bits_from(key.lowest)
        if differing:
            return False
    return True


cdef inline size_t slot_of(const Tree& it, uint64_t hash, int32_t position, Key key) noexcept nogil:
    return mixed(hash ^ (hash >> 32), <uint64_t>(position + 1) if key.chained else 0) & (it.slots.size() - 1)


cdef inline int grow(Tree& it, Key key) except -1 nogil:
    """Keep at least half of the slots free."""
    cdef size_t slot, index
    if 2 * (it.children.size() + 1) <= it.slots.size():
        return 0
    it.slots.assign(2 * it.slots.size(), -1)
    for index in range(it.children.size()):
        if not it.dominated[index]:
            slot = slot_of(it, it.hashes[index], it.children[index].position, key)
            while it.slots[slot] >= 0:
                slot = (slot + 1) & (it.slots.size() - 1)
            it.slots[slot] = <int32_t>index


cdef inline int offer(Tree& it, const Node& child, uint64_t hash, Key key) except -1 nogil:
    """Add a child of a node of this hash, but for one that another dominates."""
    cdef size_t slot
    cdef int32_t known
    grow(it, key)
    if child.position >= key.lowest >= 0 and child.position != it.behind:
        hash += it.multipliers[child.position >> 6] << (child.position & 63)
    slot = slot_of(it, hash, child.position, key)
    while it.slots[slot] >= 0:
        known = it.slots[slot]
        if it.hashes[known] == hash and are_alike(it, it.children[known], child, key):
            if it.children[known].bound <= child.bound:
                return 0
            it.dominated[known] = 1
            it.alive -= 1
            break
        slot = (slot + 1) & (it.slots.size() - 1)
    it.slots[slot] = <int32_t>it.children.size()
    it.children.push_back(child)
    it.hashes.push_back(hash)
    it.dominated.push_back(0)
    it.alive += 1
    if it.children.size() >= INT32_MAX:
        no_room()
