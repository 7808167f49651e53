"""The states of a sweep: merged where their futures are the same, and ranked; see `meteorlib.search.weighted.sweep`."""

from libc.stdint cimport INT64_MIN, UINT32_MAX, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcmp
from libcpp cimport bool
from libcpp.algorithm cimport nth_element, sort
from libcpp.vector cimport vector

from meteorlib.compiled.candidates cimport no_room
from meteorlib.compiled.words cimport room_for


cdef enum:
    CLOSED = -1
    NO_CHOICE = -1

cdef struct State:
    int64_t value
    uint64_t used  # bits of words; where they need more of them, which row of `Bucket.used` they are
    int32_t open
    int32_t link  # the last match but for that of the choice; -1: none
    int32_t choice  # among those of a position
    int32_t position

cdef struct Seen:  # a slot of the table of states that are merged
    uint32_t stamp
    int32_t kept

cdef struct Kin:  # of a state: those that have used the same words
    int32_t head  # the first of them
    int32_t next  # -1: it is the last
    int64_t most  # of the head: the greatest value of them all
    int64_t most_open  # and of those whose chunk is open

cdef cppclass Bucket:
    """The states that have come to a position, in the order in which they were made."""
    size_t count
    vector[State] states  # there may be more behind them
    vector[uint64_t] used

cdef cppclass Ranking:
    """Which states of a bucket are left, by number."""
    vector[uint64_t] keys  # once they are ranked, these numbers alone
    vector[Seen] seen
    vector[Kin] kin
    uint32_t stamp


cdef inline const uint64_t* used_by(const Bucket& bucket, const State& state, size_t words) noexcept nogil:
    return &state.used if words == 1 else bucket.used.data() + state.used * words


cdef inline int make_room(Bucket& bucket, size_t more, size_t words) except -1 nogil:
    """Make room for more states."""
    if bucket.states.size() < bucket.count + more:
        bucket.states.resize(max(2 * bucket.states.size(), bucket.count + more))
    if words > 1 and bucket.used.size() < (bucket.count + more) * words:
        bucket.used.resize(max(2 * bucket.used.size(), (bucket.count + more) * words))


cdef inline uint64_t mixed(uint64_t hash, uint64_t number) noexcept nogil:
    hash = (hash ^ number) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ (hash >> 32)


cdef inline bint same_used(const Bucket& bucket, const State& state, const State& other, size_t words) noexcept nogil:
    if words == 1:
        return state.used == other.used
    return memcmp(used_by(bucket, state, words), used_by(bucket, other, words), words * sizeof(uint64_t)) == 0


cdef inline uint64_t hash_of(const Bucket& bucket, const State& state, size_t words) noexcept nogil:
    cdef uint64_t hash = 0
    cdef const uint64_t* used = used_by(bucket, state, words)
    cdef size_t word
    for word in range(words):
        hash = mixed(hash, used[word])
    return hash


cdef inline int merge_states(const Bucket& bucket, size_t words, Ranking& ranking) except -1 nogil:
    """Of states with the same future keep the best, of equal ones the first; those of the same words are kin."""
    cdef size_t index, slot, mask, count = 0, room = room_for(bucket.count)
    cdef const State* states = bucket.states.data()
    cdef const State* state
    cdef uint64_t* keys
    cdef Kin* kin
    cdef Seen* slots
    cdef uint32_t stamp
    cdef int32_t one, last
    if ranking.seen.size() < room or ranking.stamp == UINT32_MAX:
        ranking.seen.clear()
        ranking.seen.resize(room)
        ranking.stamp = 0
    ranking.stamp += 1
    stamp, mask = ranking.stamp, room - 1
    ranking.keys.resize(bucket.count)
    if ranking.kin.size() < bucket.count:
        ranking.kin.resize(bucket.count)
    keys, kin, slots = ranking.keys.data(), ranking.kin.data(), ranking.seen.data()
    for index in range(bucket.count):
        state = states + index
        slot = (mixed(0, state.used) if words == 1 else hash_of(bucket, state[0], words)) & mask
        while slots[slot].stamp == stamp and not same_used(bucket, state[0], states[keys[slots[slot].kept]], words):
            slot = (slot + 1) & mask
        one = last = -1
        if slots[slot].stamp == stamp:
            one = slots[slot].kept
            while one >= 0 and states[keys[one]].open != state.open:
                last, one = one, kin[one].next
        if one >= 0:
            if state.value > states[keys[one]].value:
                keys[one] = index
            continue
        if last < 0:
            slots[slot].stamp, slots[slot].kept = stamp, <int32_t>count
            kin[count].head = <int32_t>count
        else:
            kin[last].next = <int32_t>count
            kin[count].head = kin[last].head
        keys[count], kin[count].next = index, -1
        count += 1
    ranking.keys.resize(count)


cdef inline void drop_beaten(const Bucket& bucket, int64_t chunk, Ranking& ranking) noexcept nogil:
    """Leave out what cannot make up for what it is worth less than its kin, which an open chunk could at most."""
    cdef size_t index, left = 0, count = ranking.keys.size()
    cdef const State* states = bucket.states.data()
    cdef const State* state
    cdef uint64_t* keys = ranking.keys.data()
    cdef Kin* kin = ranking.kin.data()
    cdef Kin* head
    for index in range(count):
        state, head = states + keys[index], kin + kin[index].head
        if kin[index].head == <int32_t>index:
            head.most, head.most_open = state.value, INT64_MIN
        head.most = max(head.most, state.value)
        if state.open != CLOSED:
            head.most_open = max(head.most_open, state.value)
    for index in range(count):
        state, head = states + keys[index], kin + kin[index].head
        if state.value >= head.most - chunk and (state.open != CLOSED or state.value > head.most_open):
            keys[left] = keys[index]
            left += 1
    ranking.keys.resize(left)


cdef inline bint rank_states(const Bucket& bucket, size_t width, Ranking& ranking) except -1 nogil:
    """Sort states, the best and of equal ones the first before others; False where more than `width` were cut.

    A key is how much less than the best a state is worth, before its number. 0: keep all.
    """
    cdef size_t index
    cdef int shift = 1
    cdef int64_t value, most = 0, least = 0
    cdef uint64_t mask
    cdef uint64_t* keys = ranking.keys.data()
    cdef const State* states = bucket.states.data()
    cdef bint cut = width != 0 and ranking.keys.size() > width
    if ranking.keys.size() < 2:
        return True
    most = least = states[keys[0]].value
    for index in range(ranking.keys.size()):
        value = states[keys[index]].value
        most, least = max(most, value), min(least, value)
    while bucket.count >> shift:
        shift += 1
    if (<uint64_t>(most - least) >> (64 - shift)):
        no_room()  # values of billions of words
    for index in range(ranking.keys.size()):
        keys[index] |= <uint64_t>(most - states[keys[index]].value) << shift
    if cut:
        nth_element(ranking.keys.begin(), ranking.keys.begin() + width, ranking.keys.end())
        ranking.keys.resize(width)
    sort(ranking.keys.begin(), ranking.keys.end())
    mask = (<uint64_t>1 << shift) - 1
    for index in range(ranking.keys.size()):
        keys[index] &= mask
    return not cut
