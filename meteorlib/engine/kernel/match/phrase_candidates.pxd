"""Candidates that span several words: paraphrases, and words of late stages behind them."""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libcpp cimport bool
from libcpp.algorithm cimport sort

from meteorlib.engine.kernel.count.numbers cimport unequal
from meteorlib.engine.kernel.match.candidates cimport AHEAD, PHRASE_ROOM, Candidate, Problem, Unit, add_pairs, add_units, by_start, check_pairs, phrases_at, unit_candidate
from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.system cimport prefetch
from meteorlib.engine.kernel.match.vectors cimport find_close
from meteorlib.engine.kernel.words.words cimport Place, Segment, Span, room_for


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
                if other.phrase != target:  # a number that only ends in the same bits
                    continue
                count_steps(taken, 4)
                if unequal(sources, span.start, span.length, others, other.start, other.length):
                    continue
                if forward:
                    check_pairs(sources, others, problem.found.size(), problem)
                    candidate.position, candidate.length = span.start, span.length
                    candidate.start, candidate.words = other.start, other.length
                elif others.openings[other.start] == other.start:
                    check_pairs(others, sources, problem.found.size(), problem)
                    candidate.position, candidate.length = other.start, other.length
                    candidate.start, candidate.words = span.start, span.length
                else:
                    continue
                problem.found.push_back(candidate)


cdef inline int find_late(
    const Segment& reference, const Segment& hypothesis, int stage, double threshold, Problem& problem
) except -1 nogil:
    """Single words with near vectors, where that stage comes after joined words or paraphrases; reference openings only."""
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
                check_pairs(reference, hypothesis, problem.found.size(), problem)


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
    # a counting sort keeps the order in which a position's candidates were found, which breaks ties
    for index in range(problem.found.size()):
        problem.phrase_begins[problem.found[index].position + 2] += 1
    for position in range(length):
        problem.phrase_begins[position + 2] += problem.phrase_begins[position + 1]
    problem.phrases.resize(problem.found.size())
    for index in range(problem.found.size()):
        position = problem.found[index].position + 1
        problem.phrases[problem.phrase_begins[position]] = problem.found[index]
        problem.phrase_begins[position] += 1
    for position in range(length if problem.found.size() else 0):
        add_pairs(reference, hypothesis, phrases_at(reference, problem, position), problem)
