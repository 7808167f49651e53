"""Breadth-first branch and bound; compiled form of `meteorlib.search.staged_branch_and_bound`."""

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.algorithm cimport nth_element, sort

from meteorlib.engine.kernel.match.candidates cimport no_room
from meteorlib.engine.kernel.search.staged_components cimport Graph
from meteorlib.engine.kernel.search.staged_moves cimport Possible, begin_level, forget, moves
from meteorlib.engine.kernel.search.doubts cimport begin_sets, give_bit, settle_doubts
from meteorlib.engine.kernel.bits cimport count_bits, drop, has, place_from, put, words_for
from meteorlib.engine.kernel.search.staged_words cimport Move, OpenWord, OpenWords
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.search.staged_tree cimport WIDENING, Key, Node, Tree, find_keys, find_relevant, offer, row_before


cdef inline int branch(
    const OpenWord& word, int32_t level, const Graph& graph, OpenWords& words, int64_t incumbent, Tree& it
) except -1 nogil:
    """The children of the nodes of the last level."""
    cdef int32_t index, move, last
    cdef int64_t first, bound, crossing = words.crossing, lowest = INT64_MAX
    cdef size_t part, size = it.sets.words, count = 0
    cdef Possible possible
    cdef Node* child
    cdef const Move* found = words.moves.data() + word.moves
    cdef const uint64_t* row = it.sets.rows.data()
    begin_level(word, it.sets, graph, words, it.level)
    cdef const int64_t* costs = it.level.costs.data()
    cdef const uint64_t* crossed = it.level.crossed.data()
    for index in range(<int32_t>it.first, <int32_t>it.links.size()):
        moves(word, level, row, it.level, graph, words, it.answers, possible)
        it.steps += possible.looked_at + possible.effort
        count_steps(it.looked, 8 * (1 + (possible.end - possible.first + 1) * <int64_t>size))
        if it.children.size() < count + possible.end - possible.first + 1:
            it.children.resize(2 * (count + possible.end - possible.first + 1))
        child = it.children.data() + count
        first, last = it.links[index].bound - possible.to_go, it.links[index].position
        for move in range(possible.first, possible.end):
            if possible.allowed != NULL and not has(possible.allowed, graph.places_in[found[move].position]):
                continue
            bound = first + costs[move] + crossing * count_bits(row[0] & crossed[move * size])
            for part in range(1, size):
                bound += crossing * count_bits(row[part] & crossed[move * size + part])
            bound += (found[move].neighbor >= 0) & (found[move].neighbor != last)
            if bound <= incumbent:
                child.bound, child.position, child.parent = bound, found[move].position, index
                lowest = min(lowest, bound)
                child += 1
        if possible.may_skip and first + possible.skipped <= incumbent:
            child.bound, child.position, child.parent = first + possible.skipped, words.behind, index
            lowest = min(lowest, child.bound)
            child += 1
        count = child - it.children.data()
        row += size
    it.child_count, it.lowest = count, lowest
    if count >= INT32_MAX:
        no_room()


cdef inline int choose(Tree& it, size_t width, Key key) except -1 nogil:
    """Choose the children of the lowest bounds, of equal ones the first; of those that leave the same, one counts."""
    cdef size_t done = 0, end, count = 0, slots = 16, size = it.child_count, near = 0, far = size
    cdef int shift = 4
    cdef uint64_t less, highest = 0, index, spread = it.spread
    while slots < 2 * (min(size, width) + 1):
        slots *= 2
    it.slots.assign(slots, -1)
    it.kept.assign(words_for(size), 0)
    if it.ranks.size() < size:
        it.ranks.resize(2 * size)
    while size >> shift:
        shift += 1
    cdef uint64_t* ranks = it.ranks.data()
    cdef const Node* children = it.children.data()
    cdef int64_t lowest = it.lowest
    for index in range(size):
        less = children[index].bound - lowest
        highest |= less
        if less <= spread:
            ranks[near] = less << shift | index
            near += 1
        else:
            far -= 1
            ranks[far] = less << shift | index
    if highest >> (64 - shift):
        no_room()  # crossings of a million words
    while done < size and count <= width:
        end = min(size, done + max(width + 1 - count, done))
        nth_element(
            it.ranks.begin() + done, it.ranks.begin() + (end - 1), it.ranks.begin() + (near if end <= near else size)
        )
        if done:  # then the last one that is needed stands anywhere
            sort(it.ranks.begin() + done, it.ranks.begin() + end)
        while done < end and count <= width:
            count += offer(it, it.ranks[done] & ((<uint64_t>1 << shift) - 1), key)
            done += 1
    if count > width:
        less = it.ranks[done - 1] >> shift
        it.spread = 2 * less
        it.dropped.push_back(it.lowest + <int64_t>less)
        drop(it.kept.data(), it.ranks[done - 1] & ((<uint64_t>1 << shift) - 1))
    else:
        it.dropped.push_back(INT64_MAX)


