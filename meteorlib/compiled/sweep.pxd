"""The sweep from state to state; a twin of `meteorlib.search.weighted.sweep`."""

from libc.stdint cimport INT32_MAX, UINT32_MAX, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcmp
from libcpp cimport bool
from libcpp.algorithm cimport partial_sort, sort
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport Candidate, no_room
from meteorlib.compiled.choices cimport (
    Choice, Choices, Task, begin_choices, choices_at, end_position, mask_choices, survey,
)
from meteorlib.compiled.steps cimport step
from meteorlib.compiled.words cimport Segment, room_for


cdef enum:
    CLOSED = -1

cdef struct State:
    int64_t value
    uint64_t used  # bits of words; where they need more of them, which row of `Bucket.used` they are
    int32_t open
    int32_t link  # -1: no match

cdef struct Taken:  # a match of a state
    Candidate candidate
    int32_t grade
    int32_t previous

cdef struct Seen:  # a slot of the table of states that are merged
    uint32_t stamp
    int32_t kept

cdef extern from *:
    """
    struct MeteorStanding { int64_t value; int64_t index; };
    static inline bool operator<(const MeteorStanding& a, const MeteorStanding& b) {
        return a.value > b.value || (a.value == b.value && a.index < b.index);
    }
    """
    cdef struct Standing "MeteorStanding":  # a state of a bucket; the best are first
        int64_t value
        int64_t index

cdef cppclass Bucket:
    """The states that have come to a position."""
    vector[State] states
    vector[uint64_t] used

cdef cppclass Sweep:
    """The states of a sweep, and what they are made from."""
    Choices choices
    vector[Bucket] buckets  # in turns: a power of two of them
    size_t turns  # what a position is masked with
    vector[Taken] links
    vector[Standing] standings
    vector[Seen] seen
    vector[int32_t] starts  # for each hypothesis position, the last position with a candidate that starts there
    vector[int64_t] bounds  # for each position, the most that is to be had there and later
    int64_t least  # what must be beaten
    uint32_t stamp
    int64_t value  # of the best
    int32_t link
    bool complete


cdef inline uint64_t mixed(uint64_t hash, uint64_t number) noexcept nogil:
    hash = (hash ^ number) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ (hash >> 32)


cdef inline const uint64_t* used_by(const Bucket& bucket, const State& state, size_t words) noexcept nogil:
    return &state.used if words == 1 else bucket.used.data() + state.used * words


cdef inline int merge_states(Bucket& bucket, size_t words, Sweep& sweep) except -1 nogil:
    """Of states with the same future keep the best, of equal ones the first; `standings` are those that are left."""
    cdef size_t index, word, slot, mask, room = room_for(bucket.states.size())
    cdef State* state
    cdef State* other
    cdef Seen* seen
    cdef Standing standing
    cdef const uint64_t* used
    cdef uint64_t hash
    if sweep.seen.size() < room or sweep.stamp == UINT32_MAX:
        sweep.seen.clear()
        sweep.seen.resize(room)
        sweep.stamp = 0
    sweep.stamp += 1
    mask = room - 1
    sweep.standings.clear()
    for index in range(bucket.states.size()):
        state = &bucket.states[index]
        used = used_by(bucket, state[0], words)
        hash = mixed(0, <uint64_t>(state.open + 1))
        for word in range(words):
            hash = mixed(hash, used[word])
        slot = hash & mask
        while True:
            seen = &sweep.seen[slot]
            if seen.stamp != sweep.stamp:
                seen.stamp, seen.kept = sweep.stamp, <int32_t>sweep.standings.size()
                standing.value, standing.index = state.value, index
                sweep.standings.push_back(standing)
                break
            other = &bucket.states[sweep.standings[seen.kept].index]
            if other.open == state.open and (
                other.used == state.used if words == 1
                else memcmp(used_by(bucket, other[0], words), used, words * sizeof(uint64_t)) == 0
            ):
                if state.value > other.value:
                    sweep.standings[seen.kept].value, sweep.standings[seen.kept].index = state.value, index
                break
            slot = (slot + 1) & mask


cdef inline int rank_states(Sweep& sweep, size_t width) except -1 nogil:
    """Sort the states that are left; of more than `width`, keep the best. 0: keep all."""
    if width == 0 or sweep.standings.size() <= width:
        sort(sweep.standings.begin(), sweep.standings.end())
    else:
        sweep.complete = False
        partial_sort(sweep.standings.begin(), sweep.standings.begin() + width, sweep.standings.end())
        sweep.standings.resize(width)


cdef inline int add_state(
    Bucket& bucket, size_t words, const State& state, const uint64_t* used, const uint64_t* taken,
    const uint64_t* kept,
) except -1 nogil:
    """Put a state into a bucket: its words are those that matter of the used and the taken ones."""
    cdef size_t word, row
    bucket.states.push_back(state)
    if words == 1:
        bucket.states.back().used = (used[0] | taken[0]) & kept[0]
        return 0
    row = bucket.used.size()
    bucket.states.back().used = bucket.states.size() - 1
    bucket.used.resize(row + words)
    for word in range(words):
        bucket.used[row + word] = (used[word] | taken[word]) & kept[word]


cdef inline bint is_free(const uint64_t* used, const uint64_t* taken, size_t words) noexcept nogil:
    cdef size_t word
    for word in range(words):
        if used[word] & taken[word]:
            return False
    return True


