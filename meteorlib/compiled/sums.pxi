"""Sums over segments; a twin of adding `meteorlib.corpus.totals.Totals` up."""

cdef enum:
    EXPONENTS = 1200
    FULL = 1000  # so many mantissas of 53 bits add up to 63


@cython.no_gc
cdef class CompiledSums:
    """What `Totals` holds, as numbers."""

    cdef CompiledEngine engine
    cdef bint worst
    cdef int64_t summed[MOST]
    cdef readonly int64_t segments, empty_hypotheses, empty_references
    cdef int64_t waiting
    cdef int64_t mantissas[EXPONENTS]  # of the scores, by exponent
    cdef object flushed

    def __cinit__(self, CompiledEngine engine, bint worst):
        """Start with nothing.

        Args:
            engine: scores the segments.
            worst: of several references take the one with the lowest score, not the highest.
        """
        self.engine = engine
        self.worst = worst
        self.flushed = 0
        memset(self.summed, 0, sizeof(self.summed))
        memset(self.mantissas, 0, sizeof(self.mantissas))

    def add(self, list references, str line):
        """Add a segment: its analysed references, and the raw text of its hypothesis."""
        cdef vector[int64_t] counts
        cdef vector[double] scores
        cdef size_t place, best = 0
        cdef int index, exponent, size = size_of_counts(self.engine.formula)
        cdef double score
        self.engine.count_and_score(references, self.engine.read(line), &counts, &scores)
        for place in range(1, scores.size()):
            if scores[place] < scores[best] if self.worst else scores[place] > scores[best]:
                best = place
        for index in range(size):
            self.summed[index] += counts[best * size + index]
        self.segments += 1
        self.empty_hypotheses += counts[best * size] == 0
        self.empty_references += counts[best * size + 1] == 0
        score = scores[best]
        if score > 0:
            score = frexp(score, &exponent)
            self.mantissas[53 - exponent] += <int64_t>ldexp(score, 53)
            self.waiting += 1
            if self.waiting == FULL:
                self._flush()

    cdef _flush(self):
        cdef int place
        for place in range(EXPONENTS):
            if self.mantissas[place]:
                self.flushed += <object>self.mantissas[place] << (EXPONENTS - place)
                self.mantissas[place] = 0
        self.waiting = 0

    def exact_sum(self, int unit):
        """The sum of the scores, as a whole number of 2**-unit."""
        self._flush()
        return self.flushed >> (EXPONENTS - unit)

    def counts(self):
        """The sums of the counts; see `CompiledEngine.align`."""
        return [self.summed[index] for index in range(size_of_counts(self.engine.formula))]
