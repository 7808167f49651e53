"""From two described segments to matches, counts and score."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.compiled.beam cimport Beam, search_wide
from meteorlib.compiled.candidates cimport Candidate, Problem, propose_phrases, propose_words
from meteorlib.compiled.counts cimport STAGES, Formula, count_matches, score_of
from meteorlib.compiled.fixed cimport split_fixed
from meteorlib.compiled.greedy cimport Free, search_greedily
from meteorlib.compiled.narrow cimport Narrow, is_narrow, search_narrow
from meteorlib.compiled.phrases cimport Finder, Table, find_phrases
from meteorlib.compiled.steps cimport step
from meteorlib.compiled.words cimport Segment, describe, same_words


cdef enum:
    LARGE = 1 << 16  # work that has grown beyond it is not kept

cdef struct Plan:  # how segments are aligned, as a preset has it
    bool greedy
    int32_t width  # paths that the beam keeps
    int word_stages
    int phrase_stage  # -1: none
    int matchers[STAGES]  # of the word stages
    double gains[STAGES]
    int64_t word_ranks[STAGES]
    Formula formula

cdef cppclass Work:
    """What one alignment needs."""
    Finder finder
    Problem problem
    Beam beam
    Narrow narrow
    Free free
    vector[Candidate] found  # the chosen candidates in the order of the search
    vector[Candidate] chosen  # the same by position
    vector[int32_t] places


cdef inline bool is_large(const Work& work) noexcept nogil:
    return (
        work.problem.units.capacity() > LARGE
        or work.problem.found.capacity() > LARGE
        or work.beam.links.capacity() > LARGE
        or work.beam.used.capacity() > LARGE
        or work.places.capacity() > LARGE
        or work.free.heads.capacity() > LARGE
        or work.finder.runs.capacity() > LARGE
    )


cdef inline bint complete(Segment& segment, const Plan& plan, const Table& table, Work& work) except -1 nogil:
    """Describe the words of a segment, once or again; False where the paraphrase table is damaged."""
    describe(segment, work.places)
    memset(segment.filter, 0, sizeof(segment.filter))
    return plan.phrase_stage < 0 or find_phrases(segment, table, work.finder)


cdef inline int search_beam(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, Work& work
) except -1 nogil:
    """What nothing competes with, then the best of what does."""
    work.beam.width = plan.width
    work.beam.word_ranks = &plan.word_ranks[0]
    work.beam.gains = &plan.gains[0]
    split_fixed(reference, hypothesis, work.problem, work.beam, work.found)
    if work.beam.open.empty():
        return 0
    if is_narrow(reference, hypothesis, work.problem, work.beam, plan.formula.stages):
        search_narrow(reference, work.problem, work.beam, work.narrow, work.found)
    else:
        search_wide(reference, hypothesis, work.problem, work.beam, work.found)


cdef inline int put_in_place(Work& work, int32_t length) except -1 nogil:
    """Sort what was found by position."""
    cdef size_t index
    cdef int32_t position
    work.places.assign(length, -1)
    work.chosen.clear()
    for index in range(work.found.size()):
        work.places[work.found[index].position] = <int32_t>index
    for position in range(length):
        if work.places[position] >= 0:
            work.chosen.push_back(work.found[work.places[position]])


cdef inline int align(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, const Table& table, Work& work,
    int64_t* counts,
) except -1 nogil:
    """Find the matches, `work.chosen`, and count them."""
    step(400 * <int64_t>(reference.words.size() + hypothesis.words.size()))
    cdef bool same = same_words(reference, hypothesis)
    cdef int stages = min(plan.word_stages, 1) if same else plan.word_stages
    cdef int phrase_stage = -1 if same and plan.phrase_stage > 0 else plan.phrase_stage
    work.found.clear()
    if plan.greedy:
        search_greedily(reference, hypothesis, plan.matchers, stages, work.free, work.found)
    else:
        propose_words(reference, hypothesis, plan.matchers, stages, work.problem)
        propose_phrases(reference, hypothesis, table.targets, phrase_stage, work.problem)
        search_beam(reference, hypothesis, plan, work)
    put_in_place(work, <int32_t>reference.words.size())
    count_matches(reference, hypothesis, work.chosen, plan.formula, counts)


cdef inline double score(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, const Table& table, Work& work,
    int64_t* counts,
) except -1 nogil:
    """Align, count and score."""
    align(reference, hypothesis, plan, table, work, counts)
    return score_of(counts, plan.formula)
