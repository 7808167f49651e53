"""Candidates of two segments; the compiled form of `meteorlib.matchers`."""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libcpp cimport bool
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.system cimport prefetch
from meteorlib.engine.kernel.vectors cimport find_close
from meteorlib.engine.kernel.words cimport Place, Segment, Span, Word, room_for, scattered


cdef enum:
    EXACT = 0  # matchers of single words
    STEM = 1
    SYNONYM = 2
    LEMMA = 3
    VECTOR = 4
    MOST_CANDIDATES = 1 << 27  # a gigabyte of them
    PHRASE_ROOM = 4  # slots for a phrase, or twice as many: most paraphrases are not in a line
    AHEAD = 8  # spans whose paraphrases are fetched before they are looked at

cdef struct Candidate:
    int32_t position
    int32_t length
    int32_t start
    int32_t words
    int32_t stage

cdef struct Unit:  # a candidate of single words, for every position of a distinct word of the reference
    int32_t start
    int32_t stage

cdef struct Entry:  # a synonym set of a word of the hypothesis
    int32_t synset
    int32_t index  # of the distinct word
    int32_t next  # in the same chain

cdef cppclass Problem:
    """The candidates: those of single words for each distinct word of the reference, phrases for each opening."""
    vector[Unit] units
    vector[Unit] units_behind  # of one word, behind its phrases
    vector[int32_t] unit_begins
    vector[Candidate] found
    vector[Candidate] phrases
    vector[int32_t] phrase_begins
    vector[int32_t] heads  # chains of distinct words of the hypothesis, for each stage that compares numbers
    vector[int32_t] links
    vector[int32_t] synset_heads  # chains of `entries`
    vector[Entry] entries
    vector[int32_t] phrase_heads  # chains of phrases
    vector[int32_t] phrase_links
    vector[int32_t] stamps
    vector[int32_t] close  # distinct words of the hypothesis that match a word


cdef inline int no_room() except -1 with gil:
    raise MemoryError


cdef inline bool by_start(const Unit& a, const Unit& b) noexcept nogil:
    return a.start < b.start


cdef inline Candidate unit_candidate(int32_t position, Unit unit) noexcept nogil:
    cdef Candidate candidate
    candidate.position, candidate.length = position, 1
    candidate.start, candidate.words, candidate.stage = unit.start, 1, unit.stage
    return candidate


cdef inline int32_t units_at(const Segment& reference, const Problem& problem, int32_t position) noexcept nogil:
    """How many candidates of a position are single words."""
    cdef int32_t word = reference.which[position]
    return problem.unit_begins[word + 1] - problem.unit_begins[word]


cdef inline int32_t phrases_at(const Segment& reference, const Problem& problem, int32_t position) noexcept nogil:
    """How many candidates of a position are phrases."""
    cdef int32_t opening = reference.openings[position]
    return problem.phrase_begins[opening + 1] - problem.phrase_begins[opening]


cdef inline int32_t candidates_at(const Segment& reference, const Problem& problem, int32_t position) noexcept nogil:
    """How many candidates a position has."""
    return units_at(reference, problem, position) + phrases_at(reference, problem, position)


cdef inline Candidate candidate_at(
    const Segment& reference, const Problem& problem, int32_t position, int32_t index
) noexcept nogil:
    """A candidate of a position: the single words first, then the phrases."""
    cdef int32_t units = units_at(reference, problem, position)
    if index < units:
        return unit_candidate(position, problem.units[problem.unit_begins[reference.which[position]] + index])
    cdef Candidate candidate = problem.phrases[problem.phrase_begins[reference.openings[position]] + index - units]
    candidate.position = position
    return candidate


cdef inline int add_units(const Segment& hypothesis, int32_t index, int stage, vector[Unit]& units) except -1 nogil:
    """Add every place of a distinct word of the hypothesis."""
    cdef int32_t place
    cdef Unit unit
    unit.stage = stage
    for place in range(hypothesis.begins[index], hypothesis.begins[index + 1]):
        unit.start = hypothesis.places[place]
        units.push_back(unit)


cdef inline void chain(
    const Segment& hypothesis, int matcher, size_t room, int32_t* heads, int32_t* links
) noexcept nogil:
    """Chain the distinct words with the same id or stem, in ascending order."""
    cdef int32_t index
    cdef size_t slot
    cdef Word* word
    for index in range(<int32_t>hypothesis.distinct.size() - 1, -1, -1):
        word = hypothesis.distinct[index]
        slot = scattered(word.id if matcher == EXACT else word.stem) & (room - 1)
        links[index] = heads[slot]
        heads[slot] = index


