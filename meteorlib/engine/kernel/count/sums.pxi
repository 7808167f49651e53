"""Sums over segments; the compiled form of adding `meteorlib.core.totals.Totals`."""

cdef enum:
    EXPONENTS = 1200  # 53 - exponent is at most 1126 for a double
    FULL = 1000  # mantissas of 53 bits that add up to 63 bits at most


@cython.no_gc
cdef class CompiledSums:
    """Contents of `Totals`, as numbers."""

    cdef Kernel engine
    cdef int64_t summed[MOST]
    cdef readonly int64_t segments, empty_hypotheses, empty_references, inexact
    cdef readonly int64_t unlocked  # nanoseconds of the processor without the GIL
    cdef int64_t waiting
    cdef int64_t mantissas[EXPONENTS]  # of the scores, by exponent
    cdef object flushed

    def __cinit__(self, Kernel engine):
        """Start with nothing; `engine` scores the segments."""
        self.engine = engine
        self.flushed = 0
        memset(self.summed, 0, sizeof(self.summed))
        memset(self.mantissas, 0, sizeof(self.mantissas))

    def add(self, list pairs, known, Py_ssize_t place, list scores=None):
        """Add segments, `FULL` at most.

        All are read before any is aligned, so that threads that add to sums of their own seldom wait for each other.
        After an error, none of them is added.

        Args:
            pairs: for each segment the texts of its references, and that of its hypothesis.
            known: text → reference; those that are new come to it when they are complete.
            place: of the first segment in its stream, from 0, for errors.
            scores: gets the score of each segment; None: nobody wants them.
        """
        cdef Batch batch = Batch()
        cdef vector[Found] found
        cdef Workspace workspace
        cdef size_t index
        cdef int64_t begun
        if self.waiting + <int64_t>len(pairs) > FULL:
            self._flush()
        batch.read(self.engine, pairs, known, place)
        workspace = self.engine.workspaces.take()
        try:
            with nogil:
                begun = thread_time()
                found.resize(batch.lines.size())
                for index in range(found.size()):
                    batch.find(index, self.engine, workspace.it, False, found[index])
                self.engine.paraphrases.check()
                for index in range(found.size()):
                    self._add(found[index])
                self.unlocked += batch.unlocked + thread_time() - begun
        except Exception as error:
            blame(error, place + batch.at)
            raise
        self.engine.workspaces.give_back(workspace)
        self.engine.reader.give_back(batch.hypotheses)
        batch.keep(known)
        if scores is not None:
            for index in range(found.size()):
                scores.append(found[index].score)

    def add_results(self, list found):
        """Add segments that are aligned already.

        Args:
            found: the `SegmentResult` of each, `FULL` at most.
        """
        cdef SegmentResult result
        if self.waiting + <int64_t>len(found) > FULL:
            self._flush()
        for result in found:
            self._add(result.it)

    cdef void _add(self, const Found& found) noexcept nogil:
        """Add a segment."""
        cdef size_t index
        cdef int exponent
        cdef double mantissa
        for index in range(found.counts.size()):
            self.summed[index] += found.counts[index]
        self.segments += 1
        self.inexact += not found.optimal
        self.empty_hypotheses += found.counts[0] == 0
        self.empty_references += found.counts[1] == 0
        if found.score > 0:
            # whole numbers by exponent: a sum of doubles would depend on the order of the segments
            mantissa = frexp(found.score, &exponent)
            self.mantissas[53 - exponent] += <int64_t>ldexp(mantissa, 53)
            self.waiting += 1

    cdef _flush(self):
        cdef int place
        for place in range(EXPONENTS):
            if self.mantissas[place]:
                self.flushed += <object>self.mantissas[place] << (EXPONENTS - place)
                self.mantissas[place] = 0
        self.waiting = 0

    def exact_sum(self, int bits):
        """The sum of the scores, as a whole number of 2**-bits."""
        self._flush()
        return self.flushed >> (EXPONENTS - bits)

    def statistics(self):
        """The sums of the counts."""
        cdef vector[int64_t] counts
        counts.assign(self.summed, self.summed + size_of_counts(self.engine.plan.formula))
        return statistics_of(counts, self.engine.plan.formula.stages)