cdef inline int keep(Tree& it, size_t width, Key key) except -1 nogil:
    """Make the best children the nodes of the next level; in order, which decides among equals later."""
    cdef size_t first = it.links.size(), nodes = first - it.first, index, word
    cdef int32_t child
    cdef uint64_t* row
    cdef const Node* node
    find_relevant(it, key)
    choose(it, width, key)
    child = place_from(it.kept.data(), it.kept.size(), 0)
    while child >= 0:
        node = &it.children[child]
        if node.position != it.behind and it.sets.bits[node.position] < 0:
            give_bit(it.sets, node.position, nodes)
        it.links.push_back(node[0])
        child = place_from(it.kept.data(), it.kept.size(), child + 1)
    if it.links.size() >= INT32_MAX:
        no_room()
    it.sets.next_rows.resize((it.links.size() - first) * it.sets.words)
    row = it.sets.next_rows.data()
    for index in range(first, it.links.size()):
        node = &it.links[index]
        for word in range(it.sets.words):
            row[word] = row_before(it, node[0])[word]
        if node.position != it.behind:
            put(row, it.sets.bits[node.position])
        row += it.sets.words
    it.sets.rows.swap(it.sets.next_rows)
    settle_doubts(it.sets, it.links.size() - first)
    it.first = first


cdef inline bool trace(Tree& it) noexcept nogil:
    """The moves that lead to the best leaf, and whether no node that was dropped could have led to a better one."""
    cdef size_t index, leaf = it.first
    cdef int32_t level
    cdef bool proven = True
    for index in range(it.first + 1, it.links.size()):
        if it.links[index].bound < it.links[leaf].bound:
            leaf = index
    it.cost = it.links[leaf].bound
    for level in range(<int32_t>it.dropped.size() - 1, -1, -1):
        proven = proven and (
            it.dropped[level] > it.cost or (it.dropped[level] == it.links[leaf].bound == it.cost)
        )
        it.found[level] = it.links[leaf].position
        leaf = it.links[leaf].parent
    return proven


cdef inline bint search(
    const Graph& graph, OpenWords& words, size_t width, int64_t incumbent, int64_t limit, Tree& it
) except -1 nogil:
    """The best solution that costs no more than the incumbent, if there is one; whether it is proven the best."""
    cdef int32_t level
    cdef Node root
    it.first = 0
    root.bound, root.position, root.parent = words.bound, -1, -1
    it.spread = 0
    it.links.clear()
    it.links.push_back(root)
    begin_sets(it.sets, words.behind)
    it.dropped.clear()
    it.found.resize(words.words.size())
    it.cost = INT64_MAX
    for level in range(<int32_t>words.words.size()):
        branch(words.words[level], level, graph, words, incumbent, it)
        if it.steps > limit:
            return False
        keep(it, width, it.keys[level])
        if it.first == it.links.size():
            return False
    return trace(it)


cdef inline int take_better(Tree& it) except -1 nogil:
    """Keep the cheaper of two solutions; of equal ones, the one whose positions are smaller in order."""
    if it.cost < it.least or (it.cost == it.least and it.cost < INT64_MAX and it.found < it.best):
        it.least = it.cost
        it.best = it.found


cdef inline bint cheapest(const Graph& graph, OpenWords& words, int64_t budget, Tree& it) except -1 nogil:
    """The cheapest choice of moves, `best`, and whether that is proven."""
    cdef int64_t greedy_steps, affordable, width = 1
    cdef bint proven
    it.behind = words.behind
    it.steps, it.least = 0, INT64_MAX
    forget(it.answers)
    find_keys(words, it)
    proven = search(graph, words, 1, INT64_MAX, INT64_MAX, it)
    take_better(it)
    greedy_steps = it.steps
    while not proven:
        affordable = (budget + greedy_steps - it.steps) // greedy_steps
        if affordable <= width:
            break
        width = min(WIDENING * width, affordable)
        proven = search(graph, words, <size_t>width, it.least, greedy_steps + 2 * budget, it)
        take_better(it)
    return proven
