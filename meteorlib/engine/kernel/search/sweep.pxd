"""The weighted sweep over states; the compiled form of `meteorlib.search.weighted`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.search.expansion cimport Sweep, add_link, arrive, branch, make_room_for_links
from meteorlib.engine.kernel.match.candidates cimport Candidate
from meteorlib.engine.kernel.search.choices cimport Choice, Task, begin_choices, choices_at, survey
from meteorlib.engine.kernel.search.frontier cimport advance, begin_frontier
from meteorlib.engine.kernel.search.extensions cimport end_position, find_extensions, is_uncontested
from meteorlib.engine.kernel.search.states cimport (
    CLOSED, NO_CHOICE, Bucket, Merger, State, begin_merging, join_kin, make_room, merge_again, merge_state, merged,
)
from meteorlib.engine.kernel.steps cimport step
from meteorlib.engine.kernel.words.words cimport Segment


cdef inline int begin_sweep(const Segment& hypothesis, Sweep& sweep) except -1 nogil:
    """Begin with one state, which has nothing."""
    cdef State* state
    cdef size_t index, turns = 2, words = sweep.choices.words
    begin_choices(hypothesis, sweep.choices)
    while turns <= sweep.choices.longest:
        turns *= 2
    if sweep.arrivals.size() < turns:
        sweep.arrivals.resize(turns)
        sweep.offered.resize(turns)
    sweep.turns = turns - 1
    for index in range(sweep.arrivals.size()):
        sweep.arrivals[index].count = 0
    begin_merging(sweep.here, 1, words, sweep.ranking, sweep.merger)
    state = sweep.merger.states
    state.value, state.used, state.open, state.link, state.choice = 0, 0, CLOSED, -1, NO_CHOICE
    for index in range(words if words > 1 else 0):
        sweep.merger.used[index] = 0
    merge_state(sweep.merger)
    if words > 1:
        begin_frontier(sweep)
    sweep.ranking.count = 1
    sweep.link_count = 0


cdef inline int find_best(Sweep& sweep) except -1 nogil:
    """The best state behind the last position, the first of equals."""
    cdef size_t index, best = 0
    cdef State* states = sweep.merger.states
    for index in range(sweep.merger.count):
        if states[index].value > states[best].value:
            best = index
    make_room_for_links(sweep, 1)
    add_link(sweep, states[best])
    sweep.link = states[best].link


cdef inline int advance_narrow(int32_t position, Sweep& sweep) except -1 nogil:
    """Make the states of the next position of those that are left, where a set is one machine word."""
    cdef size_t index, count = sweep.ranking.count
    cdef const uint64_t* keys = sweep.ranking.keys.data()
    cdef State* states = sweep.merger.states
    cdef State* state
    cdef Bucket* arrived = &sweep.arrivals[(position + 1) & sweep.turns]
    cdef Merger merger  # a copy, which nothing else can change
    make_room_for_links(sweep, count)
    for index in range(2, sweep.choices.longest + 1 if sweep.choices.longer else 0):
        make_room(sweep.arrivals[(position + index) & sweep.turns], count * sweep.choices.longer, 1)
    begin_merging(sweep.after, count * sweep.choices.extensions.size() + arrived.count, 1, sweep.ranking, sweep.merger)
    arrive(arrived[0], position + 1, sweep)
    arrived.count = 0
    merger = sweep.merger
    for index in range(count):
        state = states + keys[index]
        add_link(sweep, state[0])
        branch(state[0], position, sweep, merger)
    sweep.merger = merger
    sweep.here.states.swap(sweep.after.states)


cdef inline int take_uncontested(int32_t position, Sweep& sweep) except -1 nogil:
    """Take the only choice of a position in every state: none has two children, or uses other words than before."""
    cdef size_t index, count = sweep.ranking.count
    cdef const uint64_t* keys = sweep.ranking.keys.data()
    cdef const Choice* choice = sweep.choices.here.data()
    cdef int32_t start = choice.candidate.start, open_ = start + choice.candidate.words
    cdef State* states = sweep.merger.states
    cdef State* state
    cdef State* child
    if sweep.choices.starts[open_] != position + 1:
        open_ = CLOSED
    make_room_for_links(sweep, count)
    merge_again(sweep.after, count, sweep.merger)
    for index in range(count):
        state = states + keys[index]
        add_link(sweep, state[0])
        child = sweep.merger.states + sweep.merger.count
        child.value = state.value + (choice.joined if start == state.open else choice.apart)
        child.used, child.open, child.link = state.used, open_, state.link
        child.choice, child.position = 0, position
        join_kin(sweep.merger, state.kin)
    sweep.here.states.swap(sweep.after.states)
    sweep.here.used.swap(sweep.after.used)


cdef inline int sweep(const Task& task, size_t width, Sweep& sweep) except -1 nogil:
    """Sweep over all positions; `width` states are kept at each of them."""
    cdef int32_t position, length = <int32_t>task.reference.words.size()
    cdef bint wide = sweep.choices.words > 1  # then the frontier ranks states as it makes them
    sweep.merger.chunk = task.valuation.chunk
    begin_sweep(task.hypothesis[0], sweep)
    if length:
        choices_at(task, 0, sweep.choices)
    for position in range(length):
        sweep.choices.here.swap(sweep.choices.coming)
        sweep.choices.coming.clear()
        if position + 1 < length:
            choices_at(task, position + 1, sweep.choices)
        if sweep.choices.here.empty() and sweep.arrivals[(position + 1) & sweep.turns].count == 0:
            step(20)  # no chunk is open: nothing changes
            continue
        if not wide:
            merged(sweep.merger, width, sweep.ranking)
        step(<int64_t>(
            10 * sweep.choices.words
            * (20 + sweep.merger.count + sweep.ranking.count * (sweep.choices.here.size() + 1))
        ))
        if wide:
            advance(position, task.valuation.chunk, width, sweep)
        elif sweep.arrivals[(position + 1) & sweep.turns].count == 0 and is_uncontested(sweep.choices):
            take_uncontested(position, sweep)
        else:
            find_extensions(sweep.choices, position, sweep.turns)
            advance_narrow(position, sweep)
        sweep.offered[position & sweep.turns].swap(sweep.choices.here)
        end_position(sweep.choices)
    find_best(sweep)


cdef inline int follow_links(
    const Sweep& sweep, vector[Candidate]& chosen, vector[int32_t]& grades
) except -1 nogil:
    """The matches of the best state, in reference order."""
    cdef int32_t link = sweep.link
    cdef size_t count = 0
    while link >= 0:
        count += 1
        link = sweep.links[link].previous
    chosen.resize(count)
    grades.resize(count)
    link = sweep.link
    while link >= 0:
        count -= 1
        chosen[count], grades[count] = sweep.links[link].candidate, sweep.links[link].grade
        link = sweep.links[link].previous


cdef inline int search_weighted(
    const Task& task, size_t width, Sweep& it, vector[Candidate]& chosen, vector[int32_t]& grades, bool& optimal
) except -1 nogil:
    """Find the matches of the best state; `optimal` unless candidates were left out of consideration."""
    survey(task, it.choices)
    sweep(task, width, it)
    optimal = not it.choices.cut
    follow_links(it, chosen, grades)
