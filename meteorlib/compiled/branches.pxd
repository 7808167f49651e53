"""The children of a state: with each candidate that it can still take, then with none; see `sweep.pxd`."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport Candidate, no_room
from meteorlib.compiled.choices cimport Choice, Choices, Option
from meteorlib.compiled.states cimport CLOSED, NO_CHOICE, Bucket, Ranking, State


cdef struct Link:  # a match of a state
    Candidate candidate
    int32_t grade
    int32_t previous

cdef cppclass Sweep:
    """The states of a sweep, and what they are made from."""
    Choices choices
    vector[Bucket] buckets  # in turns: a power of two of them
    vector[vector[Choice]] offered  # the choices of the last positions, in the same turns
    size_t turns  # what a position is masked with
    vector[Link] links
    Ranking ranking
    vector[int32_t] starts  # for each hypothesis position, the last position with a candidate that starts there
    vector[int64_t] bounds  # for each position, the most that is to be had there and later
    int64_t least  # what must be beaten
    int64_t value  # of the best
    int32_t link
    bool complete


cdef inline int add_link(Sweep& sweep, State& state) except -1 nogil:
    """Keep the match that a state chose last."""
    cdef Link link
    cdef const Choice* choice
    if state.choice == NO_CHOICE:
        return 0
    choice = &sweep.offered[state.position & sweep.turns][state.choice]
    link.candidate, link.grade, link.previous = choice.candidate, choice.grade, state.link
    state.link, state.choice = <int32_t>sweep.links.size(), NO_CHOICE
    sweep.links.push_back(link)
    if sweep.links.size() >= INT32_MAX:
        no_room()


cdef inline void branch_narrow(const State& state, int32_t position, Sweep& sweep) noexcept nogil:
    """Put a state with each of the candidates that it can still take into their buckets, then with none."""
    cdef size_t index, count = sweep.choices.options.size()
    cdef const Option* options = sweep.choices.options.data()
    cdef const Option* option
    cdef Bucket* buckets = sweep.buckets.data()
    cdef int32_t turn = <int32_t>((position + 1) & sweep.turns)
    cdef Bucket* bucket
    cdef State* after = buckets[turn].states.data() + buckets[turn].count  # where most of them go
    cdef State* child
    cdef uint64_t used = state.used
    cdef int64_t value = state.value
    cdef int32_t open_ = state.open, link = state.link
    for index in range(count):
        option = options + index
        if used & option.words:
            continue
        if option.turn == turn:
            child = after
            after += 1
        else:
            bucket = buckets + option.turn
            child = bucket.states.data() + bucket.count
            bucket.count += 1
        child.value = value + (option.joined if option.start == open_ else option.apart)
        child.used = (used | option.words) & option.kept
        child.open, child.link = option.stop, link
        child.choice, child.position = <int32_t>index, position
    after.value, after.used, after.open, after.link = value, used & sweep.choices.live[0], CLOSED, link
    after.choice = NO_CHOICE
    buckets[turn].count = after + 1 - buckets[turn].states.data()


cdef inline bint is_free(const uint64_t* used, const uint64_t* taken, size_t words) noexcept nogil:
    cdef size_t word
    for word in range(words):
        if used[word] & taken[word]:
            return False
    return True


cdef inline State* add_wide(
    Bucket& bucket, size_t words, const uint64_t* used, const uint64_t* taken, const uint64_t* kept
) noexcept nogil:
    """Add a state whose words are those that are kept of the used and the taken ones."""
    cdef size_t word
    cdef uint64_t* row = bucket.used.data() + bucket.count * words
    cdef State* child = bucket.states.data() + bucket.count
    for word in range(words):
        row[word] = (used[word] | taken[word]) & kept[word]
    child.used = bucket.count
    bucket.count += 1
    return child


cdef inline void branch_wide(
    const State& state, const uint64_t* used, int32_t position, Sweep& sweep
) noexcept nogil:
    """`branch_narrow` where sets have more words."""
    cdef size_t index, words = sweep.choices.words
    cdef const uint64_t* masks = sweep.choices.masks.data()
    cdef const Option* option
    cdef State* child
    for index in range(sweep.choices.options.size()):
        option = &sweep.choices.options[index]
        if is_free(used, masks, words):
            child = add_wide(sweep.buckets[option.turn], words, used, masks, masks + words)
            child.value = state.value + (option.joined if option.start == state.open else option.apart)
            child.open, child.link = option.stop, state.link
            child.choice, child.position = <int32_t>index, position
        masks += 2 * words
    child = add_wide(sweep.buckets[(position + 1) & sweep.turns], words, used, used, sweep.choices.live.data())
    child.value, child.open, child.link, child.choice = state.value, CLOSED, state.link, NO_CHOICE
