"""The sweep from state to state; a twin of `meteorlib.search.weighted.sweep`."""

from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from meteorlib.compiled.branches cimport Sweep, add_link, branch_narrow, branch_wide
from meteorlib.compiled.candidates cimport Candidate
from meteorlib.compiled.choices cimport Task, begin_choices, choices_at, end_position, mask_choices, survey
from meteorlib.compiled.states cimport (
    CLOSED, NO_CHOICE, Bucket, State, drop_beaten, make_room, merge_states, rank_states, used_by,
)
from meteorlib.compiled.steps cimport step
from meteorlib.compiled.words cimport Segment


cdef inline int begin_sweep(const Segment& hypothesis, Sweep& sweep) except -1 nogil:
    """Begin with one state, which has nothing."""
    cdef State* state
    cdef size_t index, turns = 2
    begin_choices(hypothesis, sweep.choices)
    while turns <= sweep.choices.longest:
        turns *= 2
    if sweep.buckets.size() < turns:
        sweep.buckets.resize(turns)
        sweep.offered.resize(turns)
    sweep.turns = turns - 1
    for index in range(sweep.buckets.size()):
        sweep.buckets[index].count = 0
    make_room(sweep.buckets[0], 1, sweep.choices.words)
    sweep.buckets[0].count = 1
    state = &sweep.buckets[0].states[0]
    state.value, state.used, state.open, state.link, state.choice = 0, 0, CLOSED, -1, NO_CHOICE
    for index in range(sweep.choices.words if sweep.choices.words > 1 else 0):
        sweep.buckets[0].used[index] = 0
    sweep.links.clear()
    sweep.starts.assign(hypothesis.words.size() + 1, -1)
    sweep.complete = True
    sweep.link = -1


cdef inline void close_chunks(Bucket& bucket, int32_t position, Sweep& sweep) noexcept nogil:
    """A chunk that no candidate of a position continues is not open."""
    cdef size_t index
    cdef State* states = bucket.states.data()
    cdef int32_t* starts = sweep.starts.data()
    for index in range(sweep.choices.options.size()):
        starts[sweep.choices.options[index].start] = position
    for index in range(bucket.count):
        if states[index].open >= 0 and starts[states[index].open] != position:
            states[index].open = CLOSED


cdef inline bint pass_on(int32_t position, Sweep& sweep) noexcept nogil:
    """Take all states on from a position without a candidate, if none is at the next one yet; they are merged there."""
    cdef Bucket* bucket = &sweep.buckets[position & sweep.turns]
    cdef Bucket* after = &sweep.buckets[(position + 1) & sweep.turns]
    cdef size_t index
    if after.count:
        return False
    for index in range(bucket.count):
        bucket.states[index].open = CLOSED
    after.states.swap(bucket.states)
    after.used.swap(bucket.used)
    after.count, bucket.count = bucket.count, 0
    return True


cdef inline int find_bounds(const Task& task, Sweep& sweep) except -1 nogil:
    """For each position, the most that the candidates there and later can add."""
    cdef int32_t position, length = <int32_t>task.reference.words.size()
    cdef size_t index
    cdef int64_t most
    begin_choices(task.hypothesis[0], sweep.choices)
    sweep.bounds.assign(length + 1, 0)
    for position in range(length):
        choices_at(task, position, sweep.choices)
        step(20 * <int64_t>(1 + sweep.choices.here.size()))
        most = 0
        for index in range(sweep.choices.here.size()):
            most = max(most, sweep.choices.here[index].joined)
        sweep.bounds[position] = most
    for position in range(length - 1, -1, -1):
        sweep.bounds[position] += sweep.bounds[position + 1]


cdef inline int find_best(Bucket& bucket, Sweep& sweep) except -1 nogil:
    """The best state of the last bucket, the first of equals; without one nothing changes."""
    cdef size_t index, best = 0
    if bucket.count == 0:
        return 0
    for index in range(bucket.count):
        if bucket.states[index].value > bucket.states[best].value:
            best = index
    add_link(sweep, bucket.states[best])
    sweep.value, sweep.link = bucket.states[best].value, bucket.states[best].link


cdef inline int leave_behind(const Bucket& bucket, int32_t position, Sweep& sweep) except -1 nogil:
    """Drop ranked states that cannot become worth more than what must be beaten."""
    cdef int64_t least = sweep.least - sweep.bounds[position]
    while sweep.ranking.keys.size() and bucket.states[sweep.ranking.keys.back()].value <= least:
        sweep.ranking.keys.pop_back()


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
    cdef size_t index, turn, here, made = 0, words = sweep.choices.words
    cdef Bucket* bucket
    cdef State* state
    begin_sweep(task.hypothesis[0], sweep)
    for position in range(length):
        turn = position & sweep.turns
        choices_at(task, position, sweep.choices)
        if width and sweep.choices.here.empty() and pass_on(position, sweep):
            step(20)
            continue
        mask_choices(sweep.choices, position, sweep.turns)
        bucket = &sweep.buckets[turn]
        close_chunks(bucket[0], position, sweep)
        merge_states(bucket[0], words, sweep.ranking)
        drop_beaten(bucket[0], task.worth.chunk, sweep.ranking)
        if not rank_states(bucket[0], width, sweep.ranking):
            sweep.complete = False
        if width == 0:
            leave_behind(bucket[0], position, sweep)
        here = sweep.ranking.keys.size() * (sweep.choices.here.size() + 1)
        made += here
        if budget and made > budget:
            sweep.complete = False
            return 0
        step(<int64_t>(10 * (20 + here + bucket.count) * words))
        for index in range(sweep.ranking.keys.size()):
            add_link(sweep, bucket.states[sweep.ranking.keys[index]])
        for index in range(1, sweep.choices.longest + 1):
            make_room(sweep.buckets[(position + index) & sweep.turns], here, words)
        for index in range(sweep.ranking.keys.size()):
            state = &bucket.states[sweep.ranking.keys[index]]
            if words == 1:
                branch_narrow(state[0], position, sweep)
            else:
                branch_wide(state[0], used_by(bucket[0], state[0], words), position, sweep)
        bucket.count = 0
        sweep.offered[turn].swap(sweep.choices.here)
        end_position(sweep.choices)
    find_best(sweep.buckets[length & sweep.turns], sweep)


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
    """The beam and, where it left a state out and there is a budget, all states; 0 where that was too small."""
    survey(task, sweep.choices)
    make_states(task, width, 0, sweep)
    follow_links(sweep, chosen, grades)
    if sweep.complete or budget == 0:
        return True
    sweep.least = sweep.value
    find_bounds(task, sweep)
    make_states(task, 0, budget, sweep)
    if sweep.value > sweep.least:
        follow_links(sweep, chosen, grades)
    return sweep.complete
