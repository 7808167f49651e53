"""The rules of the optimal search, taken from Python; and that search itself, for numbers of more than 64 bits."""



@cython.final
@cython.no_gc
cdef class PythonOptimal:
    """`meteorlib.search.optimal`, asked for a segment now and then."""

    cdef object search
    cdef tuple gains

    def __cinit__(self, search, tuple gains):
        self.search, self.gains = search, gains

    cdef lay_down(self, Plan* plan):
        """Write what the search goes by into a plan."""
        from meteorlib.search.optimal import relaxation, search
        from meteorlib.search.optimal.graph import Worth

        cdef int stage
        rules = &plan.rules
        rules.budget = self.search.budget
        rules.hopeless, rules.heuristic_width = search.HOPELESS, search.HEURISTIC_WIDTH
        rules.largest, rules.words_per_share = search.LARGEST, search.WORDS_PER_SHARE
        rules.attempts = min(len(search.SCHEDULE), ATTEMPTS)
        for turn, (width, iterations) in enumerate(search.SCHEDULE[:ATTEMPTS]):
            rules.widths[turn], rules.iterations[turn] = width, iterations
        ascent = &rules.ascent
        ascent.enough, ascent.deflection = relaxation.ENOUGH, relaxation.DEFLECTION
        ascent.patience, ascent.phases = relaxation.PATIENCE, relaxation.PHASES
        ascent.target = relaxation.TARGET
        worth = Worth.of(self.gains, truncated=isinstance(self.search, search.OptimalTruncated))
        value = &rules.value
        value.truncated = worth.truncated
        value.fits = 0 < worth.scale < 1 << 20 and all([0 <= gain < 1 << 20 for gain in worth.gains])
        if value.fits:
            value.scale = worth.scale
            for stage in range(len(worth.gains)):
                value.gains[stage] = worth.gains[stage]
        plan.owner, plan.search_in_python = <void*>self, &search_in_python


cdef int search_in_python(
    void* owner, const Segment& reference, const Segment& hypothesis, const Problem& problem,
    vector[Candidate]& chosen, bool& optimal,
) except -1 with gil:
    """Hand the candidates of a segment to Python."""
    cdef PythonOptimal it = <PythonOptimal>owner
    cdef int32_t position, index, word, opening
    cdef Candidate candidate
    cdef tuple key
    cdef list here, candidates = []
    cdef dict known = {}
    for position in range(<int32_t>reference.words.size()):
        word, opening = reference.which[position], reference.openings[position]
        key = (word, opening)
        if key not in known:
            here = known[key] = []
            for index in range(candidates_at(reference, problem, position)):
                candidate = candidate_at(reference, problem, position, index)
                here.append((candidate.length, candidate.start, candidate.words, candidate.stage))
        candidates.append(known[key])
    matches, proven = it.search(candidates, hypothesis.words.size(), it.gains)
    optimal = proven
    chosen.clear()
    for candidate.position, candidate.length, candidate.start, candidate.words, candidate.stage in matches:
        chosen.push_back(candidate)
    return 0
