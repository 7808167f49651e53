"""The beam of METEOR 1.5; a twin of `meteorlib.search.beam.search`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memcpy
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport Candidate, Problem, Unit, candidate_at, phrases_at, units_at
from meteorlib.compiled.steps cimport go_on, step
from meteorlib.compiled.words cimport Segment


cdef enum:
    UNMATCHED = -1
    KEPT = -2
    MATCHED = 32  # a rank is chunks − (matched << MATCHED): more matched words first, then fewer chunks

cdef struct Path:
    int64_t rank
    int64_t distance
    uint64_t used  # the used words; where they need more bits, which row of `Beam.used` they are
    int32_t open
    int32_t link
    int32_t end  # of the reference words that are matched, where they reach behind the position

cdef struct Child:
    int64_t rank
    int64_t distance
    int32_t parent
    int32_t choice

cdef struct Link:
    Candidate candidate
    int32_t previous

cdef struct Last:  # the last candidate that starts at a word of the hypothesis
    int32_t position
    int32_t index

cdef cppclass Beam:
    """The paths of a search, and the children that become the next ones; used words are a bit each."""
    size_t width
    size_t words  # of 64 bits that the words of the hypothesis need
    const int64_t* word_ranks
    const double* gains
    size_t count  # of the children
    vector[Path] paths
    vector[Path] next_paths
    vector[uint64_t] used
    vector[uint64_t] next_used
    vector[Child] children
    vector[Link] links
    vector[Last] lasts  # for each word of the hypothesis
    vector[int64_t] later  # for each candidate of a position, the most that it or a later one takes off the rank
    vector[int32_t] open
    vector[int32_t] fixed_start
    vector[int32_t] fixed_end
    vector[int32_t] reference_cover
    vector[int32_t] hypothesis_cover


cdef inline bool path_before(const Path& a, const Path& b) noexcept nogil:
    return a.rank < b.rank or (a.rank == b.rank and a.distance < b.distance)


cdef inline bool is_used(const uint64_t* used, int32_t word) noexcept nogil:
    return (used[word >> 6] >> (word & 63)) & 1


cdef inline void use(uint64_t* used, int32_t word) noexcept nogil:
    used[word >> 6] |= <uint64_t>1 << (word & 63)


cdef inline bool fits(const uint64_t* used, const Candidate& candidate) noexcept nogil:
    """Whether no word of the hypothesis that a candidate covers is used."""
    cdef int32_t word
    for word in range(candidate.start, candidate.start + candidate.words):
        if is_used(used, word):
            return False
    return True


cdef inline uint64_t* used_by(Beam& beam, Path& path) noexcept nogil:
    return &path.used if beam.words == 1 else beam.used.data() + path.used * beam.words


cdef inline int64_t rank_of(const Beam& beam, const Candidate& candidate) noexcept nogil:
    """What a candidate of more words takes off the rank."""
    cdef double gain = beam.gains[candidate.stage]
    return (<int64_t>(candidate.words * gain) + <int64_t>(candidate.length * gain)) << MATCHED


cdef inline bool offer(Beam& beam, int64_t rank, int64_t distance, int32_t parent, int32_t choice) noexcept nogil:
    """Put a child behind all that are as good; whether it is among the best so far."""
    cdef Child* children = beam.children.data()
    cdef Child* place = children + beam.count
    cdef Child* other
    if beam.count == beam.width:
        place -= 1
        if rank > place.rank or (rank == place.rank and distance >= place.distance):
            return False
    else:
        beam.count += 1
    while place > children:
        other = place - 1
        if other.rank < rank or (other.rank == rank and other.distance <= distance):
            break
        place[0] = other[0]
        place = other
    place.rank, place.distance, place.parent, place.choice = rank, distance, parent, choice
    return True


cdef inline bool comes_too_late(const Beam& beam, int64_t rank, int64_t distance) noexcept nogil:
    """Whether there are enough children that are as good."""
    cdef const Child* last = beam.children.data() + beam.width - 1
    return beam.count == beam.width and (
        rank > last.rank or (rank == last.rank and distance >= last.distance)
    )


cdef inline int look_ahead(
    const Unit* units, int32_t count, const Candidate* phrases, int32_t phrase_count, int32_t position, Beam& beam
) except -1 nogil:
    """Note where the candidates of a position start, and what they gain."""
    cdef int32_t index, total = count + phrase_count
    cdef Last last
    last.position = position
    beam.later.resize(total + 1)
    beam.later[total] = 0
    for index in range(total):
        last.index = index
        beam.lasts[units[index].start if index < count else phrases[index - count].start] = last
    for index in range(phrase_count - 1, -1, -1):
        beam.later[count + index] = max(beam.later[count + index + 1], rank_of(beam, phrases[index]))
    for index in range(count - 1, -1, -1):
        beam.later[index] = max(beam.later[index + 1], beam.word_ranks[units[index].stage])


cdef inline int branch(
    const Segment& reference, const Problem& problem, Beam& beam, int32_t position
) except -1 nogil:
    """Offer every path each of the candidates of `position` that it still can take, then none.

    Only the `width` best children are kept, in their order. Behind one that came too late, all come too late that gain
    no more and do not continue the open chunk; and paths come best first.
    """
    cdef int32_t word = reference.which[position]
    cdef const Unit* units = problem.units.data() + problem.unit_begins[word]
    cdef int32_t count = units_at(reference, problem, position)
    cdef const Candidate* phrases = problem.phrases.data() + problem.phrase_begins[reference.openings[position]]
    cdef int32_t phrase_count = phrases_at(reference, problem, position)
    cdef size_t parent
    cdef int32_t index, start, open_, joining
    cdef int64_t rank, close, distance, gain
    cdef const uint64_t* used
    cdef const int64_t* later
    cdef int64_t taken = 0
    look_ahead(units, count, phrases, phrase_count, position, beam)
    later = beam.later.data()
    beam.count = 0
    for parent in range(beam.paths.size()):
        rank, distance = beam.paths[parent].rank, beam.paths[parent].distance
        if comes_too_late(beam, rank - later[0], distance):
            break
        if beam.paths[parent].end > position:
            offer(beam, rank, distance, <int32_t>parent, KEPT)
            continue
        used, open_ = used_by(beam, beam.paths[parent]), beam.paths[parent].open
        close = 1 if open_ >= 0 else 0
        joining = beam.lasts[open_].index if open_ >= 0 and beam.lasts[open_].position == position else -1
        go_on(taken, (1 + count + phrase_count) * (4 + <int64_t>beam.count // 8))
        for index in range(count):
            start = units[index].start
            if is_used(used, start):
                continue
            gain = beam.word_ranks[units[index].stage]
            if not offer(
                beam, rank - gain + (0 if start == open_ else close), distance, <int32_t>parent, index
            ) and gain >= later[index + 1] and index >= joining:
                break
            distance += abs(position - start)
        else:
            for index in range(count, count + phrase_count):
                if not fits(used, phrases[index - count]):
                    continue
                start, gain = phrases[index - count].start, rank_of(beam, phrases[index - count])
                if not offer(
                    beam, rank - gain + (0 if start == open_ else close), distance, <int32_t>parent, index
                ) and gain >= later[index + 1] and index >= joining:
                    break
                distance += abs(position - start)
            else:
                offer(beam, rank + close, distance, <int32_t>parent, UNMATCHED)
    step(taken)


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
    beam.next_paths.resize(beam.count)
    if beam.words > 1:
        beam.next_used.resize(beam.count * beam.words)
        step(<int64_t>(beam.count * beam.words))
    for index in range(beam.count):
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
    cdef Last nowhere
    nowhere.position = nowhere.index = -1
    beam.lasts.assign(hypothesis.words.size() + 1, nowhere)
    beam.words = (hypothesis.words.size() + 63) >> 6
    beam.children.resize(beam.width)
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
        branch(reference, problem, beam, position)
        take(reference, problem, beam, position)
        if end > position + 1:
            pass_forced(beam, position + 1, end)
    link = beam.paths[0].link
    while link >= 0:
        chosen.push_back(beam.links[link].candidate)
        link = beam.links[link].previous
