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
        cdef CompiledSegment hypothesis = self.engine.read(line)
        cdef int64_t counts[MOST]
        cdef int64_t best_counts[MOST]
        cdef double score, best = -1.0
        cdef int index, exponent, size = LENGTHS + 4 * self.engine.formula.stages + 4
        for reference in references:
            score = self.engine.counted_score(reference, hypothesis, counts)
            if best < 0 or (score < best if self.worst else score > best):
                best = score
                memcpy(best_counts, counts, size * sizeof(int64_t))
        for index in range(size):
            self.summed[index] += best_counts[index]
        self.segments += 1
        self.empty_hypotheses += best_counts[0] == 0
        self.empty_references += best_counts[1] == 0
        if best > 0:
            best = frexp(best, &exponent)
            self.mantissas[53 - exponent] += <int64_t>ldexp(best, 53)
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
        return [self.summed[index] for index in range(LENGTHS + 4 * self.engine.formula.stages + 4)]
