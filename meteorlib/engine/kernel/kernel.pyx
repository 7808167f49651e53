"""The compiled form of text caches, matchers, searches, counts and the formula.

The Python code is the reference; this does the same on numbers: tokens and words are looked up once, and what
is known of a word (stem, synonym sets, function word, phrase of the paraphrase table) is asked once.

A border runs through it. The ``.pxd`` files are the kernel: structures of C++ and functions that hold no Python object
and need no interpreter, so that matching, search and score run without the GIL; only to raise an error, or to look
whether the work is still wanted (`steps`), do they ask for it. They say by name what they take from each other. What
touches Python objects is this file and the ``.pxi`` files that it is made of: a vocabulary, a reader that asks Python's
text modes and lexicons, the watch over a paraphrase table, sums, and the engine, which hands segments to the kernel.
"""

cimport cython
from cpython.array cimport array, extend_buffer
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.dict cimport PyDict_GetItemWithError
from cpython.exc cimport PyErr_CheckSignals
from cpython.memoryview cimport PyMemoryView_GET_BUFFER
from cpython.ref cimport Py_REFCNT, PyObject
from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_DATA, PyUnicode_DecodeASCII, PyUnicode_FromKindAndData, PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from libc.math cimport frexp, ldexp
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memset
from libcpp cimport bool
from libcpp.algorithm cimport find, lower_bound, rotate, sort, unique
from libcpp.string cimport string
from libcpp.vector cimport vector

from meteorlib.engine.kernel.alignment cimport (
    BEAM, GREEDY, OPTIMAL, STAGED, WEIGHTED, Plan, Work, complete, is_large, score,
)
from meteorlib.engine.kernel.text.memory_blocks cimport Arena
from meteorlib.engine.kernel.match.candidates cimport (
    EXACT, LEMMA, STEM, SYNONYM, VECTOR, Candidate,
)
from meteorlib.engine.kernel.match.context cimport Context
from meteorlib.engine.kernel.count.counts cimport LAST, LENGTHS, MOST, ORDER, SCALE, Formula, size_of_counts
from meteorlib.engine.kernel.count.found cimport Found
from meteorlib.engine.kernel.words.lexicon cimport Lexicon, Rule, find_by_part, find_offsets
from meteorlib.engine.kernel.text.concurrent_table cimport Table as HashTable, place_of
from meteorlib.engine.kernel.text.text_table cimport (
    WIDE, Directory, Name, PyUnicode_READ, add_number, hashed, name_at, number_at, prepare_name, room_for_text, write_text,
)
from meteorlib.engine.kernel.search.optimal cimport ATTEMPTS
from meteorlib.engine.kernel.text.tokenizer cimport ACRONYM, DOT, ELIDED, FOREIGN, QUOTE, WORD, Piece, cut, is_alphanumeric, is_other, mark_of
from meteorlib.engine.kernel.match.phrases cimport Table, Watched, is_unchanged, read_phrase
from meteorlib.engine.kernel.words.records cimport APPROACHES, Records, approach, find_records, index_of_word, open_records
from meteorlib.engine.kernel.match.spelling cimport spell
from meteorlib.engine.kernel.words.snowball cimport Machine, Program, find_stem
from meteorlib.engine.kernel.words.stems cimport stem
from meteorlib.engine.kernel.words.suffixes cimport Stemmer, Suffix
from meteorlib.engine.kernel.steps cimport check_cancel
from meteorlib.engine.kernel.system cimport prefetch, thread_time
from meteorlib.engine.kernel.text.tokens cimport (
    DIGIT, LOWER, MOST_WORDS, NOTHING, OTHER, TOKEN_LENGTH, VARIANTS, Line, Stretch, Token, add_token, cut_line,
    find_tokens, is_marked, read_known, read_words, token_at,
)
from meteorlib.engine.kernel.words.words cimport (
    CAPITAL, CONTENT, LETTERED, NEGATION, OMISSIBLE, Number, Phrase, Segment, Spelling, Word, fetch_words, lower,
)

from meteorlib.core import numbers_and_letters as letter_rules
from meteorlib.core.alignment import Alignment, Match
from meteorlib.core.statistics import OrderCounts, StageCounts
from meteorlib.core.faults import WHOLES, FaultCounts
from meteorlib.core.number_readings import LISTED as listed_numbers, read_number
from meteorlib.core.segment import Pair
from meteorlib.core.parameters import FAULTS as FAULT_PENALTIES, NUMERIC_PARAMETERS
from meteorlib.core.statistics import Statistics
from meteorlib.errors import blame
from meteorlib.resources.stemmers import StemmerCode
from meteorlib.resources.store.record_table import tables_of
from meteorlib.text import case as case_rules, validation

cdef Py_ssize_t LONGEST_TEXT = validation.LONGEST_TEXT

cdef enum:
    CHECK_CANCEL_EVERY = (1 << 16) - 1

