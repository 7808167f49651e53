"""States of the weighted sweep: merging and ranking; see `meteorlib.search.weighted`."""

from libc.stdint cimport INT64_MIN, UINT32_MAX, int32_t, int64_t, uint32_t, uint64_t
from libcpp.algorithm cimport nth_element, sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport no_room


cdef enum:
    CLOSED = -1
    NO_CHOICE = -1
    REPLACED = -1

cdef struct State:
    int64_t value
    uint64_t used  # bits of words; where they need more of them, which row of `Bucket.used` they are
    int32_t open
    int32_t link  # the last match but for that of the choice; -1: none
    int32_t choice  # among those of a position
    int32_t position
    int32_t kin  # the group of the states that have used the same words; `REPLACED`: a better one stands for it
    int32_t next  # of them; -1: it is the last

cdef struct Kin:  # a group of states that have used the same words
    uint64_t used
    int64_t most  # the greatest value of them all
    int64_t most_open  # and of those whose chunk is open
    int32_t first

cdef struct Seen:  # a slot of the table of groups
    uint32_t stamp
    int32_t kin

cdef cppclass Bucket:
    """States in the order in which they were made."""
    size_t count
    vector[State] states  # there may be more behind them
    vector[uint64_t] used

cdef struct Merger:  # states among which new ones are merged
    State* states
    uint64_t* used
    size_t count  # of the states
    int64_t most  # the value of the best of them
    int64_t chunk  # cost of a chunk
    Kin* kin
    int32_t kin_count
    Seen* seen
    uint64_t mask
    int shift  # of a hash, to a slot
    uint32_t stamp

cdef cppclass Ranking:
    """The states of a bucket that are left, by number."""
    vector[uint64_t] keys  # there may be more behind them; once they are ranked, these numbers alone
    size_t count
    vector[Seen] seen
    vector[Kin] kin
    uint32_t stamp


cdef inline int make_room(Bucket& bucket, size_t more, size_t words) except -1 nogil:
    """Make room for more states."""
    if bucket.states.size() < bucket.count + more:
        bucket.states.resize(max(2 * bucket.states.size(), bucket.count + more))
    if words > 1 and bucket.used.size() < (bucket.count + more) * words:
        bucket.used.resize(max(2 * bucket.used.size(), (bucket.count + more) * words))


cdef inline int begin_merging(
    Bucket& bucket, size_t most, size_t words, Ranking& ranking, Merger& merger
) except -1 nogil:
    """Begin to fill a bucket with at most so many states."""
    cdef size_t room = 16
    bucket.count = 0
    make_room(bucket, most, words)
    merger.shift = 60
    while room < 2 * most:
        room *= 2
        merger.shift -= 1
    if ranking.seen.size() < room or ranking.stamp == UINT32_MAX:
        ranking.seen.clear()
        ranking.seen.resize(room)
        ranking.stamp = 0
    if ranking.kin.size() < most:
        ranking.kin.resize(max(2 * ranking.kin.size(), most))
    ranking.stamp += 1
    merger.states, merger.used, merger.count = bucket.states.data(), bucket.used.data(), 0
    merger.most = INT64_MIN
    merger.kin, merger.kin_count = ranking.kin.data(), 0
    merger.seen, merger.mask, merger.stamp = ranking.seen.data(), room - 1, ranking.stamp


cdef inline int merge_again(Bucket& bucket, size_t most, Merger& merger) except -1 nogil:
    """Begin to fill a bucket with states that have used the same words as those before."""
    cdef int32_t number
    make_room(bucket, most, 1)
    merger.states, merger.count, merger.most = bucket.states.data(), 0, INT64_MIN
    for number in range(merger.kin_count):
        merger.kin[number].first = -1
        merger.kin[number].most = merger.kin[number].most_open = INT64_MIN


cdef inline bint may_win(const State& state, const Kin& kin, int64_t chunk) noexcept nogil:
    """Whether an open chunk could still make up for how far its value is below the best of its kin."""
    return state.value + chunk >= kin.most and (state.open != CLOSED or state.value > kin.most_open)


cdef inline void join_kin(Merger& merger, int32_t number) noexcept nogil:
    """Put the state behind the others into a group; of states with the same future only the first of the best stays.

    One that could not win even now is left out at once: what is known of its kin only grows.
    """
    cdef State* state = merger.states + merger.count
    cdef State* other
    cdef Kin* kin = merger.kin + number
    cdef int32_t* place = &kin.first
    if not may_win(state[0], kin[0], merger.chunk):
        return
    state.next = -1
    while place[0] >= 0:
        other = merger.states + place[0]
        if other.open == state.open:
            if state.value <= other.value:
                return
            state.next, other.kin = other.next, REPLACED
            break
        place = &other.next
    place[0] = <int32_t>merger.count
    state.kin = number
    merger.most = max(merger.most, state.value)
    kin.most = max(kin.most, state.value)
    if state.open != CLOSED:
        kin.most_open = max(kin.most_open, state.value)
    merger.count += 1


cdef inline void merge_state(Merger& merger) noexcept nogil:
    """Put the state behind the others into the group of those that have used the same words."""
    cdef State* state = merger.states + merger.count
    cdef Kin* kin
    cdef uint64_t slot = (state.used * <uint64_t>0x9E3779B97F4A7C15) >> merger.shift
    while merger.seen[slot].stamp == merger.stamp:
        if merger.kin[merger.seen[slot].kin].used == state.used:
            join_kin(merger, merger.seen[slot].kin)
            return
        slot = (slot + 1) & merger.mask
    merger.seen[slot].stamp, merger.seen[slot].kin = merger.stamp, merger.kin_count
    kin = merger.kin + merger.kin_count
    merger.most = max(merger.most, state.value)
    kin.used, kin.most, kin.first = state.used, state.value, <int32_t>merger.count
    kin.most_open = INT64_MIN if state.open == CLOSED else state.value
    state.kin, state.next = merger.kin_count, -1
    merger.kin_count += 1
    merger.count += 1


cdef inline int merged(const Merger& merger, size_t width, Ranking& ranking) except -1 nogil:
    """Sort the `width` best states that may win, the best and of equal ones the first before others.

    A key is how far the value of a state is below the best, before its number.
    """
    cdef size_t index, left = 0, count = merger.count
    cdef int shift = 8
    cdef int64_t most = merger.most, chunk = merger.chunk
    cdef uint64_t mask, less, key, last = 0, spread = 0
    cdef uint64_t* keys
    cdef const State* state = merger.states
    cdef const Kin* kin = merger.kin
    cdef bint cut, ordered = True
    if ranking.keys.size() < count:
        ranking.keys.resize(2 * count)
    keys = ranking.keys.data()
    if count == 1:
        keys[0], ranking.count = 0, 1
        return 0
    while count >> shift:
        shift += 1
    for index in range(count):
        if state.kin != REPLACED and may_win(state[0], kin[state.kin], chunk):
            less = <uint64_t>(most - state.value)
            spread |= less
            key = (less << shift) | index
            ordered &= key >= last
            keys[left] = last = key
            left += 1
        state += 1
    if spread >> (64 - shift):
        no_room()  # values of billions of words
    cut = left > width
    if cut and not ordered:
        nth_element(ranking.keys.begin(), ranking.keys.begin() + width, ranking.keys.begin() + left)
    if cut:
        left = width
    if not ordered:
        sort(ranking.keys.begin(), ranking.keys.begin() + left)
    mask = (<uint64_t>1 << shift) - 1
    for index in range(left):
        keys[index] &= mask
    ranking.count = left
