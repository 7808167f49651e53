"""Phrases of the paraphrase table as numbers; see `meteorlib.matchers.paraphrase`."""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.system cimport prefetch, unchanged
from meteorlib.engine.kernel.words cimport Phrase, Place, Segment, Span, room_for, scattered


cdef enum:
    FILES = 3
    ENCLOSING = 12
    FEW = 16  # words that lie in a line or two of the cache

cdef struct Run:  # of words that are a phrase
    int32_t start
    int32_t stop
    Phrase phrase

cdef struct Search:  # for a phrase with one more word among the children of another
    size_t run
    uint32_t word  # its last
    uint32_t low
    uint32_t high
    uint32_t middle  # index of the child that is looked at next
    double density  # children for a number of a word

cdef struct Watched:  # a file that is mapped, and its state as it was verified
    int descriptor
    int64_t size
    int64_t modified
    int64_t changed

cdef struct Table:
    const uint32_t* nodes
    const uint16_t* narrow  # last words of nodes; NULL where they do not fit
    const uint32_t* wide  # likewise
    const uint32_t* targets
    uint32_t count  # of nodes
    uint32_t target_count
    double density  # words have numbers up to its inverse
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
    node = table.nodes + 2 * <size_t>number
    phrase.first_target, phrase.first_child = node[0], node[1]
    phrase.last_target, phrase.last_child = node[2], node[3]
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


cdef inline uint32_t last_word(const Table& table, size_t node) noexcept nogil:
    return table.narrow[node] if table.narrow != NULL else table.wide[node]


cdef inline void fetch_last_word(const Table& table, size_t node) noexcept nogil:
    if table.narrow != NULL:
        prefetch(table.narrow + node)
    else:
        prefetch(table.wide + node)


cdef inline int64_t look_at(const Table& table, Search& search) noexcept nogil:
    """Look at the middle, and leave out what is before it, or what is behind it; how far the word is from it."""
    cdef uint32_t found = last_word(table, search.middle)
    cdef uint32_t is_less = found < search.word
    search.low += (search.middle + 1 - search.low) & (0 - is_less)
    search.high -= (search.high - search.middle) & (is_less - 1)
    return <int64_t>search.word - <int64_t>found


cdef inline void look_next(const Table& table, Search& search, int64_t middle) noexcept nogil:
    """Begin to fetch what is looked at next, which is among what is left, if anything is."""
    middle = max(<int64_t>search.low, min(middle, <int64_t>search.high - 1))
    search.middle = <uint32_t>middle
    fetch_last_word(table, middle)


cdef inline int begin_searches(
    const Segment& segment, const Table& table, Finder& finder, size_t first
) except -1 nogil:
    """Begin a search for each phrase with one more word, of the runs from the first on."""
    cdef size_t index
    cdef const Run* run
    cdef Search search
    finder.searches.clear()
    for index in range(first, finder.runs.size()):
        run = &finder.runs[index]
        if goes_on(segment, run[0]):
            search.run, search.word = index, <uint32_t>segment.words[run.stop].phrase.number
            search.low, search.high = run.phrase.first_child, run.phrase.last_child
            search.density = (search.high - search.low) * table.density
            look_next(table, search, search.low + <int64_t>(search.word * search.density))
            finder.searches.push_back(search)


cdef inline uint32_t count_less(const Table& table, uint32_t first, uint32_t last, uint32_t word) noexcept nogil:
    """Number of nodes whose last word comes before a word."""
    cdef const uint16_t* narrow
    cdef const uint32_t* wide
    cdef uint32_t index, less = 0
    if table.narrow != NULL:
        narrow = table.narrow + first
        for index in range(last - first):
            less += narrow[index] < word
    else:
        wide = table.wide + first
        for index in range(last - first):
            less += wide[index] < word
    return less


cdef inline void search_children(const Table& table, Finder& finder) noexcept nogil:
    """Find the place of each phrase, or where it would stand, all searches step by step.

    Words stand about as dense everywhere, so that a word's place can be guessed, and the guess made better by what is
    there; then the place is enclosed, and halved until few words are left, which are counted.
    """
    cdef size_t index, going = finder.searches.size()
    cdef int64_t away
    cdef Search* search
    for index in range(finder.searches.size()):
        search = &finder.searches[index]
        away = look_at(table, search[0])
        look_next(table, search[0], search.middle + <int64_t>(away * search.density))
    for index in range(finder.searches.size()):
        search = &finder.searches[index]
        if search.low < search.high:
            away = look_at(table, search[0])
            look_next(table, search[0], <int64_t>search.middle + (ENCLOSING if away > 0 else -ENCLOSING))
    while going:
        going = 0
        for index in range(finder.searches.size()):
            search = &finder.searches[index]
            if search.high - search.low > FEW:
                look_at(table, search[0])
                search.middle = (search.low + search.high) >> 1
                fetch_last_word(table, search.middle)
                going += 1
    for index in range(finder.searches.size()):
        search = &finder.searches[index]
        search.low += count_less(table, search.low, search.high, search.word)


cdef inline bint add_runs(const Table& table, Finder& finder) except -1 nogil:
    """Add the phrases that were found to the runs; False where the table is damaged."""
    cdef size_t index, count = 0
    cdef Search search
    cdef Run run
    for index in range(finder.searches.size()):
        search = finder.searches[index]
        if search.low < finder.runs[search.run].phrase.last_child and last_word(table, search.low) == search.word:
            prefetch(table.nodes + 2 * <size_t>search.low)
            finder.searches[count] = search
            count += 1
    for index in range(count):
        run = finder.runs[finder.searches[index].run]
        if not read_phrase(table, <int32_t>finder.searches[index].low, run.phrase):
            return False
        run.stop += 1
        finder.runs.push_back(run)
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
        search_children(table, finder)
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
