"""METEOR 1.5's beam search for sides of any length (`narrow_beam`: up to 64 words); twin of `meteorlib.search.beam`."""

from libc.stdint cimport INT64_MAX, INT64_MIN, int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.bits cimport has, meets, put
from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, candidate_at, candidates_at
from meteorlib.engine.kernel.search.beam_paths cimport KEPT, UNMATCHED, Beam, Child, Entry, Link, Path, Stream, rank_of
from meteorlib.engine.kernel.search.doubts cimport Sets, begin_sets, give_bit, settle_doubts
from meteorlib.engine.kernel.steps cimport count_steps, step
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    MOST_LINKS = 1 << 17  # for which room is made before they are made


cdef inline bool is_used(const Sets& sets, int32_t first, int32_t words, const uint64_t* row) noexcept nogil:
    """Whether a path has used any of some words that not all paths have used."""
    cdef int32_t word
    for word in range(first, first + words):
        if sets.bits[word] >= 0 and has(row, sets.bits[word]):
            return True
    return False


cdef inline int list_entries(
    const Segment& reference, const Problem& problem, int32_t position, Beam& beam
) except -1 nogil:
    """List the candidates of a position that a path may take."""
    cdef int32_t index, word
    cdef int64_t most = 0  # to take none
    cdef bool common
    cdef Candidate candidate
    cdef Entry entry
    beam.entries.clear()
    beam.total = 0
    beam.wanted.assign(beam.sets.words, 0)
    for index in range(candidates_at(reference, problem, position)):
        candidate = candidate_at(reference, problem, position, index)
        common = has(beam.sets.common.data(), candidate.start)
        for word in range(candidate.start + 1, candidate.start + candidate.words):
            common = common or has(beam.sets.common.data(), word)
        if common:
            continue
        for word in range(candidate.start, candidate.start + candidate.words):
            if beam.sets.bits[word] >= 0:
                put(beam.wanted.data(), beam.sets.bits[word])
        entry.start, entry.words, entry.length = candidate.start, candidate.words, candidate.length
        entry.choice, entry.ahead = index, beam.total
        entry.gain, entry.distance = rank_of(beam, candidate), abs(position - entry.start)
        beam.total += entry.distance
        beam.entries.push_back(entry)
    for index in range(<int32_t>beam.entries.size() - 1, -1, -1):
        most = max(most, beam.entries[index].gain)
        beam.entries[index].most = most
        beam.entries[index].later = beam.starts[beam.entries[index].start]
        beam.starts[beam.entries[index].start] = index


cdef inline int order_entries(Beam& beam) except -1 nogil:
    """Put the entries into the order of the children of one path; last, it takes none."""
    cdef int32_t index, count = <int32_t>beam.entries.size()
    cdef int64_t gain = INT64_MAX, most
    beam.order.clear()
    for index in range(count):  # mostly they are in order
        if beam.entries[index].gain > gain:
            break
        beam.order.push_back(index)
        gain = beam.entries[index].gain
    if <int32_t>beam.order.size() < count:
        beam.order.clear()
        gain = INT64_MAX
    while <int32_t>beam.order.size() < count:
        most = 0
        for index in range(count):
            if beam.entries[index].gain < gain:
                most = max(most, beam.entries[index].gain)
        for index in range(count):
            if beam.entries[index].gain == most:
                beam.order.push_back(index)
        gain = most
    beam.order.push_back(UNMATCHED)


cdef inline bool comes_too_late(const Beam& beam, int64_t rank, int64_t distance) noexcept nogil:
    """Whether a new child would not be among the best; of equal ones the first is better."""
    if beam.others.size() < beam.width:
        return False
    return rank > beam.others.back().rank or (
        rank == beam.others.back().rank and distance >= beam.others.back().distance
    )


cdef inline int offer(Beam& beam, const Child& child) except -1 nogil:
    """Put a new child in its place among the best, if it is one of them."""
    cdef size_t place
    cdef Child* children
    if comes_too_late(beam, child.rank, child.distance):
        return 0
    if beam.others.size() < beam.width:
        beam.others.push_back(child)
    place, children = beam.others.size() - 1, beam.others.data()
    while place > 0 and (
        child.rank < children[place - 1].rank
        or (child.rank == children[place - 1].rank and child.distance < children[place - 1].distance)
    ):
        children[place] = children[place - 1]
        place -= 1
    children[place] = child


cdef inline void note_best(Beam& beam, int64_t rank, int64_t distance) noexcept nogil:
    """Note the best child of a path."""
    if rank > beam.rank:
        beam.rank, beam.distance = rank, distance
    elif rank == beam.rank:
        beam.distance = max(beam.distance, distance)