cdef inline int lay_out(const Segment& hypothesis, Problem& problem) except -1 nogil:
    """A table of the synonym sets of the words."""
    cdef size_t total = 0, mask, slot
    cdef int32_t index, synset, count = 0
    cdef Word* word
    cdef Entry* entry
    for index in range(<int32_t>hypothesis.distinct.size()):
        total += hypothesis.distinct[index].synset_count
    problem.entries.resize(total)
    problem.synset_heads.assign(room_for(2 * total), -1)
    mask = problem.synset_heads.size() - 1
    for index in range(<int32_t>hypothesis.distinct.size()):
        word = hypothesis.distinct[index]
        for synset in range(word.synset_count):
            slot = scattered(word.synsets[synset]) & mask
            entry = &problem.entries[count]
            entry.synset, entry.index, entry.next = word.synsets[synset], index, problem.synset_heads[slot]
            problem.synset_heads[slot] = count
            count += 1


cdef inline int propose_words(
    const Segment& reference, const Segment& hypothesis, const int* matchers, int stages, double threshold,
    Problem& problem,
) except -1 nogil:
    """The candidates of single words, stage by stage, by start."""
    cdef size_t room = room_for(hypothesis.distinct.size()), count = hypothesis.distinct.size(), mask
    cdef int stage, matcher
    cdef int32_t index, other, synset, synsets, place
    cdef const Entry* entry
    cdef const int32_t* wanted
    cdef Word* word
    cdef Word* found
    cdef size_t begin
    cdef int64_t taken = 0
    problem.heads.assign(stages * room, -1)
    problem.links.resize(stages * count)
    problem.stamps.assign(count, -1)
    for stage in range(stages):
        if matchers[stage] == EXACT or matchers[stage] == STEM:
            chain(hypothesis, matchers[stage], room, &problem.heads[stage * room], problem.links.data() + stage * count)
        elif matchers[stage] != VECTOR:
            lay_out(hypothesis, problem)
    problem.units.clear()
    problem.unit_begins.resize(reference.distinct.size() + 1)
    problem.unit_begins[0] = 0
    for index in range(<int32_t>reference.distinct.size()):
        word = reference.distinct[index]
        for stage in range(stages):
            begin = problem.units.size()
            matcher = matchers[stage]
            if matcher == EXACT or matcher == STEM:
                wanted = &word.id if matcher == EXACT else &word.stem
                other = problem.heads[stage * room + (scattered(wanted[0]) & (room - 1))]
                while other >= 0:
                    found = hypothesis.distinct[other]
                    if (found == word) == (matcher == EXACT) and (matcher == EXACT or found.stem == word.stem):
                        add_units(hypothesis, other, stage, problem.units)
                    other = problem.links[stage * count + other]
            elif matcher == VECTOR:
                find_close(word, hypothesis, threshold, problem.close, taken)
                for other in problem.close:
                    add_units(hypothesis, other, stage, problem.units)
            else:
                wanted, synsets = word.synsets, word.synset_count
                if matcher == LEMMA:
                    wanted, synsets = &word.form, 1
                mask = problem.synset_heads.size() - 1
                for synset in range(synsets):
                    place = problem.synset_heads[scattered(wanted[synset]) & mask]
                    while place >= 0:
                        entry = &problem.entries[place]
                        other = entry.index
                        if (
                            entry.synset == wanted[synset]
                            and problem.stamps[other] != index
                            and (matcher == LEMMA or hypothesis.distinct[other] != word)
                        ):
                            problem.stamps[other] = index
                            add_units(hypothesis, other, stage, problem.units)
                        place = entry.next
            count_steps(taken, 10 * <int64_t>(1 + problem.units.size() - begin))
            if problem.units.size() > MOST_CANDIDATES:
                no_room()
            if problem.units.size() > begin + 1:
                sort(problem.units.begin() + begin, problem.units.end(), by_start)
        problem.unit_begins[index + 1] = <int32_t>problem.units.size()


cdef inline int chain_phrases(const Segment& segment, Problem& problem) except -1 nogil:
    """Chain the phrases with the same last bits of their numbers, in ascending order."""
    cdef size_t index, place, mask
    problem.phrase_heads.assign(room_for(PHRASE_ROOM * segment.phrases.size()), -1)
    problem.phrase_links.resize(segment.phrases.size())
    mask = problem.phrase_heads.size() - 1
    for place in range(segment.phrases.size()):
        index = segment.phrases.size() - 1 - place
        problem.phrase_links[index] = problem.phrase_heads[segment.phrases[index].phrase & mask]
        problem.phrase_heads[segment.phrases[index].phrase & mask] = <int32_t>index


