"""The sweep from state to state; a twin of `meteorlib.search.weighted.sweep`."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

from meteorlib.compiled.branches cimport Sweep, add_link, arrive, branch_narrow, branch_wide, make_room_for_links
from meteorlib.compiled.candidates cimport Candidate
from meteorlib.compiled.choices cimport Choice, Task, begin_choices, choices_at, survey
from meteorlib.compiled.frontier cimport advance, begin_frontier
from meteorlib.compiled.options cimport end_position, is_alone, mask_choices
from meteorlib.compiled.states cimport (
    CLOSED, NO_CHOICE, Bucket, State, begin_merging, join_kin, make_room, merge_again, merge_state, rank_states,
)
from meteorlib.compiled.steps cimport step
from meteorlib.compiled.words cimport Segment


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
    merge_state(sweep.merger, words)
    if words > 1:
        begin_frontier(sweep)
    sweep.link_count = 0
    sweep.complete = True
    sweep.link = -1


cdef inline int go_to(const Task& task, int32_t position, Sweep& sweep) except -1 nogil:
    """Take the choices of a position, and look at those of the next one."""
    sweep.choices.here.swap(sweep.choices.coming)
    sweep.choices.offered = sweep.choices.next_offered
    if position + 1 < <int32_t>task.reference.words.size():
        choices_at(task, position + 1, sweep.choices)
    else:
        sweep.choices.coming.clear()
        sweep.choices.next_offered = 0


cdef inline int find_bounds(const Task& task, Sweep& sweep) except -1 nogil:
    """For each position, the most that the candidates there and later can add."""
    cdef int32_t position, length = <int32_t>task.reference.words.size()
    cdef size_t index
    cdef int64_t most
    begin_choices(task.hypothesis[0], sweep.choices)
    sweep.bounds.assign(length + 1, 0)
    for position in range(length):
        choices_at(task, position, sweep.choices)
        step(20 * <int64_t>(1 + sweep.choices.coming.size()))
        most = 0
        for index in range(sweep.choices.coming.size()):
            most = max(most, sweep.choices.coming[index].joined)
        sweep.bounds[position] = most
    for position in range(length - 1, -1, -1):
        sweep.bounds[position] += sweep.bounds[position + 1]


cdef inline int find_best(Sweep& sweep) except -1 nogil:
    """The best state behind the last position, the first of equals; without one nothing changes."""
    cdef size_t index, best = 0
    cdef State* states = sweep.merger.states
    if sweep.merger.count == 0:
        return 0
    for index in range(sweep.merger.count):
        if states[index].value > states[best].value:
            best = index
    make_room_for_links(sweep, 1)
    add_link(sweep, states[best])
    sweep.value, sweep.link = states[best].value, states[best].link


cdef inline void leave_behind(int32_t position, Sweep& sweep) noexcept nogil:
    """Drop ranked states that cannot become worth more than what must be beaten."""
    cdef int64_t least = sweep.least - sweep.bounds[position]
    cdef size_t count = sweep.ranking.count
    while count and sweep.merger.states[sweep.ranking.keys[count - 1]].value <= least:
        count -= 1
    sweep.ranking.count = count


cdef inline int branch(int32_t position, Sweep& sweep) except -1 nogil:
    """Make the states of the next position of those that are left."""
    cdef size_t index, count = sweep.ranking.count, words = sweep.choices.words
    cdef const uint64_t* keys = sweep.ranking.keys.data()
    cdef State* states = sweep.merger.states
    cdef State* state
    cdef Bucket* arrived = &sweep.arrivals[(position + 1) & sweep.turns]
    make_room_for_links(sweep, count)
    for index in range(2, sweep.choices.longest + 1 if sweep.choices.longer else 0):
        make_room(sweep.arrivals[(position + index) & sweep.turns], count * sweep.choices.longer, words)
    begin_merging(sweep.after, count * sweep.choices.options.size() + arrived.count, words, sweep.ranking, sweep.merger)
    arrive(arrived[0], position + 1, sweep)
    arrived.count = 0
    for index in range(count):
        state = states + keys[index]
        add_link(sweep, state[0])
        if words == 1:
            branch_narrow(state[0], position, sweep)
        else:
            branch_wide(state[0], position, sweep)
    sweep.here.states.swap(sweep.after.states)
    sweep.here.used.swap(sweep.after.used)


cdef inline int take_alone(int32_t position, Sweep& sweep) except -1 nogil:
    """Take the only choice of a position: `branch` where no state has two children, or uses other words than before."""
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


cdef inline int make_states(
    const Task& task, size_t width, size_t budget, Sweep& sweep
) except -1 nogil:
    """Sweep over all positions.

    Args:
        task: what is to be aligned.
        width: states that are kept at a position; 0: all that may become worth more than `sweep.value`.
        budget: states that may be made; 0: any number.
        sweep: gets the best state; without one, or beyond the budget, it has no match, and its value is what it was.
    """
    cdef int32_t position, length = <int32_t>task.reference.words.size()
    cdef size_t made = 0, here
    cdef bint ranked
    begin_sweep(task.hypothesis[0], sweep)
    ranked = width and sweep.choices.words > 1  # so are all states from the first one on
    sweep.ranking.count = 1
    go_to(task, -1, sweep)
    for position in range(length):
        go_to(task, position, sweep)
        if width and sweep.choices.here.empty() and sweep.arrivals[(position + 1) & sweep.turns].count == 0:
            step(20)  # no chunk is open: nothing changes
            continue
        if not ranked and not rank_states(sweep.merger, task.worth.chunk, width, sweep.ranking):
            sweep.complete = False
        if width == 0:
            leave_behind(position, sweep)
        here = sweep.ranking.count * (sweep.choices.offered + 1)
        made += here
        if budget and made > budget:
            sweep.complete = False
            return 0
        step(<int64_t>(10 * (20 + here + sweep.merger.count) * sweep.choices.words))
        if ranked:
            advance(position, position + 1 == length, task.worth.chunk, width, sweep)
        elif (
            sweep.choices.words == 1
            and sweep.arrivals[(position + 1) & sweep.turns].count == 0
            and is_alone(sweep.choices)
        ):
            take_alone(position, sweep)
        else:
            mask_choices(sweep.choices, position, sweep.turns)
            branch(position, sweep)
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
    const Task& task, size_t width, size_t budget, Sweep& sweep, vector[Candidate]& chosen,
    vector[int32_t]& grades,
) except -1 nogil:
    """Take the beam's answer or, where it left a state out and there is a budget, that of all states.

    Returns:
        0 where the budget was too small, or candidates were left out.
    """
    survey(task, sweep.choices)
    make_states(task, width, 0, sweep)
    follow_links(sweep, chosen, grades)
    if sweep.complete or budget == 0:
        return not sweep.choices.cut
    sweep.least = sweep.value
    find_bounds(task, sweep)
    make_states(task, 0, budget, sweep)
    if sweep.value > sweep.least:
        follow_links(sweep, chosen, grades)
    return sweep.complete and not sweep.choices.cut
