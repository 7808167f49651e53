"""The beam of METEOR 1.5; a twin of `meteorlib.search.beam.search`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport Candidate, Problem, candidate_at
from meteorlib.compiled.paths cimport KEPT, UNMATCHED, Beam, Child, Link, Path, use
from meteorlib.compiled.steps cimport step
from meteorlib.compiled.streams cimport branch
from meteorlib.compiled.words cimport Segment


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
                use(used, covered)
            path.end = position + link.candidate.length
            link.previous = path.link
            path.open = link.candidate.start + link.candidate.words
            path.link = <int32_t>beam.links.size()
            beam.links.push_back(link)
    beam.paths.swap(beam.next_paths)
    beam.used.swap(beam.next_used)


cdef inline void pass_forced(Beam& beam, int32_t first, int32_t end) noexcept nogil:
    """See `meteorlib.search.beam.search._Beam.pass_forced`; the paths are sorted anew."""
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
        while place > 0 and path_before(path, beam.paths[place - 1]):
            beam.paths[place] = beam.paths[place - 1]
            place -= 1
        beam.paths[place] = path


cdef inline int search_wide(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, Beam& beam, vector[Candidate]& chosen
) except -1 nogil:
    """See `meteorlib.search.beam.search._Beam.search`; `beam.open` is not empty."""
    cdef size_t index
    cdef int32_t position, end, link
    beam.heads.assign(hypothesis.words.size() + 1, -1)
    beam.words = (hypothesis.words.size() + 63) >> 6
    beam.children.reserve(beam.width)
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
