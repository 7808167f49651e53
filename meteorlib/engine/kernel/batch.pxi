"""Segments that are read together, and the result of each."""


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


cdef enum:
    FEW_LINES = 16  # are read at once, as it takes some time to give the GIL away

cdef struct Text:  # of a segment that has no words yet
    int kind
    const void* data
    Py_ssize_t length
    Segment* segment
    PyObject* owner  # of the segment
    Line* cut
    bool known  # that it has its words now


@cython.final
@cython.no_gc
cdef class Batch:
    """Segments that were read before any of them is aligned, so that threads seldom wait for each other."""

    cdef list hypotheses, references  # `CompiledSegment`; the latter of all segments in a row
    cdef dict fresh  # text → reference that is not yet described
    cdef vector[Segment*] begun  # all that is not yet described
    cdef vector[size_t] begun_ends  # for each segment the end of what was begun for it
    cdef vector[Text] texts  # of those
    cdef Room room
    cdef vector[const Segment*] lines  # the hypotheses
    cdef vector[const Segment*] others
    cdef vector[size_t] ends  # for each segment the end of its references
    cdef size_t at  # the segment that is read or aligned
    cdef int64_t unlocked  # nanoseconds of the processor without the GIL

    def __cinit__(self):
        self.hypotheses, self.references, self.fresh = [], [], {}

    cdef int read(self, Kernel engine, list pairs, known, Py_ssize_t first) except -1:
        """Read the texts of each segment; references that are known already are only looked up.

        `first` is the place of the first one in its stream, for errors.

        Lines of tokens that are known are read without the GIL, and of the others most new words are drafted there.
        """
        cdef Reader reader = engine.reader
        cdef Vocabulary vocabulary
        cdef size_t index
        cdef tuple pair
        cdef list texts
        cdef CompiledSegment segment
        engine.paraphrases.check()
        vocabulary = reader.current()
        for pair in pairs:
            texts, line = pair
            for text in texts:
                self.references.append(self.reference(text, known, vocabulary))
            self.ends.push_back(len(self.references))
            self.hypotheses.append(self.begin(reader.blank(), line, vocabulary))
            self.begun_ends.push_back(self.begun.size())
        if self.texts.size() > FEW_LINES and reader.token_reader is not None:
            vocabulary.tokens.slots.grow(vocabulary.tokens.count)
            self.room = reader.rooms.pop() if reader.rooms else Room()
            with nogil:
                self.read_known(vocabulary, reader)
            reader.learner.keep_all(vocabulary, self.room.drafts)
            for index in range(self.texts.size()):
                segment = <CompiledSegment>self.texts[index].owner
                segment.cut = self.texts[index].cut
                if self.texts[index].known:
                    segment.line = None
        self.at = 0
        try:
            self.read_new(engine)
        except Exception as error:
            blame(error, first + self.at)
            raise
        if self.room is not None:
            reader.give_room(self.room)
            self.room = None

    cdef CompiledSegment reference(self, text, known, Vocabulary vocabulary):
        """A reference; one that is new is begun."""
        cdef PyObject* found = PyDict_GetItemWithError(known, text)
        if found == NULL:
            found = PyDict_GetItemWithError(self.fresh, text)
        if found != NULL:
            return <CompiledSegment>found
        cdef CompiledSegment reference = self.begin(CompiledSegment.__new__(CompiledSegment), text, vocabulary)
        self.fresh[text] = reference
        return reference

    cdef CompiledSegment begin(self, CompiledSegment segment, line, Vocabulary vocabulary):
        """Note what is to be read."""
        cdef Text text
        segment.line, segment.vocabulary = line, vocabulary
        self.begun.push_back(&segment.it)
        if type(line) is str:
            text.kind, text.data, text.length = PyUnicode_KIND(line), PyUnicode_DATA(line), PyUnicode_GET_LENGTH(line)
            text.segment, text.owner, text.known = &segment.it, <PyObject*>segment, False
            text.cut = NULL
            self.texts.push_back(text)
        return segment

    cdef int read_known(self, Vocabulary vocabulary, Reader reader) except -1 nogil:
        """Read what needs nobody to be asked, and draft words of the rest."""
        cdef int64_t begun = thread_time()
        cdef size_t index, count = 0
        cdef Text* text
        cdef Line* cut
        if self.room.cuts.size() < self.texts.size():
            self.room.cuts.resize(self.texts.size())
        self.room.drafts.words.clear()
        self.room.drafts.synsets.clear()
        for index in range(self.texts.size()):
            text = &self.texts[index]
            cut = &self.room.cuts[count]
            if not cut_line(text.kind, text.data, text.length, cut.stretches):
                continue
            find_tokens(vocabulary.tokens.slots.table(), text.kind, text.data, cut[0])
            text.known = read_known(cut.tokens, text.segment.words)
            if not text.known:
                text.cut = cut
                count += 1
            elif reader.learner.cased:
                lower(text.segment[0])
        if reader.learner.drafts:
            for index in range(self.texts.size()):
                text = &self.texts[index]
                if text.cut != NULL:
                    reader.draft_words(vocabulary, text.kind, text.data, text.cut[0], self.room.drafts)
            reader.learner.draft_all(vocabulary, self.room.drafts)
        self.unlocked += thread_time() - begun

    cdef int read_new(self, Kernel engine) except -1:
        """Read what is left, segment by segment."""
        cdef CompiledSegment reference, hypothesis
        cdef size_t index, place, first = 0
        for index in range(self.ends.size()):
            self.at = index
            for place in range(first, self.ends[index]):
                engine.reader.fill(self.references[place])
            hypothesis = self.hypotheses[index]
            engine.reader.fill(hypothesis)
            self.lines.push_back(&hypothesis.it)
            for place in range(first, self.ends[index]):
                reference = self.references[place]
                if reference.vocabulary is not hypothesis.vocabulary:
                    self.references[place] = reference = engine.renew(reference, hypothesis)
                self.others.push_back(&reference.it)
            first = self.ends[index]

    cdef int describe(self, size_t segment, Kernel engine, Work& work) except -1 nogil:
        """Describe what is new in a segment, right before it is aligned: its words are near then."""
        cdef size_t index
        for index in range(self.begun_ends[segment - 1] if segment else 0, self.begun_ends[segment]):
            if index + 1 < self.begun.size():
                fetch_words(self.begun[index + 1][0])
            engine.complete(self.begun[index][0], work)

    cdef int find(
        self, size_t index, Kernel engine, Work& work, bool whole, Found& found
    ) except -1 nogil:
        """Align a segment with each of its references; one counts, as `meteorlib.core.breakdown.reduce_breakdowns` says.

        Without `whole`, matches and grades are left out.
        """
        cdef int64_t counts[MOST]
        cdef double scored
        cdef bint better
        cdef size_t place, first = self.ends[index - 1] if index else 0
        self.at = index
        if not self.begun.empty():
            self.describe(index, engine, work)
        for place in range(first, self.ends[index]):
            scored = score(
                self.others[place][0], self.lines[index][0], engine.plan, engine.paraphrases.it, work, counts
            )
            if place != first and engine.by_counts and scored == found.score:
                better = has_larger_counts(counts, found.counts)
            else:
                better = place == first or (scored < found.score if engine.worst else scored > found.score)
            if better:
                found.score, found.index, found.optimal = scored, place - first, work.optimal
                found.counts.assign(counts, counts + size_of_counts(engine.plan.formula))
                if whole:
                    found.matches, found.grades = work.chosen, work.grades

    cdef keep(self, known):
        """Make the new references known, now that they are complete."""
        for text, found in self.fresh.items():
            known.keep(text, found)


