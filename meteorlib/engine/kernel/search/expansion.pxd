"""Children of a state of the weighted sweep: one for each candidate, and one without a match."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate, no_room
from meteorlib.engine.kernel.search.choices cimport NEXT, Choice, Choices, Extension
from meteorlib.engine.kernel.search.states cimport CLOSED, NO_CHOICE, Bucket, Merger, Ranking, State, merge_state


cdef extern from *:
    """
    struct MeteorOffer { int64_t apart; int32_t choice; };
    static inline bool operator<(const MeteorOffer& a, const MeteorOffer& b) {
        return a.apart > b.apart || (a.apart == b.apart && a.choice < b.choice);
    }
    """
    cdef struct Offer "MeteorOffer":  # value that a choice adds to a state whose chunk it does not continue
        int64_t apart
        int32_t choice

cdef struct Link:  # a match of a state
    Candidate candidate
    int32_t grade
    int32_t previous

cdef struct Continuation:  # a choice that continues the open chunk of a state
    int64_t value  # of the state that it makes
    int32_t choice

cdef struct Source:  # words that the states of a group have used: those of a state, and those of a choice
    const uint64_t* used  # NULL: the set has been laid out
    int32_t choice  # -1: none

cdef cppclass Frontier:
    """Search for the best next states where sets exceed a machine word; see `frontier.pxd`."""
    vector[Offer] offers  # choices of one position, and behind them to take none; the greatest first
    vector[int32_t] opens  # for each choice, where its chunk would go on
    vector[Offer] opening  # those of them whose chunk can go on
    vector[int32_t] longer  # choices that cover several positions
    vector[int32_t] heads  # for each hypothesis position, the first choice that starts there
    vector[int32_t] later  # and behind each choice the next one of the same start
    vector[Continuation] continuations
    vector[int32_t] begins  # of those of each state
    vector[size_t] reached  # number of offers from which each state has made states
    vector[size_t] noted  # and of how many of `opening` groups have been told
    vector[uint64_t] hashes  # of what each state has used, as far as it matters behind the position
    vector[uint64_t] next_hashes
    vector[Source] sources  # of the groups of the next states
    vector[uint64_t] multipliers
    vector[uint64_t] kept

cdef cppclass Sweep:
    """The states of a sweep, and what they are made from."""
    Choices choices
    Bucket here  # the states of a position
    Bucket after  # and of the one behind it
    Merger merger
    Frontier frontier
    vector[Bucket] arrivals  # states that jump over positions, where they come to; in turns: a power of two of them
    vector[vector[Choice]] offered  # the choices of the last positions, in the same turns
    size_t turns  # mask of positions: a power of two, less 1
    vector[Link] links  # there may be more behind them
    size_t link_count
    Ranking ranking
    int32_t link  # the last match of the best


cdef inline int make_room_for_links(Sweep& sweep, size_t more) except -1 nogil:
    if sweep.link_count + more >= INT32_MAX:
        no_room()
    if sweep.links.size() < sweep.link_count + more:
        sweep.links.resize(2 * (sweep.link_count + more))


cdef inline void add_link(Sweep& sweep, State& state) noexcept nogil:
    """Keep the match that a state chose last, where there is room for it."""
    cdef Link* link = sweep.links.data() + sweep.link_count
    cdef const Choice* choice
    if state.choice != NO_CHOICE:
        choice = sweep.offered[state.position & sweep.turns].data() + state.choice
        link.candidate, link.grade, link.previous = choice.candidate, choice.grade, state.link
        state.link, state.choice = <int32_t>sweep.link_count, NO_CHOICE
        sweep.link_count += 1


cdef inline void branch(const State& state, int32_t position, Sweep& sweep, Merger& merger) noexcept nogil:
    """Make a state of each extension that it can still take; of none, unless one of them is as good."""
    cdef const Extension* extension = sweep.choices.extensions.data()
    cdef const Extension* none = extension + sweep.choices.extensions.size() - 1
    cdef const Extension* last = none
    cdef Bucket* bucket
    cdef State* child
    cdef uint64_t used = state.used
    cdef int64_t value = state.value
    cdef int32_t open_ = state.open, link = state.link
    while extension <= last:
        if used & extension.words:
            extension += 1
            continue
        if extension.turn == NEXT:
            child = merger.states + merger.count
            if extension.beats:
                last = none - 1
        else:
            bucket = &sweep.arrivals[extension.turn]
            child = &bucket.states[bucket.count]
            bucket.count += 1
        child.value = value + (extension.joined if extension.start == open_ else extension.apart)
        child.used = (used | extension.words) & extension.kept
        child.open, child.link = extension.open, link
        child.choice, child.position = extension.choice, position
        if extension.turn == NEXT:
            merge_state(merger)
        extension += 1


cdef inline void arrive(const Bucket& bucket, int32_t position, Sweep& sweep) noexcept nogil:
    """Merge the states that jump to a position."""
    cdef size_t index
    cdef State* child
    for index in range(bucket.count):
        child = sweep.merger.states + sweep.merger.count
        child[0] = bucket.states[index]
        if sweep.choices.starts[child.open] != position:
            child.open = CLOSED
        merge_state(sweep.merger)
