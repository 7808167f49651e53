"""METEOR 1.5's beam search for sides of any length (`narrow_beam`: up to 64 words); twin of `meteorlib.search.beam`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memcpy
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.bits cimport has, put
from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, candidate_at, candidates_at
from meteorlib.engine.kernel.search.beam_paths cimport KEPT, UNMATCHED, Beam, Child, Entry, Link, Path, rank_of, used_by
from meteorlib.engine.kernel.steps cimport count_steps, step
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    LOOK_EVERY = 16  # open positions


cdef inline int find_common(Beam& beam) except -1 nogil:
    """Find the words that all paths have used. Their children have used them, too, so it is enough to look at times."""
    cdef size_t path, word
    cdef const uint64_t* used = used_by(beam, beam.paths[0])
    beam.everywhere.assign(used, used + beam.words)
    for path in range(1, beam.paths.size()):
        used = used_by(beam, beam.paths[path])
        for word in range(beam.words):
            beam.everywhere[word] &= used[word]


cdef inline bool can_take(const uint64_t* used, const Entry& entry) noexcept nogil:
    """Whether no word of a candidate is used."""
    cdef int32_t word
    for word in range(entry.start, entry.start + entry.words):
        if has(used, word):
            return False
    return True


cdef inline int list_entries(
    const Segment& reference, const Problem& problem, int32_t position, Beam& beam
) except -1 nogil:
    """List the candidates of a position that a path may take."""
    cdef int32_t index
    cdef int64_t most = 0  # to take none
    cdef Candidate candidate
    cdef Entry entry
    beam.entries.clear()
    for index in range(candidates_at(reference, problem, position)):
        candidate = candidate_at(reference, problem, position, index)
        entry.start, entry.words, entry.choice = candidate.start, candidate.words, index
        if can_take(beam.everywhere.data(), entry):
            entry.gain, entry.distance = rank_of(beam, candidate), abs(position - entry.start)
            beam.heads[entry.start] = <int32_t>beam.entries.size()
            beam.entries.push_back(entry)
    for index in range(<int32_t>beam.entries.size() - 1, -1, -1):
        most = max(most, beam.entries[index].gain)
        beam.entries[index].most = most


cdef inline bool comes_too_late(const Beam& beam, int64_t rank, int64_t distance) noexcept nogil:
    """Whether a new child would not be among the best; of equal ones the first is better."""
    if beam.children.size() < beam.width:
        return False
    return rank > beam.children.back().rank or (
        rank == beam.children.back().rank and distance >= beam.children.back().distance
    )


cdef inline int offer(Beam& beam, const Child& child) except -1 nogil:
    """Put a new child in its place among the best, if it is one of them."""
    cdef size_t place
    cdef Child* children
    if comes_too_late(beam, child.rank, child.distance):
        return 0
    if beam.children.size() < beam.width:
        beam.children.push_back(child)
    place, children = beam.children.size() - 1, beam.children.data()
    while place > 0 and (
        child.rank < children[place - 1].rank
        or (child.rank == children[place - 1].rank and child.distance < children[place - 1].distance)
    ):
        children[place] = children[place - 1]
        place -= 1
    children[place] = child


cdef inline int add_children(Beam& beam, int32_t position, int32_t parent, int64_t& taken) except -1 nogil:
    """Offer what a path becomes, until nothing better can come."""
    cdef Path* path = &beam.paths[parent]
    cdef const uint64_t* used = used_by(beam, path[0])
    cdef int64_t close = 1 if path.open >= 0 else 0
    cdef int32_t index = 0, count = <int32_t>beam.entries.size(), joining = -1
    cdef const Entry* entry
    cdef Child child
    child.rank, child.distance, child.parent, child.choice = path.rank, path.distance, parent, KEPT
    # a phrase of an earlier position covers this one
    if path.end > position:
        offer(beam, child)
        return 0
    if path.open >= 0 and beam.heads[path.open] >= 0 and not has(used, path.open):
        joining = beam.heads[path.open]
    while index < count:
        entry = &beam.entries[index]
        if comes_too_late(beam, path.rank - entry.most + (close if index > joining else 0), child.distance):
            break
        if can_take(used, entry[0]):
            child.rank = path.rank - entry.gain + (close if entry.start != path.open else 0)
            child.choice = entry.choice
            offer(beam, child)
            child.distance += entry.distance
        index += 1
    if index == count:
        child.rank, child.choice = path.rank + close, UNMATCHED
        offer(beam, child)
    count_steps(taken, 2 * <int64_t>index)


cdef inline int branch(
    const Segment& reference, const Problem& problem, Beam& beam, int32_t position, size_t number
) except -1 nogil:
    """Make the `width` best of what paths become with each of the candidates of `position` that they still can take.

    Or with none. Of equal ones the first is the one of the first path, then of its first candidate. `number` counts the
    open positions.
    """
    cdef int32_t parent
    cdef size_t index
    cdef int64_t taken = 0
    if number % LOOK_EVERY == 0:
        find_common(beam)
    list_entries(reference, problem, position, beam)
    beam.children.clear()
    for parent in range(<int32_t>beam.paths.size()):
        add_children(beam, position, parent, taken)
    for index in range(beam.entries.size()):
        beam.heads[beam.entries[index].start] = -1
    step(taken + 4 * <int64_t>(beam.entries.size() + beam.paths.size() * (8 + beam.words)))


cdef inline bool path_before(const Path& a, const Path& b) noexcept nogil:
    return a.rank < b.rank or (a.rank == b.rank and a.distance < b.distance)


cdef inline int take(
    const Segment& reference, const Problem& problem, Beam& beam, int32_t position
) except -1 nogil:
    """Make the children that were kept the paths."""
    cdef size_t index
    cdef Child child
    cdef Path* path
    cdef Link link
    cdef int32_t covered
    cdef uint64_t* used
    beam.next_paths.resize(beam.children.size())
    if beam.words > 1:
        beam.next_used.resize(beam.children.size() * beam.words)
        step(<int64_t>(beam.children.size() * beam.words))
    for index in range(beam.children.size()):
        child = beam.children[index]
        path = &beam.next_paths[index]
        path[0] = beam.paths[child.parent]
        path.rank, path.distance = child.rank, child.distance
        used = &path.used
        if beam.words > 1:
            used = beam.next_used.data() + index * beam.words
            memcpy(used, beam.used.data() + path.used * beam.words, beam.words * sizeof(uint64_t))
            path.used = index
        if child.choice == UNMATCHED:
            path.open = -1
        elif child.choice != KEPT:
            link.candidate = candidate_at(reference, problem, position, child.choice)
            for covered in range(link.candidate.start, link.candidate.start + link.candidate.words):
                put(used, covered)
            path.end = position + link.candidate.length
            link.previous = path.link
            path.open = link.candidate.start + link.candidate.words
            path.link = <int32_t>beam.links.size()
            beam.links.push_back(link)
    beam.paths.swap(beam.next_paths)
    beam.used.swap(beam.next_used)


cdef inline void pass_forced(Beam& beam, int32_t first, int32_t end) noexcept nogil:
    """See `meteorlib.search.beam._Beam.pass_forced`; the paths are sorted anew."""
    cdef int32_t start = beam.fixed_start[first] if first < <int32_t>beam.fixed_start.size() else -1
    cdef int32_t last = beam.fixed_end[end] if end < <int32_t>beam.fixed_end.size() else -1
    cdef size_t index, place
    cdef Path path
    for index in range(beam.paths.size()):
        path = beam.paths[index]
        if path.open >= 0 and path.open != start:
            path.rank += 1
        path.open = last
        place = index
        # by insertion, which leaves equal ones in their order, as the stable sort in Python does
        while place > 0 and path_before(path, beam.paths[place - 1]):
            beam.paths[place] = beam.paths[place - 1]
            place -= 1
        beam.paths[place] = path


cdef inline int search_wide(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, Beam& beam, vector[Candidate]& chosen
) except -1 nogil:
    """See `meteorlib.search.beam._Beam.search`; `beam.open` is not empty."""
    cdef size_t index
    cdef int32_t position, end, link
    beam.heads.assign(hypothesis.words.size() + 1, -1)
    beam.words = (hypothesis.words.size() + 63) >> 6
    beam.links.clear()
    beam.paths.resize(1)
    beam.paths[0].rank = beam.paths[0].distance = 0
    beam.paths[0].open = beam.fixed_end[beam.open[0]]
    beam.paths[0].link = -1
    beam.paths[0].end = 0
    beam.paths[0].used = 0
    if beam.words > 1:
        beam.used.assign(beam.words, 0)
    for index in range(beam.open.size()):
        position = beam.open[index]
        end = beam.open[index + 1] if index + 1 < beam.open.size() else <int32_t>reference.words.size() + 1
        branch(reference, problem, beam, position, index)
        take(reference, problem, beam, position)
        if end > position + 1:
            pass_forced(beam, position + 1, end)
    link = beam.paths[0].link
    while link >= 0:
        chosen.push_back(beam.links[link].candidate)
        link = beam.links[link].previous
