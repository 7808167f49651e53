"""Settings of the optimal search, read from the Python modules."""

@cython.final
@cython.no_gc
cdef class PythonOptimal:
    """The rules of `meteorlib.search.optimal`."""

    cdef object search
    cdef tuple gains

    def __cinit__(self, search, tuple gains):
        self.search, self.gains = search, gains

    cdef write_rules(self, Plan* plan):
        """Write what the search goes by into a plan."""
        from meteorlib.search import optimal
        from meteorlib.search import optimal_graph
        from meteorlib.search.optimal_graph import whole_gains

        cdef int stage
        rules = &plan.rules
        rules.budget = self.search.budget
        rules.hopeless, rules.heuristic_width = optimal.HOPELESS, optimal.HEURISTIC_WIDTH
        rules.largest, rules.words_per_share = optimal.LARGEST, optimal.WORDS_PER_SHARE
        rules.attempts = min(len(optimal.SCHEDULE), ATTEMPTS)
        for turn, (width, iterations) in enumerate(optimal.SCHEDULE[:ATTEMPTS]):
            rules.widths[turn], rules.iterations[turn] = width, iterations
        ascent = &rules.ascent
        ascent.enough, ascent.deflection = optimal_graph.ENOUGH, optimal_graph.DEFLECTION
        ascent.patience, ascent.phases = optimal_graph.PATIENCE, optimal_graph.PHASES
        ascent.target = optimal_graph.TARGET
        whole = whole_gains(self.gains)
        value = &rules.value
        value.fits = all([0 <= gain < 1 << 20 for gain in whole])
        if value.fits:
            for stage in range(len(whole)):
                value.gains[stage] = whole[stage]
