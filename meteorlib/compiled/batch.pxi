"""Segments that are read together, and what is found for each of them."""


cdef bool is_plain_text(text):
    """Whether it is a string that `meteorlib.text.validation.check_text` has nothing to say of."""
    cdef Py_ssize_t place, length
    cdef int kind
    cdef const void* data
    cdef uint32_t letter
    if type(text) is not str:
        return False
    length, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
    if length > LONGEST_TEXT:
        return False
    if kind == 1:
        return memchr(data, 0, length) == NULL
    for place in range(length):
        letter = PyUnicode_READ(kind, data, place)
        if letter == 0 or 0xD800 <= letter <= 0xDFFF:
            return False
    return True


cdef bool is_plain_pair(pair):
    """Whether a segment is one at a glance: lists of strings that are text."""
    cdef object text
    if type(pair) is not Pair or type(pair[0]) is not list or not pair[0] or not is_plain_text(pair[1]):
        return False
    for text in <list>pair[0]:
        if not is_plain_text(text):
            return False
    return True


@cython.final
@cython.no_gc
cdef class Batch:
    """Segments that were read before any of them is aligned, so that threads seldom wait for each other."""

    cdef list hypotheses, references  # `CompiledSegment`; the latter of all segments in a row
    cdef dict fresh  # text → reference that is not yet described
    cdef vector[Segment*] begun  # all that is not yet described
    cdef vector[const Segment*] lines  # the hypotheses
    cdef vector[const Segment*] others
    cdef vector[size_t] ends  # for each segment the end of its references

    def __cinit__(self):
        self.hypotheses, self.references, self.fresh = [], [], {}

    cdef int read(self, CompiledEngine engine, list pairs, known) except -1:
        """Read the texts of each segment; references that are known already are only looked up."""
        cdef CompiledSegment reference, hypothesis
        engine.paraphrases.check()
        for texts, line in pairs:
            references = [self.reference(engine, text, known) for text in texts]
            hypothesis = engine.reader.words_of(line, False)
            self.hypotheses.append(hypothesis)
            self.begun.push_back(&hypothesis.it)
            self.lines.push_back(&hypothesis.it)
            for found in references:
                reference = found
                if reference.vocabulary is not hypothesis.vocabulary:
                    reference = engine.of_now(reference, hypothesis)
                self.references.append(reference)
                self.others.push_back(&reference.it)
            self.ends.push_back(self.others.size())

    cdef CompiledSegment reference(self, CompiledEngine engine, text, known):
        """A reference; one that is new is read."""
        cdef PyObject* found = PyDict_GetItemWithError(known, text)
        if found == NULL:
            found = PyDict_GetItemWithError(self.fresh, text)
        if found != NULL:
            return <CompiledSegment>found
        cdef CompiledSegment reference = engine.reader.words_of(text)
        self.fresh[text] = reference
        self.begun.push_back(&reference.it)
        return reference

    cdef int describe(self, CompiledEngine engine, Work& work) except -1 nogil:
        """Describe what is new."""
        cdef size_t index
        for index in range(self.begun.size()):
            if index + 1 < self.begun.size():
                fetch_words(self.begun[index + 1][0])
            engine.complete(self.begun[index][0], work)

    cdef int find(
        self, size_t index, CompiledEngine engine, Work& work, bool worst, bool whole, Found& found
    ) except -1 nogil:
        """Align a segment with each of its references; the best one counts, or the worst.

        Without `whole`, matches and grades are left out.
        """
        cdef int64_t counts[MOST]
        cdef double scored
        cdef size_t place, first = self.ends[index - 1] if index else 0
        for place in range(first, self.ends[index]):
            scored = score(
                self.others[place][0], self.lines[index][0], engine.plan, engine.paraphrases.it, work, counts
            )
            if place == first or (scored < found.score if worst else scored > found.score):
                found.score, found.index, found.optimal = scored, place - first, work.optimal
                found.counts.assign(counts, counts + size_of_counts(engine.plan.formula))
                if whole:
                    found.matches, found.grades = work.chosen, work.grades

    cdef keep(self, known):
        """Make the new references known, now that they are complete."""
        for text, found in self.fresh.items():
            known.keep(text, found)


@cython.final
@cython.no_gc
cdef class Evidence:
    """Words, matches and counts of an aligned segment. It never changes, and knows nothing of the engine."""

    cdef Found it
    cdef list texts  # of the words, by their numbers
    cdef vector[int32_t] reference, hypothesis  # numbers of words
    cdef bool graded

    cdef tuple words(self, const vector[int32_t]& numbers):
        """Words in order."""
        cdef size_t position
        cdef list texts = self.texts
        return tuple([texts[numbers[position]] for position in range(numbers.size())])

    @property
    def score(self):
        """The score."""
        return self.it.score

    @property
    def reference_index(self):
        """Which reference it is of, from 0."""
        return self.it.index

    @property
    def optimal(self):
        """Whether the search proved the matches the best."""
        return self.it.optimal

    @property
    def grades(self):
        """The grades of the matches; None where no stage grades them."""
        return tuple(self.it.grades) if self.graded else None

    def matches(self):
        """The matches, in reference order."""
        cdef Candidate match
        cdef list matches = []
        new = tuple.__new__
        for match in self.it.matches:
            matches.append(new(Match, (match.position, match.length, match.start, match.words, match.stage)))
            if not len(matches) & LOOK_UP_EVERY:
                look_around()
        return tuple(matches)

    def statistics(self):
        """Their counts."""
        return statistics_of(self.it.counts)

    def alignment(self, tuple stages):
        """The alignment, for the names of the stages."""
        reference, hypothesis = self.words(self.reference), self.words(self.hypothesis)
        return Alignment(reference, hypothesis, self.matches(), stages, self.it.optimal, self.grades)


cdef statistics_of(const vector[int64_t]& counted):
    """Counts in the order of the kernel as `Statistics`."""
    cdef list counts = counted
    cdef Py_ssize_t base, end = len(counts) - LAST - (len(counts) - LENGTHS - LAST) % 4
    stages = tuple([StageCounts(*counts[base : base + 4]) for base in range(LENGTHS, end, 4)])
    order = OrderCounts(*counts[end + LAST :]) if len(counts) > end + LAST else None
    return Statistics(*counts[:LENGTHS], stages, *counts[end : end + LAST], order)
