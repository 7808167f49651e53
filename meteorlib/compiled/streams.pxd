"""The children of the paths of METEOR 1.5's beam, best first: sorted streams are merged; see `beam.pxd`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libcpp cimport bool

from meteorlib.compiled.candidates cimport Candidate, Problem, Unit, phrases_at, units_at
from meteorlib.compiled.paths cimport KEPT, UNMATCHED, Beam, Child, Entry, Path, Stream, is_used, rank_of, used_by
from meteorlib.compiled.steps cimport go_on, step
from meteorlib.compiled.words cimport Segment


cdef enum:
    LOOK_EVERY = 16  # open positions


cdef inline int find_common(Beam& beam) except -1 nogil:
    """The words that all paths have used; their children have used them, too, so that it is enough to look at times."""
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
        if is_used(used, word):
            return False
    return True


cdef inline int list_entries(
    const Segment& reference, const Problem& problem, int32_t position, Beam& beam
) except -1 nogil:
    """List the candidates of a position that a path may take."""
    cdef int32_t word = reference.which[position], index
    cdef const Unit* units = problem.units.data() + problem.unit_begins[word]
    cdef int32_t count = units_at(reference, problem, position)
    cdef const Candidate* phrases = problem.phrases.data() + problem.phrase_begins[reference.openings[position]]
    cdef Entry entry
    cdef Entry* before
    beam.entries.clear()
    entry.words, entry.later_gain, entry.end, entry.next = 1, 0, 0, -1
    for index in range(count):
        entry.start = units[index].start
        if not is_used(beam.everywhere.data(), entry.start):
            entry.gain, entry.choice = beam.word_ranks[units[index].stage], index
            entry.distance = abs(position - entry.start)
            beam.entries.push_back(entry)
    for index in range(phrases_at(reference, problem, position)):
        entry.start, entry.words = phrases[index].start, phrases[index].words
        if can_take(beam.everywhere.data(), entry):
            entry.gain, entry.choice = rank_of(beam, phrases[index]), count + index
            entry.distance = abs(position - entry.start)
            beam.entries.push_back(entry)
    for index in range(<int32_t>beam.entries.size() - 1, -1, -1):
        before = &beam.entries[index]
        before.end = index + 1
        if before.end < <int32_t>beam.entries.size():
            before.later_gain = max(before[1].gain, before[1].later_gain)
            if before[1].gain == before.gain:
                before.end = before[1].end
        before.next = beam.heads[before.start]
        beam.heads[before.start] = index


cdef inline bool is_before(const Stream& one, const Stream& other) noexcept nogil:
    if one.rank != other.rank:
        return one.rank < other.rank
    if one.distance != other.distance:
        return one.distance < other.distance
    return one.parent < other.parent or (one.parent == other.parent and one.index < other.index)


cdef inline int add_stream(Beam& beam, const Stream& stream) except -1 nogil:
    """Put a stream into the heap."""
    cdef size_t place = beam.streams.size(), above
    beam.streams.push_back(stream)
    while place > 0:
        above = (place - 1) >> 1
        if not is_before(stream, beam.streams[above]):
            break
        beam.streams[place] = beam.streams[above]
        place = above
    beam.streams[place] = stream


cdef inline void replace_first(Beam& beam, const Stream& stream) noexcept nogil:
    """Put a stream in the place of the first one of the heap."""
    cdef size_t place = 0, below = 1, count = beam.streams.size()
    cdef Stream* streams = beam.streams.data()
    while below < count:
        if below + 1 < count and is_before(streams[below + 1], streams[below]):
            below += 1
        if not is_before(streams[below], stream):
            break
        streams[place] = streams[below]
        place, below = below, 2 * below + 1
    streams[place] = stream


cdef inline void drop_first(Beam& beam) noexcept nogil:
    cdef Stream last = beam.streams.back()
    beam.streams.pop_back()
    if not beam.streams.empty():
        replace_first(beam, last)


cdef inline bool find_next(const Beam& beam, const uint64_t* used, int32_t open_, Stream& stream) noexcept nogil:
    """Go on to the next entry that the path of a stream can take; False: there is none."""
    cdef const Entry* entry
    while stream.index < stream.end:
        entry = &beam.entries[stream.index]
        if can_take(used, entry[0]):
            if entry.start != open_ or stream.joins:
                return True
            stream.distance += entry.distance
        stream.index += 1
    return False


cdef inline int open_streams(Beam& beam, int32_t position, int32_t parent) except -1 nogil:
    """Begin the streams of a path."""
    cdef Path* path = &beam.paths[parent]
    cdef int64_t close = 1 if path.open >= 0 else 0
    cdef int32_t joining, count = <int32_t>beam.entries.size()
    cdef Stream stream
    stream.rank, stream.distance, stream.parent = path.rank, path.distance, parent
    stream.known, stream.joins = True, False
    stream.index, stream.end = KEPT, count
    if path.end > position:
        add_stream(beam, stream)
        return 0
    stream.index, stream.end = 0, 0
    if count:
        stream.end = beam.entries[0].end
        stream.rank = path.rank - beam.entries[0].gain + close
        if find_next(beam, used_by(beam, path[0]), path.open, stream):
            add_stream(beam, stream)
    stream.known = False
    stream.index, stream.distance = stream.end, path.distance
    stream.rank = path.rank + close - (beam.entries[stream.end - 1].later_gain if count else 0)
    add_stream(beam, stream)
    joining = beam.heads[path.open] if path.open >= 0 else -1
    while joining >= 0:
        stream.joins, stream.index, stream.end = True, joining, joining + 1
        stream.rank = path.rank - beam.entries[joining].gain
        add_stream(beam, stream)
        joining = beam.entries[joining].next


cdef inline int make_known(Beam& beam) except -1 nogil:
    """Find out where the first stream of the heap begins."""
    cdef Stream stream = beam.streams[0], rest
    cdef Path* path = &beam.paths[stream.parent]
    cdef const uint64_t* used = used_by(beam, path[0])
    cdef int64_t close = 1 if path.open >= 0 else 0
    cdef int32_t index
    for index in range(stream.index):
        if can_take(used, beam.entries[index]):
            stream.distance += beam.entries[index].distance
    stream.known = True
    if stream.joins or stream.index == <int32_t>beam.entries.size():
        if not stream.joins or can_take(used, beam.entries[stream.index]):
            replace_first(beam, stream)
        else:
            drop_first(beam)
        return 0
    rest = stream
    rest.known, rest.index, rest.distance = False, beam.entries[stream.index].end, path.distance
    rest.rank = path.rank + close - beam.entries[rest.index - 1].later_gain
    replace_first(beam, rest)
    stream.rank, stream.end = path.rank + close - beam.entries[stream.index].gain, rest.index
    if find_next(beam, used, path.open, stream):
        add_stream(beam, stream)


cdef inline int take_child(Beam& beam) except -1 nogil:
    """Make the next child of the first stream."""
    cdef Stream stream = beam.streams[0]
    cdef Path* path = &beam.paths[stream.parent]
    cdef Child child
    child.rank, child.distance, child.parent = stream.rank, stream.distance, stream.parent
    if stream.index == KEPT or stream.index == <int32_t>beam.entries.size():
        child.choice = KEPT if stream.index == KEPT else UNMATCHED
        drop_first(beam)
    else:
        child.choice = beam.entries[stream.index].choice
        stream.distance += beam.entries[stream.index].distance
        stream.index += 1
        if find_next(beam, used_by(beam, path[0]), path.open, stream):
            replace_first(beam, stream)
        else:
            drop_first(beam)
    beam.children.push_back(child)


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
    beam.streams.clear()
    for parent in range(<int32_t>beam.paths.size()):
        open_streams(beam, position, parent)
    go_on(taken, 4 * <int64_t>(beam.entries.size() + beam.paths.size() * (8 + beam.words)))
    while beam.children.size() < beam.width and not beam.streams.empty():
        if beam.streams[0].known:
            take_child(beam)
        else:
            go_on(taken, 2 * <int64_t>beam.streams[0].index)
            make_known(beam)
    for index in range(beam.entries.size()):
        beam.heads[beam.entries[index].start] = -1
    step(taken)
