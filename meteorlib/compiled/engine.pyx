# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of the text caches, the matchers, the searches ``beam`` and ``greedy``, the counts and the formula.

The Python code is the reference; this does the same on numbers: chunks of text and words are looked up once, and what
is known of a word (stem, synonym sets, function word, phrase of the paraphrase table) is asked once. Matching, search
and score run without the GIL.
"""

cimport cython
from cpython.dict cimport PyDict_GetItemWithError
from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_DecodeASCII, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.math cimport NAN, frexp, isnan, ldexp, pow
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memcmp, memcpy, memset
from libcpp cimport bool
from libcpp.algorithm cimport sort
from libcpp.deque cimport deque
from libcpp.vector cimport vector

from meteorlib.core.alignment import Match

cdef extern from *:
    """
    #ifndef _WIN32
    #include <sys/stat.h>
    #include <time.h>
    #endif
    static inline int64_t meteor_now(void) {
    #ifdef _WIN32
        return 0;
    #else
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    #endif
    }
    static inline int meteor_unchanged(int descriptor, int64_t size, int64_t modified, int64_t changed) {
    #ifdef _WIN32  // a mapped file cannot be cut short there
        return 1;
    #else
        struct stat status;
        struct timespec modification, change;
        if (fstat(descriptor, &status) != 0 || status.st_size != size)
            return 0;
        #ifdef __APPLE__
        modification = status.st_mtimespec, change = status.st_ctimespec;
        #else
        modification = status.st_mtim, change = status.st_ctim;
        #endif
        return modification.tv_sec * INT64_C(1000000000) + modification.tv_nsec == modified
            && change.tv_sec * INT64_C(1000000000) + change.tv_nsec == changed;
    #endif
    }
    static inline void meteor_prefetch(const void* place) {
    #if defined(__GNUC__) || defined(__clang__)
        __builtin_prefetch(place);
    #endif
    }
    struct MeteorPlace { uint32_t phrase; int32_t start; int32_t length; };
    static inline bool operator<(const MeteorPlace& a, const MeteorPlace& b) {
        return a.phrase < b.phrase || (a.phrase == b.phrase && a.start < b.start);
    }
    """
    int64_t meteor_now() nogil
    bint meteor_unchanged(int descriptor, int64_t size, int64_t modified, int64_t changed) nogil
    void meteor_prefetch(const void* place) nogil
    cdef struct MeteorPlace:
        uint32_t phrase
        int32_t start
        int32_t length

ctypedef MeteorPlace Place

cdef enum:
    EXACT = 0
    STEM = 1
    SYNONYM = 2
    LEMMA = 3
    FILTER_WORDS = 16
    JUST_NOW = 1000000  # nanoseconds
    LARGE = 1 << 16  # a workspace that has grown beyond it is not kept
    LOOK_UP_EVERY = (1 << 16) - 1

include "steps.pxi"
include "words.pxi"
include "chunks.pxi"
include "vocabulary.pxi"
include "phrases.pxi"
include "candidates.pxi"
include "beam.pxi"
include "fixed.pxi"
include "narrow.pxi"
include "greedy.pxi"
include "counts.pxi"


cdef inline str plain(text):
    """A string itself; of a subclass, e.g. numpy's, a plain copy."""
    return text if type(text) is str else str.__str__(text)


cdef cppclass Work:
    """What one alignment needs."""
    Finder finder
    Problem problem
    Beam beam
    Free free
    vector[Candidate] found  # the chosen candidates in the order of the search
    vector[Candidate] chosen  # the same by position
    vector[int32_t] places


@cython.final
@cython.no_gc
cdef class Workspace:
    """Work that is kept for the next alignment; what is not given back goes with the object."""

    cdef Work it


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