COUNTS = (
    "hypothesis_length",
    "reference_length",
    "hypothesis_function_words",
    "reference_function_words",
    "stages",
    "chunks",
    "penalized_chunks",
    "hypothesis_matches",
    "reference_matches",
    "order",
    "faults",
)
"""The order of counts; that of the attributes of `meteorlib.core.statistics.Statistics`."""

BEGINNINGS = (NOTHING, LOWER, DIGIT, OTHER)
"""Numbers of the first characters of tokens; see `meteorlib.text.token`."""

cdef class Vocabulary

include "words/letters.pxi"
include "words/word_resources.pxi"
include "match/paraphrases.pxi"
include "words/lemmas.pxi"
include "words/word_traits.pxi"
include "words/vocabulary.pxi"
include "words/learner.pxi"
include "text/token_reader.pxi"
include "batch.pxi"
include "search/optimal.pxi"
include "match/contextual.pxi"
include "plan.pxi"
include "workspaces.pxi"


@cython.no_gc
cdef class Kernel:
    """Reads and analyzes text, finds the alignment of one of the searches that it knows, counts and scores it."""

    cdef Plan plan
    cdef bint graded  # matches may count in part
    cdef bint worst  # of several references the one with the lowest score counts
    cdef bint by_counts  # of equal scores the one with the larger counts counts, not the first
    cdef Paraphrases paraphrases
    cdef Reader reader
    cdef InContext context  # None where no stage sees whole segments
    cdef Workspaces workspaces

    def __init__(
        self, words, tokens, stages, str search, settings, most_pairs, function_words, size, traits, int scale, parameters, case,
        bint worst, bint by_counts,
    ):
        """Make an engine.

        Args:
            words: line → words.
            tokens: how lines are read token by token (`meteorlib.text.token.Tokens`); None: they are not.
            stages: for each stage its kernel and the matcher that it runs in place of. The registry says which search
                knows which kernels, in which order.
            search: its name.
            settings: of the search.
            most_pairs: the most candidates that it takes; None: no limit.
            function_words: words that are function words, in lowercase.
            size: word → how much it counts; None where every word counts 1.
            traits: `meteorlib.engine.words.WordTraits`; None: they are not needed.
            scale: what a word of weight 1 counts.
            parameters: of the formula.
            case: what counts of a match of two words that differ in case; None where case does not count.
            worst: of several references take the one with the lowest score, not the highest.
            by_counts: of references with one score take the one with the larger counts, not the first.
        """
        self.worst, self.by_counts = worst, by_counts
        self.workspaces = Workspaces()
        self.paraphrases = Paraphrases()
        cdef Learner learner = Learner(function_words, size, self.paraphrases, case is not None)
        learner.traits = None if traits is None else Traits(traits)
        self.reader = Reader(words, tokens, learner)
        plan = &self.plan
        plan_search(plan, search, settings)
        plan.most_pairs = INT64_MAX if most_pairs is None else most_pairs
        plan_formula(&plan.formula, parameters, len(stages))
        for stage, (kernel, matcher) in enumerate(stages):
            plan.gains[stage] = matcher.gain
            if kernel == "contextual":
                self.context = InContext(matcher)
                plan_context(plan, self.context, stage, matcher)
            else:
                plan_stage(plan, learner, self.paraphrases, stage, kernel, matcher)
        learner.stems_are_forms = (
            learner.stems is not None and learner.lemmas is not None and learner.lemmas.forms.ask is learner.stems.ask
        )
        learner.prepare()
        plan_values(plan, parameters, scale, case)
        self.graded = case is not None or plan.near_stage >= 0 or self.context is not None
        if plan.search == OPTIMAL:
            PythonOptimal(settings, tuple([matcher.gain for _, matcher in stages])).write_rules(plan)

    def read(self, line):
        """Analyze a line of raw text."""
        self.paraphrases.check()
        return self.describe(self.reader.words_of(line))

    def analyze(self, words):
        """Analyze the words of one side."""
        self.paraphrases.check()
        return self.describe(self.reader.segment_of(words, self.reader.current()))

    @property
    def emptied(self):
        """How often a table of words, tokens or signs was begun anew because it had grown too large."""
        return self.reader.emptied

    @property
    def sees_segments(self):
        """Whether a stage sees whole segments, so that it pays to `prepare` them."""
        return self.context is not None

    def prepare(self, lines):
        """Let the stage that sees whole segments see lines of raw text, many at once."""
        self.context.matcher.prepare([self.reader.words_of(line).words for line in lines])

    def align(self, CompiledSegment reference, CompiledSegment hypothesis, size_t index):
        """The `SegmentResult` of two segments, of which the first is the reference of this index."""
        cdef Batch batch = Batch()
        reference = self.renew(reference, hypothesis)
        batch.references, batch.hypotheses = [reference], [hypothesis]
        batch.others.push_back(&reference.it)
        batch.lines.push_back(&hypothesis.it)
        batch.ends.push_back(1)
        cdef SegmentResult result = self.align_batch(batch)[0]
        result.it.index = index
        return result

    def results(self, list pairs, known, Py_ssize_t place):
        """The `SegmentResult` of each segment against its best reference, or its worst.

        Args:
            pairs: for each segment the texts of its references, at least one, and that of its hypothesis.
            known: text → reference; those that are new come to it when they are complete.
            place: of the first segment in its stream, from 0, for errors.
        """
        cdef Batch batch = Batch()
        batch.read(self, pairs, known, place)
        try:
            found = self.align_batch(batch)
        except Exception as error:
            blame(error, place + batch.at)
            raise
        self.reader.give_back(batch.hypotheses)
        batch.keep(known)
        return found

    def scores(self, list references, list hypotheses):
        """The score alone of each hypothesis, against each reference."""
        cdef vector[const Segment*] lines, others
        cdef vector[double] found
        cdef int64_t counts[MOST]
        cdef CompiledSegment reference, hypothesis
        cdef size_t line, index, count = len(references)
        cdef list kept = []  # the segments live as long as this list
        for hypothesis in hypotheses:
            lines.push_back(&hypothesis.it)
            for reference in references:
                if reference.vocabulary is not hypothesis.vocabulary:
                    reference = self.renew(reference, hypothesis)
                    kept.append(reference)
                others.push_back(&reference.it)
        found.resize(others.size())
        cdef Workspace workspace = self.workspaces.take()
        with nogil:
            for line in range(lines.size()):
                for index in range(line * count, (line + 1) * count):
                    found[index] = score(
                        others[index][0], lines[line][0], self.plan, self.paraphrases.it, workspace.it, counts
                    )
            self.paraphrases.check()
        self.workspaces.give_back(workspace)
        cdef list numbers = found
        return [numbers[line * count : (line + 1) * count] for line in range(lines.size())]

    def next_pairs(self, pairs, int count, check, Py_ssize_t place):
        """The next segments of an iterator, as many as that at most; those that are not plain ones are checked.

        What is checked is a copy, as an iterator may use its lists again.

        Args:
            pairs: the iterator.
            count: how many at most.
            check: refuses a segment.
            place: of the next segment, from 0, for errors.

        Returns:
            The segments, and the error of the one behind them if it was refused or could not be had, else None.
        """
        cdef list texts = []
        try:
            for pair in pairs:
                if not is_plain_pair(pair):
                    try:
                        check(pair)
                        pair = Pair(list(pair.references), pair.hypothesis)
                        check(pair)
                    except Exception as error:
                        blame(error, place + len(texts))
                        return texts, error
                texts.append(((<list>(<tuple>pair)[0])[:], (<tuple>pair)[1]))
                if len(texts) == count:
                    break
        except Exception as error:  # of the iterator
            return texts, error
        return texts, None

    def sums(self):
        """Sums to add segments to; see `CompiledSums`."""
        return CompiledSums(self)

    cdef list align_batch(self, Batch batch):
        """The `SegmentResult` of each segment of a batch."""
        cdef SegmentResult result
        cdef CompiledSegment reference, hypothesis
        cdef vector[Found*] places
        cdef size_t index, first = 0
        cdef list all = [SegmentResult.__new__(SegmentResult) for _ in batch.hypotheses]
        cdef Workspace workspace = self.workspaces.take()
        for result in all:
            places.push_back(&result.it)
        with nogil:
            for index in range(places.size()):
                batch.find(index, self, workspace.it, True, places[index][0])
            self.paraphrases.check()
        self.workspaces.give_back(workspace)
        for index in range(places.size()):
            result = all[index]
            result.graded, result.stage_count = self.graded, self.plan.formula.stages
            reference, hypothesis = batch.references[first + result.it.index], batch.hypotheses[index]
            result.set_words(reference, hypothesis)
            first = batch.ends[index]
        return all

    cdef CompiledSegment describe(self, CompiledSegment segment):
        cdef Workspace workspace = self.workspaces.take()
        self.complete(segment.it, workspace.it)
        self.workspaces.give_back(workspace)
        return segment

    cdef int complete(self, Segment& segment, Work& work) except -1 nogil:
        """Describe the words of a segment."""
        if not complete(segment, self.plan, self.paraphrases.it, work):
            self.paraphrases.damaged()

    cdef CompiledSegment renew(self, CompiledSegment reference, CompiledSegment hypothesis):
        """A reference that is older than the last change of vocabulary is analyzed anew."""
        if reference.vocabulary is hypothesis.vocabulary:
            return reference
        if reference.renewed is None or reference.renewed.vocabulary is not hypothesis.vocabulary:
            reference.renewed = self.describe(self.reader.segment_of(reference.words, hypothesis.vocabulary))
            reference.renewed.it.cases = reference.it.cases
            reference.renewed.it.initial = reference.it.initial
        return reference.renewed


include "count/sums.pxi"