cdef inline int add_stream(Beam& beam, int32_t parent) except -1 nogil:
    """Let a path that can take all entries begin a stream, and offer the children that continue its chunk."""
    cdef const Path* path = &beam.paths[parent]
    cdef size_t place = beam.streams.size()
    cdef Stream* streams
    cdef Stream stream
    cdef Child child
    cdef const Entry* entry
    cdef int32_t index = beam.starts[path.open] if path.open >= 0 else -1
    child.parent, child.stream = parent, -1
    while index >= 0:
        entry = &beam.entries[index]
        child.rank, child.distance, child.entry = path.rank - entry.gain, path.distance + entry.ahead, index
        offer(beam, child)
        index = entry.later
    stream.rank, stream.distance, stream.parent = path.rank + (path.open >= 0), path.distance, parent
    stream.open, stream.next = path.open, 0
    if beam.entries.empty():
        note_best(beam, stream.rank, stream.distance)
    else:
        entry = &beam.entries[beam.order[0]]
        note_best(beam, stream.rank - entry.gain, stream.distance + entry.ahead)
    beam.streams.push_back(stream)
    streams = beam.streams.data()
    while place > 0 and (
        stream.rank < streams[place - 1].rank
        or (stream.rank == streams[place - 1].rank and stream.distance < streams[place - 1].distance)
    ):
        streams[place] = streams[place - 1]
        place -= 1
    streams[place] = stream


cdef inline int add_children(Beam& beam, int32_t position, int32_t parent, int64_t& taken) except -1 nogil:
    """Offer what a path becomes, until nothing better can come; or begin a stream."""
    cdef const Path* path = &beam.paths[parent]
    cdef const uint64_t* row = beam.sets.rows.data() + path.row * beam.sets.words
    cdef int64_t close = 1 if path.open >= 0 else 0
    cdef int32_t index = 0, count = <int32_t>beam.entries.size(), joining = -1, other
    cdef const Entry* entry
    cdef Child child, best
    child.rank, child.distance, child.parent, child.entry, child.stream = path.rank, path.distance, parent, KEPT, -1
    best.rank, best.distance = INT64_MAX, INT64_MAX
    # a phrase of an earlier position covers this one
    if path.end > position:
        offer(beam, child)
        note_best(beam, child.rank, child.distance)
        return 0
    if not meets(row, beam.wanted.data(), beam.sets.words):
        add_stream(beam, parent)
        return 0
    other = beam.starts[path.open] if path.open >= 0 else -1
    while other >= 0:
        joining, other = other, beam.entries[other].later
    while index < count:
        entry = &beam.entries[index]
        if comes_too_late(beam, path.rank - entry.most + (close if index > joining else 0), child.distance):
            break
        if not is_used(beam.sets, entry.start, entry.words, row):
            child.rank = path.rank - entry.gain + (close if entry.start != path.open else 0)
            child.entry = index
            offer(beam, child)
            if child.rank < best.rank:
                best = child
            child.distance += entry.distance
        index += 1
    if index == count:
        child.rank, child.entry = path.rank + close, UNMATCHED
        offer(beam, child)
        if child.rank < best.rank:
            best = child
    # where the loop was left, `width` others are better than what it left out
    note_best(beam, best.rank, best.distance)
    count_steps(taken, 2 * <int64_t>index)


cdef inline bool is_before(const Child& child, int64_t rank, int64_t distance, int32_t parent) noexcept nogil:
    """The order of children; of one path, those in a stream never have the same rank as those that are not."""
    if child.rank != rank:
        return child.rank < rank
    return child.distance < distance or (child.distance == distance and child.parent < parent)


cdef inline size_t advance(const Beam& beam, Stream& stream, int32_t number, Child* heads, size_t count) noexcept nogil:
    """Put the next child of a stream, if it may be one of the best, among the heads; how many they are then."""
    cdef int64_t rank = stream.rank, distance = stream.distance + beam.total
    cdef int32_t parent = stream.parent, index = beam.order[stream.next]
    while index != UNMATCHED and beam.entries[index].start == stream.open:  # it continues the chunk, and was offered so
        stream.next += 1
        index = beam.order[stream.next]
    stream.next += 1
    if index != UNMATCHED:
        rank, distance = rank - beam.entries[index].gain, stream.distance + beam.entries[index].ahead
    if rank > beam.rank or (rank == beam.rank and distance > beam.distance):
        return count
    cdef size_t place = count
    while place > 0 and is_before(heads[place - 1], rank, distance, parent):
        heads[place] = heads[place - 1]
        place -= 1
    # one by one: a whole copy of what was just written would wait for it
    heads[place].rank, heads[place].distance, heads[place].parent = rank, distance, parent
    heads[place].entry, heads[place].stream = index, number
    return count + 1