@cython.no_gc
cdef class CompiledEngine:
    """Reads and analyzes text, finds METEOR 1.5's alignment (or NLTK's), counts and scores it."""

    cdef object chunk_reader, line_reader, stemmer, synset_finder, form_finder, lemma_finder, number_finder
    cdef object is_function, table_owner
    cdef bool lowers, characters, greedy
    cdef int32_t width
    cdef int word_stages, phrase_stage
    cdef int kinds[STAGES]
    cdef double gains[STAGES]
    cdef int64_t word_ranks[STAGES]
    cdef Formula formula
    cdef Vocabulary vocabulary
    cdef Table table
    cdef int64_t checked  # when, in nanoseconds
    cdef const uint32_t[::1] nodes_view, last_view, targets_view
    cdef list idle  # workspaces

    def __init__(self, text, stages, gains, str search, int width, is_function, bool characters, parameters):
        """Make an engine.

        Args:
            text: the text mode: ``words`` of a line, and maybe ``token`` (see `meteorlib.text.token`).
            stages: for each stage its kind and what it works with: "exact" and None, "stem" and a stemmer, "synonym"
                and a synset finder, "lemma" (not beside "synonym") and a lexicon of lemma names, "paraphrase" (only at
                the end, only for the beam) and a table; at most eight.
            gains: for each stage, what a word is worth in the search.
            search: "beam" or "greedy".
            width: paths that the beam keeps.
            is_function: word → whether it is a function word.
            characters: whether words count as their UTF-16 code units.
            parameters: of the formula.
        """
        self.vocabulary = Vocabulary()
        self.idle = []
        self.line_reader = text.words
        self.chunk_reader, self.lowers = getattr(text, "token", None), getattr(text, "lowers", False)
        self.is_function = is_function
        self.characters = characters
        self.width = width
        self.greedy = search == "greedy"
        self.phrase_stage = -1
        self.word_stages = 0
        formula = &self.formula
        formula.alpha, formula.beta = parameters.alpha, parameters.beta
        formula.gamma, formula.delta = parameters.gamma, parameters.delta
        formula.stages = len(stages)
        formula.forgiving = parameters.formula == "meteor-1.5"
        for stage, (kind, data) in enumerate(stages):
            formula.weights[stage] = parameters.weights[stage]
            self.gains[stage] = gains[stage]
            self.word_ranks[stage] = (2 * <int64_t>self.gains[stage]) << MATCHED
            if kind == "paraphrase":
                self.phrase_stage = stage
                self._open(data)
                continue
            self.kinds[stage] = ("exact", "stem", "synonym", "lemma").index(kind)
            self.word_stages += 1
            if kind == "stem":
                self.stemmer = data
            elif kind == "synonym":
                self.synset_finder = data
            elif kind == "lemma":
                self.form_finder, self.lemma_finder = data.form, data.names

    cdef _open(self, table):
        self.table_owner = table
        self.number_finder = table.word
        self.nodes_view, self.last_view, self.targets_view = table.nodes, table.last_words, table.targets
        self.table.nodes, self.table.last_words = &self.nodes_view[0], &self.last_view[0]
        self.table.targets = &self.targets_view[0]
        self.table.count, self.table.target_count = len(table.last_words), len(table.targets)
        self._watch()

    cdef _watch(self):
        """Take over what the files of the table were verified as."""
        cdef Watched* watched = self.table.files
        for file in self.table_owner.mapped:
            watched.descriptor = file.fileno()
            watched.size, watched.modified, watched.changed, _ = file.state
            watched += 1

    cdef int check(self) except -1 nogil:
        """Raise an error where somebody has written to the table: before a score is handed out."""
        if self.phrase_stage >= 0:
            if not is_unchanged(self.table):
                with gil:
                    self.table_owner.check()
                    self._watch()
            self.checked = meteor_now()

    cdef int check_again(self) except -1 nogil:
        """The same unless it was done just now: before the table is read, for it could have been cut short."""
        if self.phrase_stage >= 0 and meteor_now() - self.checked > JUST_NOW:
            self.check()

    cdef Vocabulary _vocabulary(self):
        if len(self.vocabulary.texts) > VOCABULARY_LIMIT or self.vocabulary.chunks.count > CHUNK_LIMIT:
            self.vocabulary = Vocabulary()
        return self.vocabulary

    def read(self, line):
        """Analyze a line of raw text."""
        self.check_again()
        return self._described(self.words_of(line))

    def analyze(self, words):
        """Analyze the words of one side."""
        self.check_again()
        return self._described(self._segment(words, self._vocabulary()))

    cdef CompiledSegment words_of(self, given):
        """The words of a line, not yet described."""
        cdef str line = plain(given)
        cdef Vocabulary vocabulary = self._vocabulary()
        cdef CompiledSegment segment = CompiledSegment.__new__(CompiledSegment)
        cdef vector[Chunk] chunks
        segment.vocabulary = vocabulary
        if (
            self.chunk_reader is not None
            and self._look_up(vocabulary, line, chunks)
            and read_words(vocabulary.chunks, chunks, segment.it.words)
        ):
            return segment
        return self._segment(self.line_reader(line), vocabulary)

    cdef CompiledSegment _segment(self, words, Vocabulary vocabulary):
        cdef CompiledSegment segment = CompiledSegment.__new__(CompiledSegment)
        segment.vocabulary = vocabulary
        for word in words:
            segment.it.words.push_back(self._word(vocabulary, plain(word)))
        return segment

    cdef CompiledSegment _described(self, CompiledSegment segment):
        cdef Workspace workspace = self.take_workspace()
        self.complete(segment.it, workspace.it)
        self.give_back(workspace)
        return segment

    cdef int complete(self, Segment& segment, Work& work) except -1 nogil:
        """Describe the words of a segment."""
        describe(segment, work.places)
        memset(segment.filter, 0, sizeof(segment.filter))
        if self.phrase_stage >= 0 and not find_phrases(segment, self.table, work.finder):
            with gil:
                raise self.table_owner.damaged("its numbers lead out of the table")

    cdef bool _look_up(self, Vocabulary vocabulary, str line, vector[Chunk]& chunks) except? False:
        """Find the chunks of a line; False where one of them asks for the whole line."""
        cdef int kind = PyUnicode_KIND(line)
        cdef void* data = PyUnicode_DATA(line)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(line), begin = 0, end
        cdef uint64_t hash
        cdef Chunk* chunk
        cdef int last = 0
        grow(vocabulary.chunks)
        while not last:
            end = begin
            while end < length and PyUnicode_READ(kind, data, end) != c" ":
                end += 1
            last = end == length
            if end - begin > CHUNK_LENGTH:
                return False
            hash = hashed(kind, data, begin, end, last)
            chunk = slot_of(vocabulary.chunks, hash, kind, data, begin, end, last)
            if chunk.length:
                chunks.push_back(chunk[0])
            else:
                chunks.push_back(self._learn_chunk(vocabulary, line[begin:end], hash, last))
            if chunks.back().whole:
                return False
            if not chunks.size() & LOOK_UP_EVERY:
                PyErr_CheckSignals()
            begin = end + 1
        return True

    cdef Chunk _learn_chunk(self, Vocabulary vocabulary, str text, uint64_t hash, int last) except *:
        """Ask the text mode what a chunk becomes, and keep the answer."""
        cdef Chunk chunk
        cdef vector[Word*] words
        cdef int variant = 0
        cdef size_t before
        cdef Chunk* slot
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text)
        memset(&chunk, 0, sizeof(chunk))
        lone = lone_word(kind, data, length) if self.lowers else None
        read = self.chunk_reader(text + " " if last else text) if lone is None else None
        if lone is not None:
            words.push_back(self._word(vocabulary, lone))
            chunk.variants = chunk.counts[0] = 1
            chunk.kind = DIGIT if lone[0] <= u"9" else LOWER if text[0] >= u"a" else OTHER
        elif read is None:
            chunk.whole = 1
        else:
            chunk.begins, chunk.ends, chunk.kind = read.begins, read.ends, read.initial
            if len(read.variants) not in (1, VARIANTS):
                raise ValueError(f"a chunk of text has 1 or {VARIANTS} variants, got {len(read.variants)}: {text!r}")
            chunk.variants = len(read.variants)
            for found in read.variants:
                before = words.size()
                for word in found:
                    words.push_back(self._word(vocabulary, plain(word)))
                if words.size() - before > 255:  # a text mode that makes many words of a letter
                    chunk.whole = 1
                chunk.counts[variant] = words.size() - before
                variant += 1
        # no Python code runs from here on, so no other thread can meddle with the vocabulary
        grow(vocabulary.chunks)
        slot = slot_of(vocabulary.chunks, hash, kind, data, 0, length, last)
        if slot.length:  # another thread was quicker
            return slot[0]
        chunk.hash, chunk.length = hash, length + 1
        chunk.text, chunk.words = vocabulary.chunks.texts.size(), vocabulary.chunks.words.size()
        for place in range(length):
            vocabulary.chunks.texts.push_back(PyUnicode_READ(kind, data, place))
        vocabulary.chunks.texts.push_back(last)
        vocabulary.chunks.words.insert(vocabulary.chunks.words.end(), words.begin(), words.end())
        vocabulary.chunks.count += 1
        slot[0] = chunk
        return chunk

    cdef Word* _word(self, Vocabulary vocabulary, str text) except NULL:
        cdef PyObject* known = PyDict_GetItemWithError(vocabulary.ids, text)
        return self._learn(vocabulary, text) if known == NULL else vocabulary.by_id[<object>known]

    cdef Word* _learn(self, Vocabulary vocabulary, str text) except NULL:
        """Ask all that must be known of a new word."""
        cdef Word word
        synsets, stemmed = [], None
        word.stem, word.form, word.size, number = -1, -1, 1, -1
        if self.stemmer is not None:
            stemmed = self.stemmer(text)
            word.stem = vocabulary.stem_ids.setdefault(stemmed, len(vocabulary.stem_ids))
        if self.synset_finder is not None:
            synsets = sorted(self.synset_finder(text))
        if self.form_finder is not None:
            forms = vocabulary.form_ids
            spelled = stemmed if self.form_finder is self.stemmer else self.form_finder(text)
            word.form = forms.setdefault(spelled, len(forms))
            names = {spelled, *[name for name in self.lemma_finder(spelled) if "_" not in name]}
            synsets = sorted([forms.setdefault(name, len(forms)) for name in names])
        if self.number_finder is not None:
            number = self.number_finder(text)
        if self.characters:
            word.size = len(text.encode("utf-16-le", "surrogatepass")) // 2
        word.function = 1 if self.is_function(text) else 0
        known = vocabulary.ids.get(text)
        if known is not None:  # another thread was quicker
            return vocabulary.by_id[known]
        word.id = <int32_t>len(vocabulary.texts)
        word.synset_count = <int32_t>len(synsets)
        word.synsets = vocabulary.keep(synsets)
        if not read_phrase(self.table, number, word.phrase):
            raise self.table_owner.damaged("its numbers lead out of the table")
        vocabulary.words.push_back(word)
        vocabulary.by_id.push_back(&vocabulary.words.back())
        vocabulary.texts.append(text)
        vocabulary.ids[text] = word.id
        return vocabulary.by_id.back()

    def align(self, CompiledSegment reference, CompiledSegment hypothesis):
        """Align two segments.

        Returns:
            The matches in reference order, and the counts of `Statistics`: lengths and function words (hypothesis,
            reference), four for each stage, chunks, penalized chunks, matched words (hypothesis, reference).
        """
        cdef int64_t counts[MOST]
        cdef Candidate match
        reference = self.of_now(reference, hypothesis)
        cdef Workspace workspace = self.take_workspace()
        with nogil:
            self._search(reference.it, hypothesis.it, workspace.it)
            count(reference.it, hypothesis.it, workspace.it.chosen, self.formula, counts)
            self.check()
        new = tuple.__new__
        matches = tuple([
            new(Match, (match.position, match.length, match.start, match.words, match.stage))
            for match in workspace.it.chosen
        ])
        self.give_back(workspace)
        return matches, [counts[index] for index in range(size_of_counts(self.formula))]

    def scores(self, list references, CompiledSegment hypothesis):
        """The score alone, against each reference."""
        cdef vector[const Segment*] segments
        cdef vector[double] found
        cdef int64_t counts[MOST]
        cdef CompiledSegment reference
        cdef size_t index
        kept = [self.of_now(one, hypothesis) for one in references]  # the segments live as long as this list
        for reference in kept:
            segments.push_back(&reference.it)
        found.resize(segments.size())
        cdef Workspace workspace = self.take_workspace()
        with nogil:
            for index in range(segments.size()):
                found[index] = self.score(segments[index][0], hypothesis.it, workspace.it, counts)
            self.check()
        self.give_back(workspace)
        return found

    cdef double score(
        self, const Segment& reference, const Segment& hypothesis, Work& work, int64_t* counts
    ) except -1 nogil:
        """Align, count and score."""
        self._search(reference, hypothesis, work)
        count(reference, hypothesis, work.chosen, self.formula, counts)
        return score_of(counts, self.formula)

    def sums(self, bint worst):
        """Sums to add segments to; see `CompiledSums`."""
        return CompiledSums(self, worst)

    cdef CompiledSegment of_now(self, CompiledSegment reference, CompiledSegment hypothesis):
        """A reference that is older than the last change of vocabulary is analyzed anew."""
        if reference.vocabulary is hypothesis.vocabulary:
            return reference
        if reference.renewed is None or reference.renewed.vocabulary is not hypothesis.vocabulary:
            reference.renewed = self._described(self._segment(reference.words, hypothesis.vocabulary))
        return reference.renewed

    cdef Workspace take_workspace(self):
        return self.idle.pop() if self.idle else Workspace.__new__(Workspace)

    cdef give_back(self, Workspace workspace):
        """Keep a workspace, but for one that has grown."""
        work = &workspace.it
        if not (
            work.problem.units.capacity() > LARGE
            or work.problem.found.capacity() > LARGE
            or work.beam.links.capacity() > LARGE
            or work.beam.used.capacity() > LARGE
            or work.places.capacity() > LARGE
            or work.free.heads.capacity() > LARGE
            or work.finder.runs.capacity() > LARGE
        ):
            self.idle.append(workspace)

    cdef int _search(self, const Segment& reference, const Segment& hypothesis, Work& work) except -1 nogil:
        """Find the matches; see `work.chosen`."""
        step(400 * <int64_t>(reference.words.size() + hypothesis.words.size()))
        cdef bool same = same_words(reference, hypothesis)
        cdef int stages = min(self.word_stages, 1) if same else self.word_stages
        cdef int phrase_stage = -1 if same and self.phrase_stage > 0 else self.phrase_stage
        work.found.clear()
        if self.greedy:
            search_greedily(reference, hypothesis, self.kinds, stages, work.free, work.found)
        else:
            propose_words(reference, hypothesis, self.kinds, stages, work.problem)
            propose_phrases(reference, hypothesis, self.table.targets, phrase_stage, work.problem)
            work.beam.width = self.width
            work.beam.word_ranks, work.beam.gains = self.word_ranks, self.gains
            search_beam(reference, hypothesis, work.problem, self.formula.stages, work.beam, work.found)
        put_in_place(work, <int32_t>reference.words.size())


include "sums.pxi"
