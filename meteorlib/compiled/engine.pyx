# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of `meteorlib.matchers`, `meteorlib.search.beam` and `Statistics.of` for METEOR 1.5's stages.

The Python code is the reference; this does the same on numbers: words are interned, and what is known of a word (stem,
synonym sets, function word, number in the paraphrase table) is asked once. Matching and search run without the GIL.
"""

from cpython.dict cimport PyDict_GetItemWithError
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memcpy, memset
from libcpp cimport bool
from libcpp.algorithm cimport sort, stable_sort
from libcpp.vector cimport vector

from meteorlib.core.alignment import Match

cdef extern from *:
    """
    static inline int meteor_popcount(uint64_t bits) {
    #if defined(__GNUC__) || defined(__clang__)
        return __builtin_popcountll(bits);
    #else
        int count = 0;
        for (; bits; bits &= bits - 1) ++count;
        return count;
    #endif
    }
    struct MeteorPlace { uint32_t phrase; int32_t start; int32_t length; };
    static inline bool meteor_before(const MeteorPlace& a, const MeteorPlace& b) { return a.phrase < b.phrase; }
    """
    int meteor_popcount(uint64_t bits) nogil
    cdef struct MeteorPlace:
        uint32_t phrase
        int32_t start
        int32_t length
    bool meteor_before(const MeteorPlace& a, const MeteorPlace& b) nogil

ctypedef MeteorPlace Place

cdef enum:
    EXACT = 0
    STEM = 1
    SYNONYM = 2
    LEMMA = 3
    FILTER_WORDS = 16
    UNMATCHED = -1
    KEPT = -2
    MATCHED = 32  # a rank is chunks − (matched << MATCHED): more matched words first, then fewer chunks

VOCABULARY_LIMIT = 1 << 19

cdef struct Candidate:
    int32_t position
    int32_t length
    int32_t start
    int32_t words
    int32_t stage

cdef struct Mask:  # 256 bits
    uint64_t a
    uint64_t b
    uint64_t c
    uint64_t d

cdef struct Unit:
    int32_t start
    int32_t stage

cdef struct Path:
    int64_t rank
    int64_t distance
    int32_t open
    int32_t link
    int32_t slot  # where its used words are

cdef struct Child:
    int64_t rank
    int64_t distance
    int32_t parent
    int32_t choice

cdef struct Link:
    Candidate candidate
    int32_t previous


cdef class Vocabulary:
    """What is known of the words that were seen; never changed but by adding words."""

    cdef dict ids
    cdef dict stem_ids
    cdef vector[int32_t] stems
    cdef vector[int32_t] sizes
    cdef vector[uint8_t] function
    cdef vector[int32_t] numbers
    cdef vector[int32_t] forms
    cdef vector[int32_t] synset_begins
    cdef vector[int64_t] synsets
    cdef vector[int32_t] seen
    cdef dict form_ids

    def __cinit__(self):
        self.ids = {}
        self.stem_ids = {}
        self.form_ids = {}
        self.synset_begins.push_back(0)


cdef class CompiledSegment:
    """The words of one side, analysed once; a twin of `meteorlib.core.segment.Segment`."""

    cdef readonly tuple words
    cdef Vocabulary vocabulary
    cdef int32_t length
    cdef readonly int64_t size
    cdef readonly int64_t function_size
    cdef vector[int32_t] ids
    cdef vector[int32_t] sizes
    cdef vector[uint8_t] function
    cdef vector[int32_t] distinct
    cdef vector[int32_t] distinct_ids
    cdef vector[int32_t] distinct_stems
    cdef vector[int32_t] distinct_forms
    cdef vector[int32_t] occurrence_begins
    cdef vector[int32_t] occurrences
    cdef vector[int32_t] synset_begins
    cdef vector[int64_t] synsets
    cdef vector[Mask] synset_masks
    cdef vector[Place] spans
    cdef vector[Place] places
    cdef uint64_t filter[FILTER_WORDS]


cdef cppclass Problem:
    """The candidates of a pair: those of single words for each distinct word of the reference, phrases by position."""
    vector[Unit] units
    vector[int32_t] unit_begins
    vector[Candidate] found
    vector[Candidate] phrases
    vector[int32_t] phrase_begins
    vector[int32_t] fixed_start
    vector[int32_t] fixed_end
    vector[int32_t] open


cdef cppclass Beam:
    """The paths of a search, and the children that become the next ones."""
    size_t width
    size_t words
    size_t count  # of the children
    int32_t hypothesis_length
    int32_t word
    vector[Path] paths
    vector[Path] next_paths
    vector[uint64_t] used
    vector[uint64_t] next_used
    vector[Child] children
    vector[Link] links


cdef inline void add_bit(Mask& mask, int64_t synset) noexcept nogil:
    """One of 256 bits, so that most words without a common synonym set are told apart by their masks."""
    cdef uint64_t bit = (<uint64_t>synset * <uint64_t>0x9E3779B97F4A7C15) >> 56
    (&mask.a)[bit >> 6] |= <uint64_t>1 << (bit & 63)


cdef inline bool overlap(const Mask& one, const Mask& other) noexcept nogil:
    return ((one.a & other.a) | (one.b & other.b) | (one.c & other.c) | (one.d & other.d)) != 0


cdef inline bool by_position(const Candidate& a, const Candidate& b) noexcept nogil:
    return a.position < b.position


cdef inline bool by_start(const Unit& a, const Unit& b) noexcept nogil:
    return a.start < b.start


cdef inline bool path_before(const Path& a, const Path& b) noexcept nogil:
    return a.rank < b.rank or (a.rank == b.rank and a.distance < b.distance)


cdef inline bool is_used(const uint64_t* used, int32_t word) noexcept nogil:
    return (used[word >> 6] >> (word & 63)) & 1


cdef inline void use(uint64_t* used, int32_t word) noexcept nogil:
    used[word >> 6] |= <uint64_t>1 << (word & 63)


cdef inline bool fits(const uint64_t* used, int32_t hypothesis_length, const Candidate& candidate) noexcept nogil:
    """Whether no word of a candidate is used."""
    cdef int32_t word
    for word in range(candidate.start, candidate.start + candidate.words):
        if is_used(used, word):
            return False
    for word in range(candidate.position, candidate.position + candidate.length):
        if is_used(used, hypothesis_length + word):
            return False
    return True


cdef inline Candidate unit_candidate(int32_t position, Unit unit) noexcept nogil:
    cdef Candidate candidate
    candidate.position, candidate.length = position, 1
    candidate.start, candidate.words, candidate.stage = unit.start, 1, unit.stage
    return candidate


cdef inline Candidate problem_candidate(Problem& problem, int32_t word, int32_t position, int32_t choice) noexcept nogil:
    """The candidate that a choice at a position means: the units of its word first, then its phrases."""
    cdef int32_t units = problem.unit_begins[word + 1] - problem.unit_begins[word]
    if choice < units:
        return unit_candidate(position, problem.units[problem.unit_begins[word] + choice])
    return problem.phrases[problem.phrase_begins[position] + choice - units]


cdef inline bool offer(Beam& beam, int64_t rank, int64_t distance, int32_t parent, int32_t choice) noexcept nogil:
    """Put a child behind all that are as good; whether it is among the best so far."""
    cdef size_t index = beam.count
    cdef Child* children = beam.children.data()
    cdef Child* other
    if index == beam.width:
        other = &children[index - 1]
        if rank > other.rank or (rank == other.rank and distance >= other.distance):
            return False
        index -= 1
    else:
        beam.count += 1
    while index > 0:
        other = &children[index - 1]
        if other.rank < rank or (other.rank == rank and other.distance <= distance):
            break
        children[index] = other[0]
        index -= 1
    other = &children[index]
    other.rank, other.distance, other.parent, other.choice = rank, distance, parent, choice
    return True


cdef inline void pass_forced(Problem& problem, Beam& beam, int32_t first, int32_t end) noexcept nogil:
    """See `meteorlib.search.beam._Beam.pass_forced`; the paths are sorted anew."""
    cdef int32_t start = problem.fixed_start[first] if first < <int32_t>problem.fixed_start.size() else -1
    cdef int32_t last = problem.fixed_end[end] if end < <int32_t>problem.fixed_end.size() else -1
    cdef size_t index, place
    cdef bool sorted_still = True
    cdef Path path
    for index in range(beam.paths.size()):
        if beam.paths[index].open >= 0 and beam.paths[index].open != start:
            beam.paths[index].rank += 1
        beam.paths[index].open = last
        if index and path_before(beam.paths[index], beam.paths[index - 1]):
            sorted_still = False
    if sorted_still:
        return
    beam.next_paths.resize(beam.paths.size())
    for index in range(beam.paths.size()):
        path = beam.paths[index]
        place = index
        while place > 0 and path_before(path, beam.next_paths[place - 1]):
            beam.next_paths[place] = beam.next_paths[place - 1]
            place -= 1
        beam.next_paths[place] = path
    beam.paths.swap(beam.next_paths)


cdef inline bool same_words(CompiledSegment reference, CompiledSegment hypothesis) noexcept nogil:
    cdef int32_t position
    if reference.length != hypothesis.length:
        return False
    for position in range(reference.length):
        if reference.ids[position] != hypothesis.ids[position]:
            return False
    return True


cdef inline void add_units(CompiledSegment hypothesis, int32_t other, int stage, vector[Unit]& units) noexcept nogil:
    """Add every place of a distinct word of the hypothesis."""
    cdef int32_t place
    cdef Unit unit
    unit.stage = stage
    for place in range(hypothesis.occurrence_begins[other], hypothesis.occurrence_begins[other + 1]):
        unit.start = hypothesis.occurrences[place]
        units.push_back(unit)


cdef inline bool related(
    int kind, CompiledSegment reference, int32_t word, CompiledSegment hypothesis, int32_t other
) noexcept nogil:
    """Whether a distinct word of the reference and one of the hypothesis match, by the rule of a kind of stage."""
    cdef bool same = reference.distinct_ids[word] == hypothesis.distinct_ids[other]
    if kind == EXACT:
        return same
    if kind == STEM:
        return not same and reference.distinct_stems[word] == hypothesis.distinct_stems[other]
    if kind == SYNONYM:
        return not same and common_synset(reference, word, hypothesis, other)
    return is_lemma(reference.distinct_forms[word], hypothesis, other)


cdef inline bool is_lemma(int32_t form, CompiledSegment hypothesis, int32_t other) noexcept nogil:
    """Whether a form is among the lemmas of a hypothesis word."""
    cdef int32_t entry
    for entry in range(hypothesis.synset_begins[other], hypothesis.synset_begins[other + 1]):
        if hypothesis.synsets[entry] == form:
            return True
    return False


cdef inline bool common_synset(
    CompiledSegment reference, int32_t word, CompiledSegment hypothesis, int32_t other
) noexcept nogil:
    """Whether two words share a synonym set; both lists are sorted."""
    cdef int32_t left = reference.synset_begins[word], left_end = reference.synset_begins[word + 1]
    cdef int32_t right = hypothesis.synset_begins[other], right_end = hypothesis.synset_begins[other + 1]
    cdef int64_t difference
    while left < left_end and right < right_end:
        difference = reference.synsets[left] - hypothesis.synsets[right]
        if difference == 0:
            return True
        if difference < 0:
            left += 1
        else:
            right += 1
    return False


cdef class CompiledEngine:
    """Analyses words, proposes candidates, finds METEOR 1.5's alignment (or NLTK's) and counts it."""

    cdef object stemmer, synset_finder, form_finder, lemma_finder, number_finder, is_function, table
    cdef bool characters, greedy
    cdef int32_t width
    cdef int stage_count, word_stages, phrase_stage
    cdef int kinds[8]
    cdef double gains[8]
    cdef int64_t word_ranks[8]
    cdef Vocabulary vocabulary
    cdef const uint32_t[::1] starts_view, targets_view, last_view, ranks_view, children_view
    cdef const uint64_t[::1] bits_view
    cdef const uint32_t* starts
    cdef const uint32_t* targets
    cdef const uint32_t* last_words
    cdef const uint32_t* child_ranks
    cdef const uint32_t* children
    cdef const uint64_t* has_children

    def __init__(self, stages, gains, str search, int width, is_function, bool characters):
        """Make an engine.

        Args:
            stages: for each stage its kind and what it works with: "exact" and None, "stem" and a stemmer, "synonym"
                and a synset finder, "lemma" (not beside "synonym") and a lexicon of lemma names, "paraphrase" (only at
                the end, only for the beam) and a table.
            gains: for each stage, what a word is worth in the search.
            search: "beam" or "greedy".
            width: paths that the beam keeps.
            is_function: word → whether it is a function word.
            characters: whether words count as their UTF-16 code units.
        """
        self.vocabulary = Vocabulary()
        self.is_function = is_function
        self.characters = characters
        self.width = width
        self.greedy = search == "greedy"
        self.stage_count = len(stages)
        self.phrase_stage = -1
        self.word_stages = 0
        for stage, (kind, data) in enumerate(stages):
            self.gains[stage] = gains[stage]
            self.word_ranks[stage] = (2 * <int64_t>gains[stage]) << MATCHED
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
        self.table = table
        self.number_finder = table.word
        self.starts_view, self.targets_view = table.starts, table.targets
        self.last_view, self.ranks_view = table.last_words, table.child_ranks
        self.children_view, self.bits_view = table.children, table.has_children
        self.starts, self.targets = &self.starts_view[0], &self.targets_view[0]
        self.last_words, self.child_ranks = &self.last_view[0], &self.ranks_view[0]
        self.children, self.has_children = &self.children_view[0], &self.bits_view[0]

    cdef int32_t _learn(self, Vocabulary vocabulary, str word) except -1:
        """Ask all that must be known of a new word."""
        cdef int32_t stem = -1, form = -1, number = -1, size = 1
        found = ()
        if self.stemmer is not None:
            stem = vocabulary.stem_ids.setdefault(self.stemmer(word), len(vocabulary.stem_ids))
        if self.synset_finder is not None:
            found = sorted(self.synset_finder(word))
        if self.form_finder is not None:
            forms = vocabulary.form_ids
            spelled = self.form_finder(word)
            form = forms.setdefault(spelled, len(forms))
            names = {spelled, *[name for name in self.lemma_finder(spelled) if "_" not in name]}
            found = sorted([forms.setdefault(name, len(forms)) for name in names])
        if self.number_finder is not None:
            number = self.number_finder(word)
        if self.characters:
            size = len(word.encode("utf-16-le", "surrogatepass")) // 2
        cdef bool function = self.is_function(word)
        known = vocabulary.ids.get(word)
        if known is not None:  # another thread was quicker
            return known
        cdef int32_t new = <int32_t>vocabulary.stems.size()
        for synset in found:
            vocabulary.synsets.push_back(synset)
        vocabulary.synset_begins.push_back(<int32_t>vocabulary.synsets.size())
        vocabulary.stems.push_back(stem)
        vocabulary.forms.push_back(form)
        vocabulary.sizes.push_back(size)
        vocabulary.function.push_back(function)
        vocabulary.numbers.push_back(number)
        vocabulary.seen.push_back(-1)
        vocabulary.ids[word] = new
        return new

    def analyse(self, words):
        """Analyse the words of one side."""
        if len(self.vocabulary.ids) > VOCABULARY_LIMIT:
            self.vocabulary = Vocabulary()
        return self._analyse(words, self.vocabulary)

    cdef CompiledSegment _analyse(self, words, Vocabulary vocabulary):
        cdef CompiledSegment segment = CompiledSegment.__new__(CompiledSegment)
        cdef PyObject* known
        segment.words = words if type(words) is tuple else tuple(words)
        segment.vocabulary = vocabulary
        segment.length = <int32_t>len(segment.words)
        segment.ids.reserve(segment.length)
        for word in segment.words:
            known = PyDict_GetItemWithError(vocabulary.ids, word)
            segment.ids.push_back(<object>known if known != NULL else self._learn(vocabulary, word))
        # no Python code runs from here on, so no other thread can meddle with the vocabulary
        self._describe(segment, vocabulary)
        return segment

    cdef void _describe(self, CompiledSegment segment, Vocabulary vocabulary) noexcept:
        cdef int32_t position, word, index, begin, end, length = segment.length
        cdef int64_t synset
        cdef Mask mask
        segment.size = segment.function_size = 0
        segment.sizes.resize(length)
        segment.function.resize(length)
        segment.distinct.resize(length)
        for position in range(length):
            word = segment.ids[position]
            segment.sizes[position] = vocabulary.sizes[word]
            segment.function[position] = vocabulary.function[word]
            segment.size += segment.sizes[position]
            if segment.function[position]:
                segment.function_size += segment.sizes[position]
            if vocabulary.seen[word] < 0:
                vocabulary.seen[word] = <int32_t>segment.distinct_ids.size()
                segment.distinct_ids.push_back(word)
            segment.distinct[position] = vocabulary.seen[word]
        segment.synset_begins.push_back(0)
        for index in range(<int32_t>segment.distinct_ids.size()):
            word = segment.distinct_ids[index]
            vocabulary.seen[word] = -1
            segment.distinct_stems.push_back(vocabulary.stems[word])
            segment.distinct_forms.push_back(vocabulary.forms[word])
            mask.a = mask.b = mask.c = mask.d = 0
            for begin in range(vocabulary.synset_begins[word], vocabulary.synset_begins[word + 1]):
                synset = vocabulary.synsets[begin]
                segment.synsets.push_back(synset)
                add_bit(mask, synset)
            segment.synset_masks.push_back(mask)
            segment.synset_begins.push_back(<int32_t>segment.synsets.size())
        segment.occurrence_begins.assign(segment.distinct_ids.size() + 1, 0)
        for position in range(length):
            segment.occurrence_begins[segment.distinct[position] + 1] += 1
        for index in range(<int32_t>segment.distinct_ids.size()):
            segment.occurrence_begins[index + 1] += segment.occurrence_begins[index]
        segment.occurrences.resize(length)
        for position in range(length - 1, -1, -1):  # from behind, so that the begins end up where they were
            index = segment.distinct[position] + 1
            segment.occurrence_begins[index] -= 1
            segment.occurrences[segment.occurrence_begins[index]] = position
        # now begins[index + 1] is the begin of index; shift back
        for index in range(<int32_t>segment.distinct_ids.size()):
            segment.occurrence_begins[index] = segment.occurrence_begins[index + 1]
        if not segment.occurrence_begins.empty():
            segment.occurrence_begins[segment.distinct_ids.size()] = length
        memset(segment.filter, 0, sizeof(segment.filter))
        if self.phrase_stage >= 0:
            self._find_phrases(segment, vocabulary)

    cdef void _find_phrases(self, CompiledSegment segment, Vocabulary vocabulary) noexcept:
        """Every phrase of the table that stands in the segment, by start, then length."""
        cdef int32_t start, stop, number
        cdef Place place
        for start in range(segment.length):
            number = vocabulary.numbers[segment.ids[start]]
            stop = start
            while number >= 0:
                stop += 1
                place.phrase, place.start, place.length = <uint32_t>number, start, stop - start
                segment.places.push_back(place)
                segment.filter[(number >> 6) & (FILTER_WORDS - 1)] |= <uint64_t>1 << (number & 63)
                if self.starts[number] != self.starts[number + 1]:
                    segment.spans.push_back(place)
                if stop == segment.length or vocabulary.numbers[segment.ids[stop]] < 0:
                    break
                number = self._longer(number, <uint32_t>vocabulary.numbers[segment.ids[stop]])
        stable_sort(segment.places.begin(), segment.places.end(), meteor_before)

    cdef int32_t _longer(self, int32_t number, uint32_t word) noexcept nogil:
        """The phrase with one more word, -1 where there is none; see `meteorlib.matchers.paraphrase`."""
        cdef uint64_t bits = self.has_children[number >> 6]
        cdef int place = number & 63
        cdef uint32_t rank, low, high, middle, end
        if not (bits >> place) & 1:
            return -1
        rank = self.child_ranks[number >> 6] + meteor_popcount(bits & ((<uint64_t>1 << place) - 1))
        low, end = self.children[rank], self.children[rank + 1]
        high = end
        while low < high:
            middle = (low + high) >> 1
            if self.last_words[middle] < word:
                low = middle + 1
            else:
                high = middle
        return <int32_t>low if low < end and self.last_words[low] == word else -1

    def align(self, CompiledSegment reference, CompiledSegment hypothesis):
        """Align two segments.

        Returns:
            The matches in reference order, and the counts of `Statistics`: four for each stage, then the number of
            chunks, matched words of the hypothesis and of the reference.
        """
        if reference.vocabulary is not hypothesis.vocabulary:  # one is older than the last change of vocabulary
            reference = self._analyse(reference.words, hypothesis.vocabulary)
        cdef vector[Candidate] chosen
        cdef vector[int64_t] counts
        with nogil:
            self._align(reference, hypothesis, chosen)
            self._count(reference, hypothesis, chosen, counts)
        cdef Candidate match
        new = tuple.__new__
        matches = tuple([
            new(Match, (match.position, match.length, match.start, match.words, match.stage)) for match in chosen
        ])
        return matches, counts

    cdef void _align(
        self, CompiledSegment reference, CompiledSegment hypothesis, vector[Candidate]& chosen
    ) noexcept nogil:
        cdef Problem problem
        if self.greedy:
            self._search_greedily(reference, hypothesis, chosen)
            sort(chosen.begin(), chosen.end(), by_position)
            return
        self._propose(reference, hypothesis, problem)
        self._split(reference, hypothesis, problem, chosen)
        if not problem.open.empty():
            self._beam(reference, hypothesis, problem, chosen)
            sort(chosen.begin(), chosen.end(), by_position)

    cdef void _propose(
        self, CompiledSegment reference, CompiledSegment hypothesis, Problem& problem
    ) noexcept nogil:
        """See `meteorlib.matchers.matcher.propose`."""
        cdef int stage, stages = self.stage_count
        cdef int32_t word, position, begin
        if same_words(reference, hypothesis):
            stages = 1
        problem.unit_begins.push_back(0)
        for word in range(<int32_t>reference.distinct_ids.size()):
            for stage in range(min(self.word_stages, stages)):
                begin = <int32_t>problem.units.size()
                self._partners(reference, hypothesis, word, stage, problem.units)
                if <int32_t>problem.units.size() > begin + 1:
                    sort(problem.units.begin() + begin, problem.units.end(), by_start)
            problem.unit_begins.push_back(<int32_t>problem.units.size())
        problem.phrase_begins.assign(reference.length + 2, 0)
        if self.phrase_stage < 0 or self.phrase_stage >= stages:
            return
        self._paraphrases(reference, hypothesis, True, problem.found)
        self._paraphrases(hypothesis, reference, False, problem.found)
        for begin in range(<int32_t>problem.found.size()):
            problem.phrase_begins[problem.found[begin].position + 2] += 1
        for position in range(reference.length):
            problem.phrase_begins[position + 2] += problem.phrase_begins[position + 1]
        problem.phrases.resize(problem.found.size())
        for begin in range(<int32_t>problem.found.size()):
            position = problem.found[begin].position + 1
            problem.phrases[problem.phrase_begins[position]] = problem.found[begin]
            problem.phrase_begins[position] += 1

    cdef void _partners(
        self, CompiledSegment reference, CompiledSegment hypothesis, int32_t word, int stage, vector[Unit]& units
    ) noexcept nogil:
        """Where the words stand that match a distinct word of the reference in a stage.

        The loops look at the one number that tells most pairs apart; `related` decides.
        """
        cdef int32_t other, count = <int32_t>hypothesis.distinct_ids.size()
        cdef int kind = self.kinds[stage]
        cdef const int32_t* theirs
        cdef const Mask* masks
        cdef int32_t mine
        cdef Mask mask
        if kind == EXACT or kind == STEM:
            theirs = hypothesis.distinct_ids.data() if kind == EXACT else hypothesis.distinct_stems.data()
            mine = reference.distinct_ids[word] if kind == EXACT else reference.distinct_stems[word]
            for other in range(count):
                if theirs[other] == mine and related(kind, reference, word, hypothesis, other):
                    add_units(hypothesis, other, stage, units)
            return
        if kind == LEMMA:
            mask.a = mask.b = mask.c = mask.d = 0
            add_bit(mask, reference.distinct_forms[word])
        else:
            mask = reference.synset_masks[word]
        masks = hypothesis.synset_masks.data()
        for other in range(count):
            if overlap(mask, masks[other]) and related(kind, reference, word, hypothesis, other):
                add_units(hypothesis, other, stage, units)

    cdef void _search_greedily(
        self, CompiledSegment reference, CompiledSegment hypothesis, vector[Candidate]& chosen
    ) noexcept nogil:
        """See `meteorlib.search.greedy.Greedy`."""
        cdef int stage, stages = 1 if same_words(reference, hypothesis) else self.word_stages
        cdef int32_t start, position
        cdef vector[uint8_t] reference_taken, hypothesis_taken
        cdef Unit unit
        reference_taken.assign(reference.length, 0)
        hypothesis_taken.assign(hypothesis.length, 0)
        for stage in range(stages):
            unit.stage = stage
            for start in range(hypothesis.length - 1, -1, -1):
                if hypothesis_taken[start]:
                    continue
                for position in range(reference.length - 1, -1, -1):
                    if not reference_taken[position] and related(
                        self.kinds[stage], reference, reference.distinct[position], hypothesis, hypothesis.distinct[start]
                    ):
                        reference_taken[position] = hypothesis_taken[start] = 1
                        unit.start = start
                        chosen.push_back(unit_candidate(position, unit))
                        break

    cdef void _paraphrases(
        self, CompiledSegment sources, CompiledSegment others, bool forward, vector[Candidate]& found
    ) noexcept nogil:
        """See `meteorlib.matchers.paraphrase.Paraphrase.spans`."""
        cdef size_t index, low, high, middle, count = others.places.size()
        cdef uint32_t target, entry
        cdef Place span
        cdef Candidate candidate
        candidate.stage = self.phrase_stage
        for index in range(sources.spans.size()):
            span = sources.spans[index]
            for entry in range(self.starts[span.phrase], self.starts[span.phrase + 1]):
                target = self.targets[entry]
                if not (others.filter[(target >> 6) & (FILTER_WORDS - 1)] >> (target & 63)) & 1:
                    continue
                low, high = 0, count
                while low < high:
                    middle = (low + high) >> 1
                    if others.places[middle].phrase < target:
                        low = middle + 1
                    else:
                        high = middle
                while low < count and others.places[low].phrase == target:
                    if forward:
                        candidate.position, candidate.length = span.start, span.length
                        candidate.start, candidate.words = others.places[low].start, others.places[low].length
                    else:
                        candidate.position, candidate.length = others.places[low].start, others.places[low].length
                        candidate.start, candidate.words = span.start, span.length
                    found.push_back(candidate)
                    low += 1

    cdef void _split(
        self, CompiledSegment reference, CompiledSegment hypothesis, Problem& problem, vector[Candidate]& chosen
    ) noexcept nogil:
        """See `meteorlib.search.beam.split_fixed`."""
        cdef int32_t position, word, index, covered, end = 0, count, units, phrases
        cdef vector[int64_t] reference_cover, hypothesis_cover
        cdef Candidate candidate
        cdef bool alone
        reference_cover.assign(reference.length, 0)
        hypothesis_cover.assign(hypothesis.length, 0)
        for word in range(<int32_t>reference.distinct_ids.size()):
            count = reference.occurrence_begins[word + 1] - reference.occurrence_begins[word]
            for index in range(problem.unit_begins[word], problem.unit_begins[word + 1]):
                hypothesis_cover[problem.units[index].start] += count
        for position in range(reference.length):
            word = reference.distinct[position]
            reference_cover[position] += problem.unit_begins[word + 1] - problem.unit_begins[word]
        for index in range(<int32_t>problem.phrases.size()):
            candidate = problem.phrases[index]
            for covered in range(candidate.position, candidate.position + candidate.length):
                reference_cover[covered] += 1
            for covered in range(candidate.start, candidate.start + candidate.words):
                hypothesis_cover[covered] += 1
        problem.fixed_start.assign(reference.length + 1, -1)
        problem.fixed_end.assign(reference.length + 2, -1)
        for position in range(reference.length):
            if reference_cover[position] == 0 or position < end:
                continue
            word = reference.distinct[position]
            units = problem.unit_begins[word + 1] - problem.unit_begins[word]
            phrases = problem.phrase_begins[position + 1] - problem.phrase_begins[position]
            if reference_cover[position] == 1 and units + phrases == 1:
                if units:
                    candidate = unit_candidate(position, problem.units[problem.unit_begins[word]])
                else:
                    candidate = problem.phrases[problem.phrase_begins[position]]
                alone = True
                for covered in range(position, position + candidate.length):
                    alone = alone and reference_cover[covered] == 1
                for covered in range(candidate.start, candidate.start + candidate.words):
                    alone = alone and hypothesis_cover[covered] == 1
                if alone:
                    end = position + candidate.length
                    problem.fixed_start[position] = candidate.start
                    problem.fixed_end[end] = candidate.start + candidate.words
                    chosen.push_back(candidate)
                    continue
            problem.open.push_back(position)

    cdef void _beam(
        self, CompiledSegment reference, CompiledSegment hypothesis, Problem& problem, vector[Candidate]& chosen
    ) noexcept nogil:
        """See `meteorlib.search.beam._Beam.search`."""
        cdef Beam beam
        cdef size_t index
        cdef int32_t position, end, link
        beam.width = self.width
        beam.words = (reference.length + hypothesis.length + 63) >> 6
        beam.hypothesis_length = hypothesis.length
        beam.children.resize(beam.width)
        beam.paths.resize(1)
        beam.paths[0].rank = beam.paths[0].distance = 0
        beam.paths[0].open = problem.fixed_end[problem.open[0]]
        beam.paths[0].link = -1
        beam.paths[0].slot = 0
        beam.used.assign(beam.words, 0)
        for index in range(problem.open.size()):
            position = problem.open[index]
            end = problem.open[index + 1] if index + 1 < problem.open.size() else reference.length + 1
            self._branch(reference, problem, beam, position)
            self._keep(problem, beam, position)
            if end > position + 1:
                pass_forced(problem, beam, position + 1, end)
        link = beam.paths[0].link
        while link >= 0:
            chosen.push_back(beam.links[link].candidate)
            link = beam.links[link].previous

    cdef void _branch(
        self, CompiledSegment reference, Problem& problem, Beam& beam, int32_t position
    ) noexcept nogil:
        """Offer every path each of the candidates of `position` that it still can take, then none.

        Only the `width` best children are kept, in their order. Behind a candidate that came too late, those of the
        same stage come too late as well, but for one that continues the open chunk.
        """
        cdef int32_t word = reference.distinct[position]
        cdef int32_t first = problem.unit_begins[word], last = problem.unit_begins[word + 1]
        cdef int32_t phrase_first = problem.phrase_begins[position], phrase_last = problem.phrase_begins[position + 1]
        cdef bool one_run = (
            phrase_first == phrase_last and first < last and problem.units[first].stage == problem.units[last - 1].stage
        )
        cdef size_t parent
        cdef int32_t index, start, open_
        cdef int64_t rank, close, distance
        cdef uint64_t* used
        cdef Candidate candidate
        beam.word = word
        beam.count = 0
        for parent in range(beam.paths.size()):
            used = &beam.used[beam.paths[parent].slot * beam.words]
            rank, distance = beam.paths[parent].rank, beam.paths[parent].distance
            open_ = beam.paths[parent].open
            if is_used(used, beam.hypothesis_length + position):
                offer(beam, rank, distance, <int32_t>parent, KEPT)
                continue
            close = 1 if open_ >= 0 else 0
            for index in range(first, last):
                start = problem.units[index].start
                if is_used(used, start):
                    continue
                if not offer(
                    beam,
                    rank - self.word_ranks[problem.units[index].stage] + (0 if start == open_ else close),
                    distance,
                    <int32_t>parent,
                    index - first,
                ) and one_run and start != open_ and open_ < start:
                    distance = -1
                    break
                distance += abs(position - start)
            if distance < 0:
                continue
            for index in range(phrase_first, phrase_last):
                candidate = problem.phrases[index]
                if not fits(used, beam.hypothesis_length, candidate):
                    continue
                offer(
                    beam,
                    rank - self._rank(candidate) + (0 if candidate.start == open_ else close),
                    distance,
                    <int32_t>parent,
                    last - first + index - phrase_first,
                )
                distance += abs(position - candidate.start)
            offer(beam, rank + close, distance, <int32_t>parent, UNMATCHED)

    cdef int64_t _rank(self, Candidate& candidate) noexcept nogil:
        cdef double gain = self.gains[candidate.stage]
        return (<int64_t>(candidate.words * gain) + <int64_t>(candidate.length * gain)) << MATCHED

    cdef void _keep(
        self, Problem& problem, Beam& beam, int32_t position
    ) noexcept nogil:
        """Make the children that were kept the paths."""
        cdef size_t index, count = beam.count
        cdef Child child
        cdef Path path
        cdef Link link
        cdef int32_t covered
        cdef uint64_t* used
        beam.next_paths.resize(count)
        beam.next_used.resize(count * beam.words)
        for index in range(count):
            child = beam.children[index]
            path = beam.paths[child.parent]
            path.rank, path.distance = child.rank, child.distance
            used = &beam.next_used[index * beam.words]
            memcpy(used, &beam.used[path.slot * beam.words], beam.words * sizeof(uint64_t))
            path.slot = <int32_t>index
            if child.choice == UNMATCHED:
                path.open = -1
            elif child.choice != KEPT:
                link.candidate = problem_candidate(problem, beam.word, position, child.choice)
                link.previous = path.link
                for covered in range(link.candidate.start, link.candidate.start + link.candidate.words):
                    use(used, covered)
                if link.candidate.length > 1:
                    for covered in range(position, position + link.candidate.length):
                        use(used, beam.hypothesis_length + covered)
                path.open = link.candidate.start + link.candidate.words
                path.link = <int32_t>beam.links.size()
                beam.links.push_back(link)
            beam.next_paths[index] = path
        beam.paths.swap(beam.next_paths)
        beam.used.swap(beam.next_used)

    cdef void _count(
        self,
        CompiledSegment reference,
        CompiledSegment hypothesis,
        vector[Candidate]& chosen,
        vector[int64_t]& counts,
    ) noexcept nogil:
        """See `Statistics.of`."""
        cdef size_t index
        cdef int32_t position, next_reference = -1, next_hypothesis = -1
        cdef int base
        cdef int64_t chunks = 0, hypothesis_matches = 0, reference_matches = 0
        cdef Candidate match
        counts.assign(4 * self.stage_count, 0)
        for index in range(chosen.size()):
            match = chosen[index]
            base = 4 * match.stage
            for position in range(match.start, match.start + match.words):
                counts[base + 2 * hypothesis.function[position]] += hypothesis.sizes[position]
            for position in range(match.position, match.position + match.length):
                counts[base + 1 + 2 * reference.function[position]] += reference.sizes[position]
            if match.position != next_reference or match.start != next_hypothesis:
                chunks += 1
            next_reference, next_hypothesis = match.position + match.length, match.start + match.words
            hypothesis_matches += match.words
            reference_matches += match.length
        counts.push_back(chunks)
        counts.push_back(hypothesis_matches)
        counts.push_back(reference_matches)