cdef inline bint has_larger_counts(const int64_t* counts, const vector[int64_t]& others) noexcept nogil:
    """Whether the first counts that differ are larger than the others."""
    cdef size_t index
    for index in range(others.size()):
        if counts[index] != others[index]:
            return counts[index] > others[index]
    return False


@cython.final
@cython.no_gc
cdef class SegmentResult:
    """Words, matches and counts of an aligned segment. It never changes, and knows nothing of the engine."""

    cdef Found it
    cdef Vocabulary vocabulary  # None once the sides are made
    cdef vector[int32_t] reference, hypothesis  # numbers of words
    cdef tuple sides  # the words of both; None until somebody asks for them
    cdef int stage_count
    cdef object counted, aligned  # the statistics and the alignment, once somebody has asked for them
    cdef bool graded

    cdef int set_words(self, CompiledSegment reference, CompiledSegment hypothesis) except -1:
        """Take the words over by their numbers, as segments are used again."""
        self.vocabulary = hypothesis.vocabulary
        number_words(reference.it, self.reference)
        number_words(hypothesis.it, self.hypothesis)

    cdef tuple words(self):
        """The words of the reference, and those of the hypothesis."""
        cdef Vocabulary vocabulary = self.vocabulary  # another thread may be quicker
        if self.sides is None:
            self.sides = side_of(vocabulary, self.reference), side_of(vocabulary, self.hypothesis)
            self.vocabulary = None
        return self.sides

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
            if not len(matches) & CHECK_CANCEL_EVERY:
                check_cancel()
        return tuple(matches)

    def statistics(self):
        """Their counts."""
        if self.counted is None:
            counted = statistics_of(self.it.counts, self.stage_count)
            self.counted = counted if self.counted is None else self.counted  # another thread may be quicker
        return self.counted

    def alignment(self, tuple stages):
        """The alignment, for the names of the stages."""
        if self.aligned is None:
            reference, hypothesis = self.words()
            aligned = Alignment(reference, hypothesis, self.matches(), stages, self.it.optimal, self.grades)
            self.aligned = aligned if self.aligned is None else self.aligned  # another thread may be quicker
        return self.aligned

    def flatten(self, into):
        """Append the words by their numbers, matches, grades and counts to `FlatSegments`."""
        cdef vector[int32_t] segment, grades = self.it.grades
        cdef vector[int64_t] counts = self.it.counts
        cdef Py_ssize_t end = LENGTHS + 4 * self.stage_count
        grades.resize(self.it.matches.size(), SCALE)
        rotate(counts.begin() + LENGTHS, counts.begin() + end, counts.begin() + end + LAST)  # stages come behind
        cdef Vocabulary vocabulary = self.vocabulary  # another thread may be quicker
        segment = [self.reference.size(), self.hypothesis.size(), grades.size(), self.it.index, self.it.optimal]
        if vocabulary is None:
            flatten_words(self.sides[0], into.numbers, into.reference)
            flatten_words(self.sides[1], into.numbers, into.hypothesis)
        else:
            known = into.numbers.known(vocabulary.texts)
            flatten_numbers(self.reference, vocabulary, into.numbers, known, into.reference)
            flatten_numbers(self.hypothesis, vocabulary, into.numbers, known, into.hypothesis)
        append_all(into.matches, self.it.matches.data(), self.it.matches.size() * sizeof(Candidate) // sizeof(int32_t))
        append_all(into.grades, grades.data(), grades.size())
        append_all(into.counts, counts.data(), counts.size())
        append_all(into.segments, segment.data(), segment.size())
        return True


cdef inline int append_all(array into, const void* data, Py_ssize_t count) except -1:
    """Append items; where there are none, there may be no address."""
    if count:
        extend_buffer(into, <char*>data, count)
    return 0


cdef flatten_words(tuple words, numbers, array into):
    """Append the number of each word."""
    for word in words:
        into.append(numbers[word])


cdef int flatten_numbers(
    const vector[int32_t]& words, Vocabulary vocabulary, numbers, array known, array into
) except -1:
    """Append the number of each word, given by that in the vocabulary; see `WordNumbers.known`."""
    cdef vector[int32_t] flat
    cdef size_t position
    cdef int32_t* found
    flat.resize(words.size())
    for position in range(words.size()):
        found = <int32_t*>known.data.as_ints + words[position]
        if found[0] < 0:
            found[0] = numbers[vocabulary.text(words[position])]
        flat[position] = found[0]
    return append_all(into, flat.data(), flat.size())


cdef statistics_of(const vector[int64_t]& counted, int stage_count):
    """Counts in the order of the kernel as `Statistics`."""
    cdef list counts = counted
    cdef Py_ssize_t base, end = LENGTHS + 4 * stage_count
    stages = tuple([StageCounts(*counts[base : base + 4]) for base in range(LENGTHS, end, 4)])
    behind = end + LAST
    order = OrderCounts(*counts[behind : behind + ORDER]) if len(counts) > behind else None
    faults = FaultCounts(*counts[behind + ORDER :]) if len(counts) > behind + ORDER else None
    return Statistics(*counts[:LENGTHS], stages, *counts[end : end + LAST], order, faults)
