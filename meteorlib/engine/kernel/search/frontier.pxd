"""The next states of a weighted beam with large sets, made from the best downwards."""

from libc.stdint cimport INT32_MAX, INT64_MAX, INT64_MIN, int32_t, int64_t, uint64_t
from libcpp.algorithm cimport sort

from meteorlib.engine.kernel.search.expansion cimport Continuation, Offer, Sweep, add_link, make_room_for_links
from meteorlib.engine.kernel.search.choices cimport Choice
from meteorlib.engine.kernel.search.state_groups cimport can_take, forget_ending, keep_winner, kin_of_arrived, kin_of_choice, put_words
from meteorlib.engine.kernel.search.extensions cimport give_bits, leave_out
from meteorlib.engine.kernel.search.states cimport CLOSED, NO_CHOICE, Bucket, State, begin_merging, make_room


cdef inline int begin_frontier(Sweep& sweep) except -1 nogil:
    """Before the first position."""
    cdef size_t word
    cdef uint64_t mixed
    sweep.frontier.heads.assign(sweep.choices.starts.size() + 1, -1)
    sweep.frontier.hashes.assign(1, 0)
    # the hash of a set is the sum of its machine words, each times one of these, so a word more or less changes it by
    # one addition; odd numbers lose no bit
    sweep.frontier.multipliers.resize(sweep.choices.words)
    for word in range(sweep.choices.words):
        mixed = (word + 1) * <uint64_t>0x9E3779B97F4A7C15
        mixed = (mixed ^ (mixed >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
        sweep.frontier.multipliers[word] = (mixed ^ (mixed >> 27)) * <uint64_t>0x94D049BB133111EB | 1


cdef inline int offer_choices(int32_t position, Sweep& sweep) except -1 nogil:
    """Give the words of a position their bits, and sort what its choices add."""
    cdef int32_t index, count = <int32_t>sweep.choices.here.size(), open_
    cdef const Choice* choice
    cdef Offer offer
    sweep.frontier.offers.resize(count + 1)
    sweep.frontier.offers.clear()
    sweep.frontier.opening.clear()
    sweep.frontier.longer.clear()
    sweep.frontier.opens.resize(count + 1)
    for index in range(count):
        choice = &sweep.choices.here[index]
        give_bits(sweep.choices, position, choice.candidate)
        open_ = choice.candidate.start + choice.candidate.words
        if choice.candidate.length > 1:
            sweep.frontier.longer.push_back(index)
        else:
            offer.apart, offer.choice = choice.apart, index
            sweep.frontier.offers.push_back(offer)
            if sweep.choices.starts[open_] != position + 1:
                open_ = CLOSED
        sweep.frontier.opens[index] = open_
    sweep.frontier.opens[count] = CLOSED
    offer.apart, offer.choice = 0, count
    sweep.frontier.offers.push_back(offer)
    sort(sweep.frontier.offers.begin(), sweep.frontier.offers.end())
    for offer in sweep.frontier.offers:
        if sweep.frontier.opens[offer.choice] != CLOSED:
            sweep.frontier.opening.push_back(offer)


cdef inline int continue_chunks(Sweep& sweep) except -1 nogil:
    """Find what continues the open chunks of states."""
    cdef int32_t index, start, count = <int32_t>sweep.choices.here.size(), states = <int32_t>sweep.ranking.count
    cdef const State* state
    cdef Continuation continuation
    sweep.frontier.later.resize(count)
    # from the last, so that each list has the order of the choices, which decides among equals
    for index in range(count - 1, -1, -1):
        if sweep.choices.here[index].candidate.length == 1:
            start = sweep.choices.here[index].candidate.start
            sweep.frontier.later[index], sweep.frontier.heads[start] = sweep.frontier.heads[start], index
    sweep.frontier.continuations.clear()
    sweep.frontier.begins.resize(states + 1)
    for index in range(states):
        state = sweep.merger.states + index
        sweep.frontier.begins[index] = <int32_t>sweep.frontier.continuations.size()
        start = -1 if state.open == CLOSED else sweep.frontier.heads[state.open]
        while start >= 0:
            continuation.value, continuation.choice = state.value + sweep.choices.here[start].joined, start
            sweep.frontier.continuations.push_back(continuation)
            start = sweep.frontier.later[start]
    sweep.frontier.begins[states] = <int32_t>sweep.frontier.continuations.size()
    for index in range(count):
        sweep.frontier.heads[sweep.choices.here[index].candidate.start] = -1


cdef inline int jump(int32_t position, const State* states, const uint64_t* rows, Sweep& sweep) except -1 nogil:
    """Make the states of the choices that cover several positions."""
    cdef size_t word, words = sweep.choices.words, parent, place
    cdef int32_t index
    cdef const Choice* choice
    cdef const uint64_t* used
    cdef const uint64_t* kept
    cdef uint64_t* row
    cdef Bucket* bucket
    cdef State* child
    sweep.frontier.kept.resize(sweep.frontier.longer.size() * words)
    for place in range(sweep.frontier.longer.size()):
        choice = &sweep.choices.here[sweep.frontier.longer[place]]
        row = sweep.frontier.kept.data() + place * words
        for word in range(words):
            row[word] = sweep.choices.live[word]
        leave_out(sweep.choices, position, position + choice.candidate.length, row)
        make_room(
            sweep.arrivals[(position + choice.candidate.length) & sweep.turns],
            sweep.ranking.count * sweep.frontier.longer.size(),
            words,
        )
    for parent in range(sweep.ranking.count if sweep.frontier.longer.size() else 0):
        used = rows + states[parent].used * words
        for place in range(sweep.frontier.longer.size()):
            index = sweep.frontier.longer[place]
            if not can_take(sweep, used, index):
                continue
            choice = &sweep.choices.here[index]
            bucket = &sweep.arrivals[(position + choice.candidate.length) & sweep.turns]
            row, kept = bucket.used.data() + bucket.count * words, sweep.frontier.kept.data() + place * words
            for word in range(words):
                row[word] = used[word] & kept[word]
            put_words(sweep, index, kept, row)
            child = &bucket.states[bucket.count]
            child.value = states[parent].value + (
                choice.joined if choice.candidate.start == states[parent].open else choice.apart
            )
            child.used, child.open, child.link = bucket.count, sweep.frontier.opens[index], states[parent].link
            child.choice, child.position = index, position
            bucket.count += 1


cdef inline int64_t next_value(const Sweep& sweep, const State* states, const Bucket& arrived, int64_t last) noexcept nogil:
    """The greatest value less than `last` of the states that may follow; `INT64_MIN`: there is none."""
    cdef int64_t most = INT64_MIN, value
    cdef size_t index
    for index in range(sweep.ranking.count):
        if sweep.frontier.reached[index] < sweep.frontier.offers.size():
            most = max(most, states[index].value + sweep.frontier.offers[sweep.frontier.reached[index]].apart)
    for index in range(sweep.frontier.continuations.size()):
        value = sweep.frontier.continuations[index].value
        if value < last:
            most = max(most, value)
    for index in range(arrived.count):
        value = arrived.states[index].value
        if value < last:
            most = max(most, value)
    return most


cdef inline void tell(int32_t number, int64_t value, Sweep& sweep) noexcept nogil:
    """Tell a group, if it is one, of a state whose chunk is open."""
    if number >= 0:
        sweep.merger.kin[number].most_open = max(sweep.merger.kin[number].most_open, value)


cdef inline void note_open(
    int64_t value, const State* states, const uint64_t* rows, const Bucket& arrived, Sweep& sweep
) noexcept nogil:
    """Tell groups of their states of a value whose chunk is open: those that have none are needless beside them."""
    cdef size_t parent, index, noted
    cdef int32_t choice
    cdef const Offer* offers = sweep.frontier.opening.data()
    for index in range(arrived.count):
        if arrived.states[index].value == value and arrived.states[index].open != CLOSED:
            tell(kin_of_arrived(arrived, index, sweep), value, sweep)
    if sweep.frontier.opening.empty():
        return
    for parent in range(sweep.ranking.count):
        noted = sweep.frontier.noted[parent]
        while noted < sweep.frontier.opening.size() and states[parent].value + offers[noted].apart >= value:
            choice = offers[noted].choice
            if states[parent].value + offers[noted].apart == value and (
                sweep.choices.here[choice].candidate.start != states[parent].open
            ):
                tell(kin_of_choice(states, parent, rows, choice, value, sweep), value, sweep)
            noted += 1
        sweep.frontier.noted[parent] = noted
        for index in range(<size_t>sweep.frontier.begins[parent], <size_t>sweep.frontier.begins[parent + 1]):
            choice = sweep.frontier.continuations[index].choice
            if sweep.frontier.continuations[index].value == value and sweep.frontier.opens[choice] != CLOSED:
                tell(kin_of_choice(states, parent, rows, choice, value, sweep), value, sweep)


cdef inline void keep_of_value(
    int64_t value, size_t most, int32_t position, int64_t chunk, const State* states, const uint64_t* rows,
    const Bucket& arrived, Sweep& sweep,
) noexcept nogil:
    """Keep the states of a value, in the order in which `branch` makes them, until there are `most`."""
    cdef size_t index, parent, reached, offers = sweep.frontier.offers.size()
    cdef int32_t number, continued, end, choice, joined
    cdef State child
    for index in range(arrived.count):
        if arrived.states[index].value == value:
            keep_winner(arrived.states[index], kin_of_arrived(arrived, index, sweep), chunk, sweep)
            if sweep.merger.count == most:
                return
    child.value, child.position = value, position
    for parent in range(sweep.ranking.count):
        reached, continued = sweep.frontier.reached[parent], sweep.frontier.begins[parent]
        end = sweep.frontier.begins[parent + 1]
        child.link = states[parent].link
        while True:
            while continued < end and sweep.frontier.continuations[continued].value != value:
                continued += 1
            choice = joined = INT32_MAX
            if reached < offers and states[parent].value + sweep.frontier.offers[reached].apart == value:
                choice = sweep.frontier.offers[reached].choice
            if continued < end:
                joined = sweep.frontier.continuations[continued].choice
            if choice == joined == INT32_MAX:
                break
            if joined < choice:
                choice = joined
                continued += 1
            else:
                reached += 1
                # it continues the open chunk: `continuations` has it, with its higher value
                if choice < <int32_t>sweep.choices.here.size() and states[parent].open != CLOSED and (
                    sweep.choices.here[choice].candidate.start == states[parent].open
                ):
                    continue
            number = kin_of_choice(states, parent, rows, choice, value, sweep)
            if number < 0:
                continue
            child.open, child.choice = sweep.frontier.opens[choice], choice
            if choice == <int32_t>sweep.choices.here.size():
                child.choice = NO_CHOICE
            keep_winner(child, number, chunk, sweep)
            if sweep.merger.count == most:
                return
        sweep.frontier.reached[parent] = reached


cdef inline int advance(int32_t position, int64_t chunk, size_t width, Sweep& sweep) except -1 nogil:
    """Make the best states of the next position, in their order; the states there are have been ranked."""
    cdef size_t index, count = sweep.ranking.count
    cdef State* states = sweep.merger.states
    cdef const uint64_t* rows = sweep.merger.used
    cdef Bucket* arrived = &sweep.arrivals[(position + 1) & sweep.turns]
    cdef int64_t value = INT64_MAX
    make_room_for_links(sweep, count)
    for index in range(count):
        add_link(sweep, states[index])
    offer_choices(position, sweep)
    continue_chunks(sweep)
    jump(position, states, rows, sweep)
    begin_merging(
        sweep.after, count * (sweep.choices.here.size() + 1) + arrived.count + 1, sweep.choices.words, sweep.ranking,
        sweep.merger,
    )
    for index in range(arrived.count):
        if sweep.choices.starts[arrived.states[index].open] != position + 1:
            arrived.states[index].open = CLOSED
    sweep.frontier.reached.assign(count, 0)
    sweep.frontier.noted.assign(count, 0)
    forget_ending(states, rows, sweep)
    sweep.frontier.next_hashes.resize(width + 1)
    sweep.frontier.sources.resize(count * (sweep.choices.here.size() + 1) + arrived.count + 1)
    while sweep.merger.count < width:
        value = next_value(sweep, states, arrived[0], value)
        if value == INT64_MIN:
            break
        note_open(value, states, rows, arrived[0], sweep)
        keep_of_value(value, width, position, chunk, states, rows, arrived[0], sweep)
    sweep.frontier.hashes.swap(sweep.frontier.next_hashes)
    arrived.count = 0
    sweep.ranking.count = sweep.merger.count
    sweep.here.states.swap(sweep.after.states)
    sweep.here.used.swap(sweep.after.used)
