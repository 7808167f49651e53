"""Groups of states that have used the same words; see `frontier.pxd`."""

from libc.stdint cimport INT64_MIN, int32_t, int64_t, uint64_t
from libc.string cimport memcmp
from libcpp cimport bool

from meteorlib.engine.kernel.bits cimport has, put
from meteorlib.engine.kernel.search.expansion cimport Source, Sweep
from meteorlib.engine.kernel.search.choices cimport Choice
from meteorlib.engine.kernel.search.states cimport CLOSED, Bucket, Kin, State


cdef inline bool can_take(const Sweep& sweep, const uint64_t* used, int32_t index) noexcept nogil:
    """Whether no word of a choice is used."""
    cdef int32_t word, bit
    cdef const Choice* choice = sweep.choices.here.data() + index
    for word in range(choice.candidate.start, choice.candidate.start + choice.candidate.words):
        bit = sweep.choices.bits[word]
        if bit >= 0 and has(used, bit):
            return False
    return True


cdef inline void put_words(const Sweep& sweep, int32_t index, const uint64_t* kept, uint64_t* used) noexcept nogil:
    """Use the words of a choice, as far as they are kept in mind."""
    cdef int32_t word, bit
    cdef const Choice* choice = sweep.choices.here.data() + index
    for word in range(choice.candidate.start, choice.candidate.start + choice.candidate.words):
        bit = sweep.choices.bits[word]
        if bit >= 0 and has(kept, bit):
            put(used, bit)


cdef inline void forget_ending(const State* states, const uint64_t* rows, Sweep& sweep) noexcept nogil:
    """Take the words that do not matter behind the position out of the hashes of what states have used."""
    cdef size_t parent
    cdef int32_t word, bit
    for word in sweep.choices.ending:
        bit = sweep.choices.bits[word]
        for parent in range(sweep.ranking.count):
            if has(rows + states[parent].used * sweep.choices.words, bit):
                sweep.frontier.hashes[parent] -= sweep.frontier.multipliers[bit >> 6] << (bit & 63)


cdef inline uint64_t hash_of(const uint64_t* used, const Sweep& sweep) noexcept nogil:
    """The hash of a set, as far as it matters behind the position."""
    cdef uint64_t hash = 0
    cdef size_t word
    for word in range(sweep.choices.words):
        hash += (used[word] & sweep.choices.live[word]) * sweep.frontier.multipliers[word]
    return hash


cdef inline uint64_t hash_with(const Sweep& sweep, uint64_t hash, int32_t index) noexcept nogil:
    """The hash of what is used with a choice that can be taken."""
    cdef int32_t word, bit
    cdef const Choice* choice = sweep.choices.here.data() + index
    for word in range(choice.candidate.start, choice.candidate.start + choice.candidate.words):
        bit = sweep.choices.bits[word]
        if bit >= 0 and has(sweep.choices.live.data(), bit):
            hash += sweep.frontier.multipliers[bit >> 6] << (bit & 63)
    return hash


cdef inline uint64_t* set_of(int32_t number, Sweep& sweep) noexcept nogil:
    """Words that the states of a group have used."""
    cdef Source* source = sweep.frontier.sources.data() + number
    cdef uint64_t* row = sweep.merger.used + number * sweep.choices.words
    cdef size_t word
    if source.used != NULL:
        for word in range(sweep.choices.words):
            row[word] = source.used[word] & sweep.choices.live[word]
        if source.choice >= 0:
            put_words(sweep, source.choice, sweep.choices.live.data(), row)
        source.used = NULL
    return row


cdef inline int32_t kin_of(
    const uint64_t* used, int32_t index, uint64_t hash, int64_t value, Sweep& sweep
) noexcept nogil:
    """The group of the states that have used the same words; a new one, of this value, where there is none.

    Groups are numbered like their sets in `Bucket.used`, which are laid out when they are needed; `Kin.used` is the
    hash of the set.
    """
    cdef uint64_t slot = ((hash ^ (hash >> 32)) * <uint64_t>0x9E3779B97F4A7C15) >> sweep.merger.shift
    cdef int32_t number, new = sweep.merger.kin_count
    cdef Kin* kin
    sweep.frontier.sources[new].used, sweep.frontier.sources[new].choice = used, index
    while sweep.merger.seen[slot].stamp == sweep.merger.stamp:
        number = sweep.merger.seen[slot].kin
        # two sets may have one hash, so the sets decide
        if sweep.merger.kin[number].used == hash and memcmp(
            set_of(new, sweep), set_of(number, sweep), sweep.choices.words * sizeof(uint64_t)
        ) == 0:
            return number
        slot = (slot + 1) & sweep.merger.mask
    sweep.merger.kin_count += 1
    sweep.merger.seen[slot].stamp, sweep.merger.seen[slot].kin = sweep.merger.stamp, new
    kin = sweep.merger.kin + new
    kin.used, kin.most, kin.most_open, kin.first = hash, value, INT64_MIN, -1
    return new


cdef inline int32_t kin_of_choice(
    const State* states, size_t parent, const uint64_t* rows, int32_t index, int64_t value, Sweep& sweep
) noexcept nogil:
    """The group of what a state becomes with a choice; -1: it cannot take it."""
    cdef const uint64_t* used = rows + states[parent].used * sweep.choices.words
    if index < <int32_t>sweep.choices.here.size() and not can_take(sweep, used, index):
        return -1
    if index == <int32_t>sweep.choices.here.size():
        return kin_of(used, -1, sweep.frontier.hashes[parent], value, sweep)
    return kin_of(used, index, hash_with(sweep, sweep.frontier.hashes[parent], index), value, sweep)


cdef inline int32_t kin_of_arrived(const Bucket& arrived, size_t index, Sweep& sweep) noexcept nogil:
    cdef const uint64_t* used = arrived.used.data() + index * sweep.choices.words
    return kin_of(used, -1, hash_of(used, sweep), arrived.states[index].value, sweep)


cdef inline void keep_winner(const State& child, int32_t number, int64_t chunk, Sweep& sweep) noexcept nogil:
    """Keep a state that none of its group, whose better ones are all known, makes needless."""
    cdef Kin* kin = sweep.merger.kin + number
    cdef State* state = sweep.merger.states + sweep.merger.count
    cdef int32_t other = kin.first
    if child.value < kin.most - chunk or (child.open == CLOSED and child.value <= kin.most_open):
        return
    while other >= 0:
        if sweep.merger.states[other].open == child.open:
            return
        other = sweep.merger.states[other].next
    set_of(number, sweep)
    sweep.frontier.next_hashes[sweep.merger.count] = kin.used
    state[0] = child
    state.used, state.kin, state.next = number, number, kin.first
    kin.first = <int32_t>sweep.merger.count
    sweep.merger.count += 1
    if child.open != CLOSED:
        kin.most_open = max(kin.most_open, child.value)
