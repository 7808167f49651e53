"""Alignment and score of two described segments."""

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.search.beam cimport search_wide
from meteorlib.engine.kernel.search.expansion cimport Sweep
from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, add_pairs, propose_words
from meteorlib.engine.kernel.search.choices cimport Task, Valuation
from meteorlib.engine.kernel.match.context cimport Context
from meteorlib.engine.kernel.count.counts cimport SCALE, STAGES, Formula, count_matches, score_of
from meteorlib.engine.kernel.search.fixed_matches cimport split_fixed
from meteorlib.engine.kernel.search.greedy cimport Free, search_greedily
from meteorlib.engine.kernel.match.joined cimport Joined, find_keys, propose_joined
from meteorlib.engine.kernel.search.narrow_beam cimport NarrowBeam, is_narrow, search_narrow
from meteorlib.engine.kernel.match.near cimport Near, propose_near
from meteorlib.engine.kernel.search.optimal cimport (
    FOUND, PROVEN, TOO_LARGE, TOO_WIDE, Optimal, Rules, is_too_large, match_straight, search_optimal,
)
from meteorlib.engine.kernel.search.optimal_graph cimport cost_of
from meteorlib.engine.kernel.search.beam_paths cimport Beam
from meteorlib.engine.kernel.match.phrases cimport Finder, Table, find_phrases
from meteorlib.engine.kernel.match.phrase_candidates cimport propose_phrases
from meteorlib.engine.kernel.search.staged cimport Staged, is_large_staged, search_staged
from meteorlib.engine.kernel.search.states cimport Bucket
from meteorlib.engine.kernel.steps cimport step
from meteorlib.engine.kernel.search.sweep cimport search_weighted
from meteorlib.engine.kernel.words.words cimport Segment, describe, same_words


cdef enum:
    LARGE = 1 << 16  # work that has grown beyond it is not kept

    BEAM = 0  # searches
    GREEDY = 1
    WEIGHTED = 2
    OPTIMAL = 3
    STAGED = 4

ctypedef int (*CompareInContext)(
    void* owner, const Segment& reference, const Segment& hypothesis, Context& context
) except -1 nogil

cdef struct Plan:  # how segments are aligned, as a preset has it
    int search
    int32_t width  # paths or states that a beam keeps
    int64_t budget  # steps of the search; 0: it has none
    int64_t most_pairs  # candidates of a segment
    int word_stages
    int joined_stage  # -1: none, like the next three
    int phrase_stage
    int late_stage  # of vectors, behind joined words, phrases or near words
    int near_stage
    int32_t least  # grade of near words
    int32_t prefix  # bonus of near words for a common beginning
    double threshold  # of vectors
    int matchers[STAGES]  # of the word stages
    double gains[STAGES]
    Valuation valuation
    Rules rules  # of the optimal search
    CompareInContext compare_in_context
    void* in_context  # its first argument
    Formula formula

cdef cppclass Work:
    """Memory of one alignment: its candidates, the state of its search and its result."""
    Finder finder
    Problem problem
    Joined joined
    Near near
    Context context
    Beam beam
    NarrowBeam narrow_beam
    Sweep sweep
    Optimal best
    Free free
    Staged staged
    vector[Candidate] found  # the chosen candidates in the order of the search
    vector[Candidate] chosen  # the same by position
    vector[int32_t] grades  # how much of each of these counts; none where all count whole
    bool optimal  # whether the search proved them the best
    vector[int32_t] places


cdef inline bool is_large_bucket(const Bucket& bucket) noexcept nogil:
    return bucket.states.capacity() > LARGE or bucket.used.capacity() > LARGE


cdef inline bool is_large_sweep(const Sweep& sweep) noexcept nogil:
    cdef size_t index
    for index in range(sweep.arrivals.size()):
        if is_large_bucket(sweep.arrivals[index]) or sweep.offered[index].capacity() > LARGE:
            return True
    return (
        is_large_bucket(sweep.here)
        or is_large_bucket(sweep.after)
        or sweep.links.capacity() > LARGE
        or sweep.ranking.seen.capacity() > LARGE
        or sweep.choices.here.capacity() > LARGE
        or sweep.choices.coming.capacity() > LARGE
        or sweep.choices.free.capacity() > LARGE
    )


cdef inline bool is_large_optimal(const Optimal& best) noexcept nogil:
    cdef size_t index
    for index in range(best.labels.buckets.size()):
        if best.labels.buckets[index].labels.capacity() > LARGE or best.labels.buckets[index].used.capacity() > LARGE:
            return True
    return (
        best.graph.arcs.capacity() > LARGE
        or best.labels.links.capacity() > LARGE
        or best.labels.usable.capacity() > LARGE
        or best.labels.masks.capacity() > LARGE
    )


cdef inline bool is_large(const Work& work) noexcept nogil:
    return (
        work.problem.units.capacity() > LARGE
        or work.problem.found.capacity() > LARGE
        or work.beam.links.capacity() > LARGE
        or work.beam.sets.rows.capacity() > LARGE
        or work.places.capacity() > LARGE
        or work.free.heads.capacity() > LARGE
        or work.finder.runs.capacity() > LARGE
        or work.joined.found.capacity() > LARGE
        or work.near.units.capacity() > LARGE
        or work.context.cosines.capacity() > LARGE
        or is_large_sweep(work.sweep)
        or is_large_optimal(work.best)
        or is_large_staged(work.staged)
    )


cdef inline bint complete(Segment& segment, const Plan& plan, const Table& table, Work& work) except -1 nogil:
    """Describe the words of a segment, once or again; False where the paraphrase table is damaged."""
    describe(segment, work.places)
    if plan.joined_stage >= 0:
        find_keys(segment)
    return plan.phrase_stage < 0 or find_phrases(segment, table, work.finder)