cdef inline int branch_state(
    const State& state, const uint64_t* used, int32_t position, Sweep& sweep
) except -1 nogil:
    """Put a state with each of the candidates that it can still take into their buckets, then with none."""
    cdef size_t index, words = sweep.choices.words
    cdef const uint64_t* masks
    cdef const Choice* choice
    cdef State child
    cdef Taken taken
    taken.previous = state.link
    for index in range(sweep.choices.here.size()):
        choice = &sweep.choices.here[index]
        masks = sweep.choices.masks.data() + 2 * words * index
        if not is_free(used, masks, words):
            continue
        child.value = state.value + (choice.joined if choice.candidate.start == state.open else choice.apart)
        child.open = choice.candidate.start + choice.candidate.words
        child.link = <int32_t>sweep.links.size()
        taken.candidate, taken.grade = choice.candidate, choice.grade
        sweep.links.push_back(taken)
        add_state(
            sweep.buckets[(position + choice.candidate.length) & sweep.turns], words, child, used, masks,
            masks + words,
        )
    child.value, child.open, child.link = state.value, CLOSED, state.link
    add_state(sweep.buckets[(position + 1) & sweep.turns], words, child, used, used, sweep.choices.live.data())
    if sweep.links.size() >= INT32_MAX:
        no_room()


cdef inline int begin_sweep(const Segment& hypothesis, Sweep& sweep) except -1 nogil:
    """Begin with one state, which has nothing."""
    cdef State state
    cdef size_t index, turns = 2
    begin_choices(hypothesis, sweep.choices)
    while turns <= sweep.choices.longest:
        turns *= 2
    if sweep.buckets.size() < turns:
        sweep.buckets.resize(turns)
    sweep.turns = turns - 1
    for index in range(sweep.buckets.size()):
        sweep.buckets[index].states.clear()
        sweep.buckets[index].used.clear()
    state.value, state.used, state.open, state.link = 0, 0, CLOSED, -1
    sweep.buckets[0].states.push_back(state)
    sweep.buckets[0].used.assign(sweep.choices.words, 0)
    sweep.links.clear()
    sweep.starts.assign(hypothesis.words.size() + 1, -1)
    sweep.complete = True
    sweep.link = -1


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


cdef inline int find_best(const Bucket& bucket, Sweep& sweep) except -1 nogil:
    """The best state of the last bucket, the first of equals; without one nothing changes."""
    cdef size_t index, best = 0
    if bucket.states.empty():
        return 0
    for index in range(bucket.states.size()):
        if bucket.states[index].value > bucket.states[best].value:
            best = index
    sweep.value, sweep.link = bucket.states[best].value, bucket.states[best].link


cdef inline int make_states(
    const Task& task, size_t width, int64_t budget, Sweep& sweep
) except -1 nogil:
    """Sweep over all positions.

    Args:
        task: what is to be aligned.
        width: states that are kept at a position; 0: all that may become worth more than `sweep.value`.
        budget: states that may be made; 0: any number.
        sweep: gets the best state; without one, or beyond the budget, it has no match, and its value is what it was.
    """
    cdef int32_t position, length = <int32_t>task.reference.words.size()
    cdef size_t index, words = sweep.choices.words
    cdef int64_t made = 0, here
    cdef Bucket* bucket
    cdef State* state
    begin_sweep(task.hypothesis[0], sweep)
    for position in range(length):
        choices_at(task, position, sweep.choices)
        mask_choices(sweep.choices, position)
        for index in range(sweep.choices.here.size()):
            sweep.starts[sweep.choices.here[index].candidate.start] = position
        bucket = &sweep.buckets[position & sweep.turns]
        for index in range(bucket.states.size()):
            state = &bucket.states[index]
            if state.open >= 0 and sweep.starts[state.open] != position:
                state.open = CLOSED
        merge_states(bucket[0], words, sweep)
        rank_states(sweep, width)
        if width == 0:
            while sweep.standings.size() and sweep.standings.back().value <= sweep.least - sweep.bounds[position]:
                sweep.standings.pop_back()
        here = <int64_t>(sweep.standings.size() * (sweep.choices.here.size() + 1))
        made += here
        if budget and made > budget:
            sweep.complete = False
            return 0
        step(10 * (20 + here + <int64_t>bucket.states.size()) * <int64_t>words)
        for index in range(sweep.standings.size()):
            state = &bucket.states[sweep.standings[index].index]
            branch_state(state[0], used_by(bucket[0], state[0], words), position, sweep)
        bucket.states.clear()
        bucket.used.clear()
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
    const Task& task, size_t width, int64_t budget, Sweep& sweep, vector[Candidate]& chosen,
    vector[int32_t]& grades,
) except -1 nogil:
    """The beam and, where it left a state out and there is a budget, all states; 1 where the matches are the best."""
    survey(task, sweep.choices)
    make_states(task, width, 0, sweep)
    follow_links(sweep, chosen, grades)
    if sweep.complete or budget == 0:
        return sweep.complete
    sweep.least = sweep.value
    find_bounds(task, sweep)
    make_states(task, 0, budget, sweep)
    if sweep.value > sweep.least:
        follow_links(sweep, chosen, grades)
    return sweep.complete
