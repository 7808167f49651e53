"""Phrases of the paraphrase table as numbers; see `meteorlib.matchers.paraphrase`."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.system cimport prefetch, unchanged
from meteorlib.engine.kernel.words.words cimport Phrase, Place, Segment, Span, room_for, scattered


cdef enum:
    FILES = 3

cdef struct Run:  # of words that are a phrase
    int32_t start
    int32_t stop
    Phrase phrase

cdef struct Search:  # for a phrase with one more word
    uint32_t run
    uint32_t word  # its last
    uint32_t place  # in the table of children
    uint32_t mark  # bits of its hash, as they stand there

cdef struct Watched:  # a file that is mapped, and its state as it was verified
    int descriptor
    int64_t size
    int64_t modified
    int64_t changed

cdef struct Table:
    const uint32_t* nodes  # three numbers of each: first target, first child, last word
    const uint32_t* targets
    uint32_t count  # of nodes
    uint32_t target_count
    const uint32_t* children  # a hash table of nodes; see `meteorlib.resources.paraphrase_compiler`
    uint32_t room  # of its places, those where a search begins
    uint32_t child_places
    int bits  # of the number of a node
    Watched files[FILES]

cdef cppclass Finder:
    """A place to look for phrases."""
    vector[Run] runs
    vector[Search] searches
    vector[int32_t] begins
    vector[int32_t] longest  # the run of the longest phrase that begins at a position: all others begin like it
    vector[int32_t] slots


cdef inline bint is_unchanged(const Table& table) noexcept nogil:
    """Whether nobody has touched the files since they were verified."""
    cdef const Watched* file
    cdef int index
    for index in range(FILES):
        file = &table.files[index]
        if file.descriptor >= 0 and not unchanged(file.descriptor, file.size, file.modified, file.changed):
            return False
    return True


cdef inline bint read_phrase(const Table& table, int32_t number, Phrase& phrase) noexcept nogil:
    """All about a phrase; False where that leads out of the table."""
    cdef const uint32_t* node
    phrase.number = number
    if number < 0:
        phrase.first_child = phrase.last_child = phrase.first_target = phrase.last_target = 0
        return True
    if <uint32_t>number >= table.count:
        return False
    node = table.nodes + 3 * <size_t>number
    phrase.first_target, phrase.first_child = node[0], node[1]
    phrase.last_target, phrase.last_child = node[3], node[4]
    return (
        phrase.first_child <= phrase.last_child <= table.count
        and phrase.first_target <= phrase.last_target <= table.target_count
    )


cdef inline bint goes_on(const Segment& segment, const Run& run) noexcept nogil:
    """Whether there may be a longer phrase."""
    return (
        run.phrase.first_child != run.phrase.last_child
        and run.stop < <int32_t>segment.words.size()
        and segment.words[run.stop].phrase.number >= 0
    )


cdef inline int begin_searches(
    const Segment& segment, const Table& table, Finder& finder, size_t first
) except -1 nogil:
    """Begin a search for each phrase with one more word, of the runs from the first on."""
    cdef size_t index, count = 0
    cdef uint64_t hash
    cdef const Run* run
    cdef Search* search
    finder.searches.resize(finder.runs.size() - first)
    for index in range(first, finder.runs.size()):
        run = &finder.runs[index]
        if goes_on(segment, run[0]):
            search = &finder.searches[count]
            search.run, search.word = <uint32_t>index, <uint32_t>segment.words[run.stop].phrase.number
            hash = (<uint64_t>run.phrase.number << 32 | search.word) * <uint64_t>0x9E3779B97F4A7C15
            hash = (hash ^ (hash >> 32)) * <uint64_t>0x9E3779B97F4A7C15
            search.place, search.mark = <uint32_t>((hash >> 32) * table.room >> 32), <uint32_t>(hash << table.bits)
            prefetch(table.children + search.place)
            count += 1
    finder.searches.resize(count)


cdef inline uint32_t node_at(const Table& table, uint32_t place) noexcept nogil:
    return table.children[place] & <uint32_t>((<uint64_t>1 << table.bits) - 1)


cdef inline uint32_t next_marked(const Table& table, uint32_t place, uint32_t mark) noexcept nogil:
    """The next place, from `place` on, of a node with these bits of the hash; `child_places`: there is none."""
    while place < table.child_places and table.children[place]:
        if table.children[place] - node_at(table, place) == mark:
            return place
        place += 1
    return table.child_places


cdef inline void find_marked(const Table& table, Finder& finder) noexcept nogil:
    """Leave the searches that may find a node, and begin to fetch these nodes."""
    cdef size_t index, count = 0
    cdef Search search
    for index in range(finder.searches.size()):
        search = finder.searches[index]
        search.place = next_marked(table, search.place, search.mark)
        if search.place != table.child_places:
            prefetch(table.nodes + 3 * <size_t>node_at(table, search.place))
            finder.searches[count] = search
            count += 1
    finder.searches.resize(count)


cdef inline bint add_runs(const Table& table, Finder& finder) except -1 nogil:
    """Add the phrases that are found to the runs; False where the table is damaged."""
    cdef size_t index
    cdef uint32_t node
    cdef Search search
    cdef Run run
    for index in range(finder.searches.size()):
        search = finder.searches[index]
        run = finder.runs[search.run]
        while search.place != table.child_places:
            node = node_at(table, search.place)
            if run.phrase.first_child <= node < run.phrase.last_child and table.nodes[3 * <size_t>node + 2] == search.word:
                if not read_phrase(table, <int32_t>node, run.phrase):
                    return False
                run.stop += 1
                finder.runs.push_back(run)
                break
            search.place = next_marked(table, search.place + 1, search.mark)
    return True


cdef inline bint find_runs(const Segment& segment, const Table& table, Finder& finder) except -1 nogil:
    """All phrases that stand in a segment, by length, then start; False where the table is damaged.

    Every step is taken for all phrases of a length before the next one, so that they wait for the memory together.
    """
    cdef int32_t start
    cdef size_t first = 0, last
    cdef Run run
    finder.runs.clear()
    for start in range(<int32_t>segment.words.size()):
        if segment.words[start].phrase.number >= 0:
            run.start, run.stop, run.phrase = start, start + 1, segment.words[start].phrase
            finder.runs.push_back(run)
    while first < finder.runs.size():
        last = finder.runs.size()
        begin_searches(segment, table, finder, first)
        find_marked(table, finder)
        if not add_runs(table, finder):
            return False
        first = last
    return True


cdef inline bint is_same_phrase(const Run& run, const Run& other) noexcept nogil:
    """The number tells the length, too, but only in a table that nobody writes to."""
    return run.phrase.number == other.phrase.number and run.stop - run.start == other.stop - other.start


cdef inline int find_openings(Segment& segment, Finder& finder) except -1 nogil:
    """Tell places of words apart by the phrases that begin there."""
    cdef size_t index, slot, mask
    cdef int32_t position, length = <int32_t>segment.words.size()
    cdef const Run* longest
    finder.longest.assign(length, -1)
    for index in range(finder.runs.size()):
        finder.longest[finder.runs[index].start] = <int32_t>index
    finder.slots.assign(room_for(length), -1)
    mask = finder.slots.size() - 1
    for position in range(length):
        if finder.longest[position] < 0:
            continue
        longest = &finder.runs[finder.longest[position]]
        slot = scattered(longest.phrase.number) & mask
        while finder.slots[slot] >= 0 and not is_same_phrase(finder.runs[finder.slots[slot]], longest[0]):
            slot = (slot + 1) & mask
        if finder.slots[slot] < 0:
            finder.slots[slot] = finder.longest[position]
        segment.openings[position] = finder.runs[finder.slots[slot]].start


cdef inline bint find_phrases(Segment& segment, const Table& table, Finder& finder) except -1 nogil:
    """Every phrase of the table that stands in the segment; False where the table is damaged."""
    cdef size_t index
    cdef int32_t start
    cdef Run* run
    cdef Place place
    cdef Span span
    if not find_runs(segment, table, finder):
        return False
    finder.begins.assign(segment.words.size() + 1, 0)
    segment.phrases.clear()
    segment.phrases.reserve(finder.runs.size())
    for index in range(finder.runs.size()):
        run = &finder.runs[index]
        place.phrase, place.start, place.length = <uint32_t>run.phrase.number, run.start, run.stop - run.start
        segment.phrases.push_back(place)
        if run.phrase.first_target != run.phrase.last_target:
            finder.begins[run.start + 1] += 1
    find_openings(segment, finder)
    for start in range(<int32_t>segment.words.size()):
        finder.begins[start + 1] += finder.begins[start]
    segment.spans.resize(finder.begins[segment.words.size()])
    for index in range(finder.runs.size()):
        run = &finder.runs[index]
        if run.phrase.first_target != run.phrase.last_target:
            span.start, span.length = run.start, run.stop - run.start
            span.first_target, span.last_target = run.phrase.first_target, run.phrase.last_target
            prefetch(table.targets + span.first_target)
            prefetch(table.targets + span.last_target - 1)
            segment.spans[finder.begins[run.start]] = span
            finder.begins[run.start] += 1
    return True
