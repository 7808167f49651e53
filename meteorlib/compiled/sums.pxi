"""Sums over segments; a twin of adding `meteorlib.core.totals.Totals` up."""

cdef enum:
    EXPONENTS = 1200
    FULL = 1000  # so many mantissas of 53 bits add up to 63


@cython.no_gc
cdef class CompiledSums:
    """What `Totals` holds, as numbers."""

    cdef CompiledEngine engine
    cdef bint worst
    cdef int64_t summed[MOST]
    cdef readonly int64_t segments, empty_hypotheses, empty_references, inexact
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

    def add(self, list pairs, known):
        """Add segments, `FULL` at most.

        All are read before any is aligned, so that threads that add to sums of their own seldom wait for each other.

        Args:
            pairs: for each segment the texts of its references, and that of its hypothesis.
            known: text → reference; those that are new come to it when they are complete.
        """
        cdef CompiledSegment reference, hypothesis
        cdef vector[const Segment*] references
        cdef vector[Segment*] hypotheses
        cdef vector[Segment*] begun  # references
        cdef vector[size_t] ends
        cdef Workspace workspace
        cdef size_t index, first = 0
        cdef dict fresh = {}
        kept = []  # the segments live as long as this list
        if self.waiting + <int64_t>len(pairs) > FULL:
            self._flush()
        self.engine.paraphrases.check()
        for texts, line in pairs:
            hypothesis = self.engine.reader.words_of(line)
            kept.append(hypothesis)
            hypotheses.push_back(&hypothesis.it)
            for text in texts:
                found = known.get(text) or fresh.get(text)
                if found is None:
                    found = fresh[text] = self.engine.reader.words_of(text)
                    reference = found
                    begun.push_back(&reference.it)
                reference = found
                if reference.vocabulary is not hypothesis.vocabulary:
                    reference = self.engine.of_now(reference, hypothesis)
                kept.append(reference)
                references.push_back(&reference.it)
            ends.push_back(references.size())
        workspace = self.engine.take_workspace()
        with nogil:
            for index in range(begun.size()):
                self.engine.complete(begun[index][0], workspace.it)
            for index in range(hypotheses.size()):
                self.engine.complete(hypotheses[index][0], workspace.it)
                self._add(references, first, ends[index], hypotheses[index][0], workspace.it)
                first = ends[index]
            self.engine.paraphrases.check()
        self.engine.give_back(workspace)
        for text, found in fresh.items():
            known.keep(text, found)

    cdef int _add(
        self, const vector[const Segment*]& references, size_t first, size_t end, const Segment& hypothesis,
        Work& work,
    ) except -1 nogil:
        """Add a segment; of several references the one with the best score counts."""
        cdef int64_t counts[MOST]
        cdef int64_t best_counts[MOST]
        cdef double found, best = -1.0
        cdef bool optimal = True
        cdef size_t place
        cdef int index, exponent, size = size_of_counts(self.engine.plan.formula)
        for place in range(first, end):
            found = score(
                references[place][0], hypothesis, self.engine.plan, self.engine.paraphrases.it, work, counts
            )
            if best < 0 or (found < best if self.worst else found > best):
                best, optimal = found, work.optimal
                memcpy(best_counts, counts, size * sizeof(int64_t))
        for index in range(size):
            self.summed[index] += best_counts[index]
        self.segments += 1
        self.inexact += not optimal
        self.empty_hypotheses += best_counts[0] == 0
        self.empty_references += best_counts[1] == 0
        if best > 0:
            best = frexp(best, &exponent)
            self.mantissas[53 - exponent] += <int64_t>ldexp(best, 53)
            self.waiting += 1

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
        return [self.summed[index] for index in range(size_of_counts(self.engine.plan.formula))]
