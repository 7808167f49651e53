"""The plan of a kernel: its search, formula and matchers, read from the Python objects that describe them."""

SEARCHES = {
    "beam": BEAM, "greedy": GREEDY, "staged": STAGED, "optimal": OPTIMAL, "weighted": WEIGHTED,
}  # fmt: skip
"""Kernels of searches, by the name of the search in a preset."""


cdef plan_search(Plan* plan, str search, settings):
    """Set the search and its limits; no stage has a place yet."""
    plan.search = SEARCHES[search]
    plan.width = settings.width if plan.search not in (GREEDY, STAGED) else 0
    plan.budget = settings.budget if plan.search == STAGED else 0
    plan.valuation.vector_stage, plan.valuation.context_stage = -1, -1
    plan.word_stages, plan.joined_stage, plan.phrase_stage, plan.near_stage, plan.late_stage = 0, -1, -1, -1, -1
    if plan.search == WEIGHTED:
        plan.valuation.chunk, plan.valuation.distance, plan.valuation.far, plan.valuation.kept = settings.costs


cdef plan_formula(Formula* formula, parameters, int stages):
    """Set the numbers of the formula, and those penalties of faults that are not 0."""
    formula.numbers = {name: getattr(parameters, name) for name in NUMERIC_PARAMETERS}
    formula.penalties = 0
    for name, share in FAULT_PENALTIES.items():
        if getattr(parameters, name):
            factor, whole = WHOLES[share.whole]
            formula.faults[formula.penalties] = {
                "price": getattr(parameters, name),
                "count": FaultCounts._fields.index(share.counted),
                "whole": FaultCounts._fields.index(whole),
                "factor": factor,
                "exponent": share.exponent,
                "limit": share.limit,
            }
            formula.penalties += 1
    formula.faulted = parameters.counts_faults
    formula.stages = stages
    formula.exempt = parameters.exempts_perfect
    formula.harmonic, formula.ordered = parameters.formula == "meteor-1.5", parameters.formula == "meteor-2026"
    for stage in range(stages):
        formula.weights[stage] = parameters.weights[stage]


cdef plan_values(Plan* plan, parameters, int scale, case):
    """Set what counts of candidates in a search that weighs them, once all stages have their places."""
    plan.valuation.factor = SCALE // scale
    plan.valuation.cased = SCALE if case is None else round(case * SCALE)
    plan.valuation.near_stage = plan.near_stage
    if plan.search == WEIGHTED:
        for stage in range(plan.formula.stages):
            plan.valuation.values[stage] = round(parameters.weights[stage] * SCALE)


cdef plan_context(Plan* plan, InContext in_context, int stage, matcher):
    """Give the stage of words in context its place."""
    plan.valuation.context_stage, plan.valuation.context = stage, matcher.context_share
    plan.compare_in_context, plan.in_context = &compare_in_context, <void*>in_context


cdef plan_stage(Plan* plan, Learner learner, Paraphrases paraphrases, int stage, str kernel, matcher):
    """Give a stage its place in the plan, and the learner what its matcher works with."""
    learner.take(kernel, matcher)
    if kernel == "vector":
        plan.threshold = matcher.threshold
    elif kernel == "joined":
        learner.joined, plan.joined_stage = True, stage
    elif kernel == "paraphrase":
        plan.phrase_stage = stage
        paraphrases.open(matcher.table)
    elif kernel == "near":
        from meteorlib.matchers.near import IGNORED_SIGNS, SHORTEST

        learner.near, learner.shortest, learner.ignored = True, SHORTEST, IGNORED_SIGNS
        plan.near_stage, plan.least, plan.prefix = stage, matcher.least_grade, matcher.prefix_share
    if kernel == "vector" and (plan.joined_stage >= 0 or plan.phrase_stage >= 0 or plan.near_stage >= 0):
        plan.late_stage = stage
        if plan.near_stage >= 0:
            plan.valuation.vector_stage = stage
    elif kernel in WORD_MATCHERS:
        plan.matchers[stage] = WORD_MATCHERS[kernel]
        plan.word_stages += 1