cdef inline int search_beam(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, Work& work
) except -1 nogil:
    """Fix the matches that nothing competes with, then search for the best of the others with the beam."""
    work.beam.width = plan.width
    work.beam.gains = &plan.gains[0]
    split_fixed(reference, hypothesis, work.problem, work.beam, work.found)
    if work.beam.open.empty():
        return 0
    if is_narrow(reference, hypothesis, work.problem, work.beam, plan.formula.stages):
        search_narrow(reference, work.problem, work.beam, work.narrow_beam, work.found)
    else:
        search_wide(reference, hypothesis, work.problem, work.beam, work.found)


cdef inline int asked(int stage, bool same) noexcept nogil:
    """A stage, or none (-1) where both sides are the same words and it is not the first one."""
    return -1 if same and stage > 0 else stage


cdef inline Task task_of(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, const Work& work
) noexcept nogil:
    """Two sides, what was proposed for them, and how it is valued."""
    cdef Task task
    task.reference, task.hypothesis, task.valuation = &reference, &hypothesis, &plan.valuation
    task.problem, task.joined, task.near, task.context = &work.problem, &work.joined, &work.near, &work.context
    return task


cdef inline int leave_to_python() except -1 with gil:
    """End the work on a segment that the kernel cannot align: `CompiledEngine` hands it to the Python engine."""
    from meteorlib.engine.implementation import LeftToPython

    raise LeftToPython


cdef inline int search_by_value(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, bint same, Work& work
) except -1 nogil:
    """Propose what only this search takes, too, and search."""
    propose_joined(reference, hypothesis, asked(plan.joined_stage, same), work.problem, work.joined)
    propose_near(
        reference, hypothesis, asked(plan.near_stage, same), plan.least, plan.prefix, work.problem, work.near
    )
    if plan.valuation.context_stage >= 0:
        plan.compare_in_context(plan.in_context, reference, hypothesis, work.context)
        if asked(plan.valuation.context_stage, same) < 0:
            work.context.begins.assign(reference.words.size() + 1, 0)
        add_pairs(reference, hypothesis, work.context.begins.back(), work.problem)
    search_weighted(
        task_of(reference, hypothesis, plan, work), plan.width, work.sweep, work.chosen, work.grades, work.optimal
    )


cdef inline void reduce_grades(int64_t factor, vector[int32_t]& grades) noexcept nogil:
    """Let this share of every match count."""
    cdef size_t index
    for index in range(grades.size()):
        grades[index] = <int32_t>(grades[index] * factor // SCALE)


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


cdef inline int search_best(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, Work& work
) except -1 nogil:
    """The best alignment, or the better one of the best found and the beam's."""
    cdef int outcome = TOO_LARGE
    cdef int32_t length = <int32_t>reference.words.size()
    if not is_too_large(reference, hypothesis, work.problem, plan.rules):
        outcome = search_optimal(reference, hypothesis, work.problem, plan.rules, work.best, work.chosen)
    elif length == <int32_t>hypothesis.words.size() and match_straight(
        reference, work.problem, plan.gains, plan.formula.stages, work.chosen
    ):
        outcome = PROVEN
    if outcome == TOO_WIDE:
        leave_to_python()
    work.optimal = outcome == PROVEN
    if outcome == PROVEN:
        return 0
    search_beam(reference, hypothesis, plan, work)
    if outcome == FOUND:
        work.best.beaten.swap(work.chosen)
        put_in_place(work, length)
        if cost_of(work.best.graph, plan.rules.value, work.chosen) >= work.best.cost:
            work.best.beaten.swap(work.chosen)
    else:
        put_in_place(work, length)


cdef inline int align(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, const Table& table, Work& work,
    int64_t* counts,
) except -1 nogil:
    """Find the matches, `work.chosen`, and count them."""
    step(400 * <int64_t>(reference.words.size() + hypothesis.words.size()))
    cdef bool same = same_words(reference, hypothesis)
    cdef int stages = min(plan.word_stages, 1) if same else plan.word_stages
    cdef int phrase_stage = asked(plan.phrase_stage, same), late_stage
    work.found.clear()
    work.grades.clear()
    work.optimal = True
    if plan.search == GREEDY:
        search_greedily(reference, hypothesis, plan.matchers, stages, work.free, work.found)
        put_in_place(work, <int32_t>reference.words.size())
    else:
        work.problem.pairs, work.problem.most_pairs = 0, plan.most_pairs
        propose_words(reference, hypothesis, plan.matchers, stages, plan.threshold, work.problem)
        late_stage = asked(plan.late_stage, same)
        propose_phrases(
            reference, hypothesis, table.targets, phrase_stage, late_stage, plan.threshold, work.problem
        )
        if plan.search == BEAM:
            search_beam(reference, hypothesis, plan, work)
            put_in_place(work, <int32_t>reference.words.size())
        elif plan.search == OPTIMAL:
            search_best(reference, hypothesis, plan, work)
        elif plan.search == WEIGHTED:
            search_by_value(reference, hypothesis, plan, same, work)
        elif not search_staged(
            reference, hypothesis, work.problem, stages, plan.budget, work.staged, work.chosen, work.optimal
        ):
            leave_to_python()
        if plan.valuation.context_stage >= 0:
            reduce_grades(work.context.factor, work.grades)
    count_matches(reference, hypothesis, work.chosen, work.grades, plan.formula, work.places, counts)


cdef inline double score(
    const Segment& reference, const Segment& hypothesis, const Plan& plan, const Table& table, Work& work,
    int64_t* counts,
) except -1 nogil:
    """Align, count and score."""
    align(reference, hypothesis, plan, table, work, counts)
    return score_of(counts, plan.formula)