cdef inline int merge_streams(Beam& beam) except -1 nogil:
    """Take the best children from the streams and from the others."""
    cdef size_t other = 0, others = beam.others.size(), heads = 0, begun = 0, streams = beam.streams.size(), count
    cdef int64_t most = beam.entries[beam.order[0]].gain if beam.entries.size() else 0
    cdef Stream* stream = beam.streams.data()
    cdef Child* head
    if beam.paths.size() < beam.width:
        beam.rank = INT64_MAX
    cdef const Child* best
    beam.heads.resize(streams)
    beam.children.resize(beam.width)
    head = beam.heads.data()
    for count in range(beam.width):
        while begun < streams and not (heads and is_before(
            head[heads - 1], stream[begun].rank - most, stream[begun].distance, stream[begun].parent
        )):
            heads = advance(beam, stream[begun], <int32_t>begun, head, heads)
            begun += 1
        best = beam.others.data() + other
        if heads and not (other < others and is_before(
            best[0], head[heads - 1].rank, head[heads - 1].distance, head[heads - 1].parent
        )):
            heads -= 1
            beam.children[count] = head[heads]
            if beam.children[count].entry != UNMATCHED:
                heads = advance(beam, stream[head[heads].stream], head[heads].stream, head, heads)
        elif other < others:
            beam.children[count] = best[0]
            other += 1
        else:
            beam.children.resize(count)
            break


cdef inline int branch(
    const Segment& reference, const Problem& problem, Beam& beam, int32_t position
) except -1 nogil:
    """Make the `width` best of what paths become with each of the candidates of `position` that they still can take.

    Or with none. Of equal ones the first is the one of the first path, then of its first candidate.
    """
    cdef int32_t parent
    cdef size_t index
    cdef int64_t taken = 0
    list_entries(reference, problem, position, beam)
    order_entries(beam)
    beam.children.clear()
    beam.others.clear()
    beam.streams.clear()
    beam.rank = beam.distance = INT64_MIN
    for parent in range(<int32_t>beam.paths.size()):
        add_children(beam, position, parent, taken)
    merge_streams(beam)
    for index in range(beam.entries.size()):
        beam.starts[beam.entries[index].start] = -1
    step(taken + 4 * <int64_t>(beam.entries.size() + beam.paths.size() * (8 + beam.sets.words)))


cdef inline bool path_before(const Path& a, const Path& b) noexcept nogil:
    return a.rank < b.rank or (a.rank == b.rank and a.distance < b.distance)


cdef inline int take(Beam& beam, int32_t position) except -1 nogil:
    """Make the children that were kept the paths."""
    cdef size_t index, words, word
    cdef Child child
    cdef Path* path
    cdef const Entry* entry
    cdef Link link
    cdef int32_t covered
    cdef uint64_t* row
    for child in beam.children:
        if child.entry >= 0:
            entry = &beam.entries[child.entry]
            for covered in range(entry.start, entry.start + entry.words):
                if beam.sets.bits[covered] < 0:
                    give_bit(beam.sets, covered, beam.paths.size())
    words = beam.sets.words
    beam.next_paths.resize(beam.children.size())
    beam.sets.next_rows.resize(beam.children.size() * words)
    step(<int64_t>(beam.children.size() * words))
    for index in range(beam.children.size()):
        child = beam.children[index]
        path = &beam.next_paths[index]
        path[0] = beam.paths[child.parent]
        path.rank, path.distance = child.rank, child.distance
        row = beam.sets.next_rows.data() + index * words
        for word in range(words):
            row[word] = beam.sets.rows[path.row * words + word]
        path.row = index
        if child.entry == UNMATCHED:
            path.open = -1
        elif child.entry != KEPT:
            entry = &beam.entries[child.entry]
            path.open = entry.start + entry.words
            for covered in range(entry.start, path.open):
                put(row, beam.sets.bits[covered])
            path.end = position + entry.length
            link.position, link.choice, link.previous = position, entry.choice, path.link
            path.link = <int32_t>beam.links.size()
            beam.links.push_back(link)
    beam.paths.swap(beam.next_paths)
    beam.sets.rows.swap(beam.sets.next_rows)
    settle_doubts(beam.sets, beam.paths.size())


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
    beam.starts.assign(hypothesis.words.size() + 1, -1)
    begin_sets(beam.sets, <int32_t>hypothesis.words.size())
    beam.links.clear()
    beam.links.reserve(min(beam.open.size() * beam.width, <size_t>MOST_LINKS))
    beam.paths.resize(1)
    beam.paths[0].rank = beam.paths[0].distance = 0
    beam.paths[0].open = beam.fixed_end[beam.open[0]]
    beam.paths[0].link = -1
    beam.paths[0].end = 0
    beam.paths[0].row = 0
    for index in range(beam.open.size()):
        position = beam.open[index]
        end = beam.open[index + 1] if index + 1 < beam.open.size() else <int32_t>reference.words.size() + 1
        branch(reference, problem, beam, position)
        take(beam, position)
        if end > position + 1:
            pass_forced(beam, position + 1, end)
    link = beam.paths[0].link
    while link >= 0:
        chosen.push_back(candidate_at(reference, problem, beam.links[link].position, beam.links[link].choice))
        link = beam.links[link].previous