cdef inline void fetch(const uint32_t* targets, const Span& span) noexcept nogil:
    """Begin to fetch the paraphrases of a phrase, most of which lie in a line or two of the cache."""
    prefetch(targets + span.first_target)
    prefetch(targets + span.last_target - 1)


cdef inline int find_paraphrases(
    const Segment& sources, const Segment& others, const uint32_t* targets, int stage, bool forward, Problem& problem
) except -1 nogil:
    """See `meteorlib.matchers.paraphrase.Paraphrase.spans`; of the reference, openings alone."""
    cdef size_t index, mask
    cdef int32_t phrase
    cdef uint32_t target, entry
    cdef Span span
    cdef Place other
    cdef Candidate candidate
    cdef int64_t taken = 0
    candidate.stage = stage
    for index in range(min(<size_t>AHEAD, sources.spans.size())):
        fetch(targets, sources.spans[index])
    chain_phrases(others, problem)
    mask = problem.phrase_heads.size() - 1
    for index in range(sources.spans.size()):
        span = sources.spans[index]
        if index + AHEAD < sources.spans.size():
            fetch(targets, sources.spans[index + AHEAD])
        if forward and sources.openings[span.start] != span.start:
            continue
        count_steps(taken, 2 * <int64_t>(span.last_target - span.first_target))
        for entry in range(span.first_target, span.last_target):
            target = targets[entry]
            phrase = problem.phrase_heads[target & mask]
            while phrase >= 0:
                other = others.phrases[phrase]
                phrase = problem.phrase_links[phrase]
                if other.phrase != target:
                    continue
                count_steps(taken, 4)
                if problem.found.size() > MOST_CANDIDATES:
                    no_room()
                if forward:
                    candidate.position, candidate.length = span.start, span.length
                    candidate.start, candidate.words = other.start, other.length
                elif others.openings[other.start] == other.start:
                    candidate.position, candidate.length = other.start, other.length
                    candidate.start, candidate.words = span.start, span.length
                else:
                    continue
                problem.found.push_back(candidate)


cdef inline int find_late(
    const Segment& reference, const Segment& hypothesis, int stage, double threshold, Problem& problem
) except -1 nogil:
    """Single words with near vectors, where that stage comes behind the paraphrases; of the reference, openings."""
    cdef int32_t index, place, position
    cdef int64_t taken = 0
    cdef Unit unit
    for index in range(<int32_t>reference.distinct.size()):
        find_close(reference.distinct[index], hypothesis, threshold, problem.close, taken)
        problem.units_behind.clear()
        for place in problem.close:
            add_units(hypothesis, place, stage, problem.units_behind)
        sort(problem.units_behind.begin(), problem.units_behind.end(), by_start)
        for place in range(reference.begins[index], reference.begins[index + 1]):
            position = reference.places[place]
            if reference.openings[position] == position:
                count_steps(taken, 4 * <int64_t>problem.units_behind.size())
                for unit in problem.units_behind:
                    problem.found.push_back(unit_candidate(position, unit))
                if problem.found.size() > MOST_CANDIDATES:
                    no_room()


cdef inline int propose_phrases(
    const Segment& reference, const Segment& hypothesis, const uint32_t* targets, int stage, int late_stage,
    double threshold, Problem& problem,
) except -1 nogil:
    """The candidates of phrases, and of words behind them; no stage (-1), no candidates."""
    cdef size_t index
    cdef int32_t position, length = <int32_t>reference.words.size()
    problem.phrase_begins.assign(length + 2, 0)
    problem.found.clear()
    if stage >= 0:
        find_paraphrases(reference, hypothesis, targets, stage, True, problem)
        find_paraphrases(hypothesis, reference, targets, stage, False, problem)
    if late_stage >= 0:
        find_late(reference, hypothesis, late_stage, threshold, problem)
    for index in range(problem.found.size()):
        problem.phrase_begins[problem.found[index].position + 2] += 1
    for position in range(length):
        problem.phrase_begins[position + 2] += problem.phrase_begins[position + 1]
    problem.phrases.resize(problem.found.size())
    for index in range(problem.found.size()):
        position = problem.found[index].position + 1
        problem.phrases[problem.phrase_begins[position]] = problem.found[index]
        problem.phrase_begins[position] += 1
