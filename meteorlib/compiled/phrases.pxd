"""The paraphrase table: numbers of phrases; see `meteorlib.resources.compiler` and `meteorlib.matchers.paraphrase`."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from meteorlib.compiled.system cimport prefetch, unchanged
from meteorlib.compiled.words cimport FILTER_WORDS, Phrase, Place, Segment, Span


cdef enum:
    RECENT = 1 << 13
    RECENT_SHIFT = 64 - 13
    FILES = 3
    ENCLOSING = 12

cdef struct Longer:  # an answer of the table
    uint64_t asked
    Phrase phrase

cdef struct Run:  # of words that are a phrase
    int32_t start
    int32_t stop
    uint64_t asked  # the phrase and one more word
    uint64_t answer  # where it is remembered
    Phrase phrase

cdef struct Search:  # for a phrase among the children of another
    int32_t run
    uint32_t word  # its last
    uint32_t low
    uint32_t high
    uint32_t middle  # what is looked at next
    double density  # children for a number of a word

cdef struct Watched:  # a file that is mapped, and its state as it was verified
    int descriptor
    int64_t size
    int64_t modified
    int64_t changed

cdef struct Table:
    const uint32_t* nodes
    const uint32_t* last_words
    const uint32_t* targets
    uint32_t count  # of nodes
    uint32_t target_count
    double density  # words have numbers up to its inverse
    Watched files[FILES]

cdef cppclass Finder:
    """A place to look for phrases, and the answers that the table gave last."""
    vector[Longer] recent
    vector[Run] runs
    vector[Run] longer
    vector[Search] searches
    vector[int32_t] begins
    vector[int32_t] longest  # the run of the longest phrase that begins at a position: all others begin like it


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


cdef inline void ask(const Segment& segment, const Finder& finder, Run& run) noexcept nogil:
    """Begin to look for the phrase with one more word: where the answer is if it was given lately."""
    run.asked = ((<uint64_t>run.phrase.number + 1) << 32) | <uint32_t>segment.words[run.stop].phrase.number
    run.answer = (run.asked * <uint64_t>0x9E3779B97F4A7C15) >> RECENT_SHIFT
    prefetch(&finder.recent[run.answer])


cdef inline int64_t look_at(const Table& table, Search& search) noexcept nogil:
    """Look at the middle, and leave out what is before it, or what is behind it; how far the word is from it."""
    cdef uint32_t found = table.last_words[search.middle]
    cdef uint32_t is_less = found < search.word
    search.low += (search.middle + 1 - search.low) & (0 - is_less)
    search.high -= (search.high - search.middle) & (is_less - 1)
    return <int64_t>search.word - <int64_t>found


cdef inline void look_next(const Table& table, Search& search, int64_t middle) noexcept nogil:
    """Begin to fetch what is looked at next, which is among what is left, if anything is."""
    middle = max(<int64_t>search.low, min(middle, <int64_t>search.high - 1))
    search.middle = <uint32_t>middle
    prefetch(table.last_words + middle)


cdef inline int look_up(const Table& table, Finder& finder) except -1 nogil:
    """Take the answers that were given lately, and begin a search for each of the others."""
    cdef size_t index
    cdef Run* run
    cdef Search search
    finder.searches.clear()
    for index in range(finder.longer.size()):
        run = &finder.longer[index]
        if finder.recent[run.answer].asked == run.asked:
            run.phrase = finder.recent[run.answer].phrase
        else:
            search.run, search.low, search.high = <int32_t>index, run.phrase.first_child, run.phrase.last_child
            search.word = <uint32_t>run.asked
            search.density = (search.high - search.low) * table.density
            look_next(table, search, search.low + <int64_t>(search.word * search.density))
            finder.searches.push_back(search)


cdef inline void search_children(const Table& table, Finder& finder) noexcept nogil:
    """Find the phrases, all searches step by step; the number of one that there is not is -1.

    Words stand about as dense everywhere, so that a word's place can be guessed, and the guess made better by what is
    there; then the place is enclosed, and halved.
    """
    cdef size_t index, going = finder.searches.size()
    cdef int64_t away
    cdef Search* search
    cdef Run* run
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
            if search.low < search.high:
                look_at(table, search[0])
                search.middle = (search.low + search.high) >> 1
                prefetch(table.last_words + search.middle)
                going += 1
    for index in range(finder.searches.size()):
        search = &finder.searches[index]
        run = &finder.longer[search.run]
        run.phrase.number = -1
        if search.low < run.phrase.last_child and table.last_words[search.low] == search.word:
            run.phrase.number = <int32_t>search.low
            prefetch(table.nodes + 2 * <size_t>search.low)
        run.phrase.last_child = 0  # not complete


cdef inline bint remember(const Table& table, Finder& finder, Run& run) noexcept nogil:
    """Remember an answer that was searched for; False where it leads out of the table."""
    if finder.recent[run.answer].asked != run.asked or run.phrase.last_child == 0:
        if not read_phrase(table, run.phrase.number, run.phrase):
            return False
        finder.recent[run.answer].asked, finder.recent[run.answer].phrase = run.asked, run.phrase
    run.stop += 1
    return True


cdef inline bint find_runs(const Segment& segment, const Table& table, Finder& finder) except -1 nogil:
    """All phrases that stand in a segment, by length; False where the table is damaged.

    Every step is taken for all phrases of a length before the next one, so that they wait for the memory together.
    """
    cdef int32_t start
    cdef size_t index, first = 0, last
    cdef Run run
    finder.runs.clear()
    for start in range(<int32_t>segment.words.size()):
        if segment.words[start].phrase.number >= 0:
            run.start, run.stop, run.phrase = start, start + 1, segment.words[start].phrase
            finder.runs.push_back(run)
    while first < finder.runs.size():
        last = finder.runs.size()
        finder.longer.clear()
        for index in range(first, last):
            if goes_on(segment, finder.runs[index]):
                finder.longer.push_back(finder.runs[index])
                ask(segment, finder, finder.longer.back())
        look_up(table, finder)
        search_children(table, finder)
        for index in range(finder.longer.size()):
            if not remember(table, finder, finder.longer[index]):
                return False
            if finder.longer[index].phrase.number >= 0:
                finder.runs.push_back(finder.longer[index])
        first = last
    return True


cdef inline int find_openings(Segment& segment, Finder& finder) except -1 nogil:
    """Tell places of words apart by the phrases that begin there."""
    cdef size_t index
    cdef int32_t first = 0, number = -1, length = 0
    cdef Place place
    cdef Run* longest
    finder.longest.assign(segment.words.size(), -1)
    for index in range(finder.runs.size()):
        finder.longest[finder.runs[index].start] = <int32_t>index
    for index in range(segment.phrases.size()):
        place = segment.phrases[index]
        longest = &finder.runs[finder.longest[place.start]]
        # the number tells the length, too, but only in a table that nobody writes to
        if longest.phrase.number == <int32_t>place.phrase and longest.stop - longest.start == place.length:
            if number != <int32_t>place.phrase or length != place.length:
                number, length, first = place.phrase, place.length, place.start
            segment.openings[place.start] = first


cdef inline bint find_phrases(Segment& segment, const Table& table, Finder& finder) except -1 nogil:
    """Every phrase of the table that stands in the segment; False where the table is damaged."""
    cdef size_t index
    cdef int32_t start
    cdef Run* run
    cdef Place place
    cdef Span span
    if finder.recent.empty():
        finder.recent.resize(RECENT)
    if not find_runs(segment, table, finder):
        return False
    finder.begins.assign(segment.words.size() + 1, 0)
    segment.phrases.clear()
    segment.phrases.reserve(finder.runs.size())
    for index in range(finder.runs.size()):
        run = &finder.runs[index]
        place.phrase, place.start, place.length = <uint32_t>run.phrase.number, run.start, run.stop - run.start
        segment.phrases.push_back(place)
        segment.filter[(place.phrase >> 6) & (FILTER_WORDS - 1)] |= <uint64_t>1 << (place.phrase & 63)
        if run.phrase.first_target != run.phrase.last_target:
            finder.begins[run.start + 1] += 1
    sort(segment.phrases.begin(), segment.phrases.end())
    find_openings(segment, finder)
    for start in range(<int32_t>segment.words.size()):
        finder.begins[start + 1] += finder.begins[start]
    segment.spans.resize(finder.begins[segment.words.size()])
    for index in range(finder.runs.size()):
        run = &finder.runs[index]
        if run.phrase.first_target != run.phrase.last_target:
            span.start, span.length = run.start, run.stop - run.start
            span.first_target, span.last_target = run.phrase.first_target, run.phrase.last_target
            segment.spans[finder.begins[run.start]] = span
            finder.begins[run.start] += 1
    return True
