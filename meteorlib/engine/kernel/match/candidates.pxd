"""Candidates of two segments; the compiled form of `meteorlib.matchers`."""

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.match.vectors cimport find_close
from meteorlib.engine.kernel.words.words cimport Segment, Word, room_for, scattered


cdef enum:
    EXACT = 0  # matchers of single words
    STEM = 1
    SYNONYM = 2
    LEMMA = 3
    VECTOR = 4
    MOST_CANDIDATES = 1 << 27  # a gigabyte of them, where a search takes as many
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
    int64_t pairs  # all candidates, those of every position counted
    int64_t most_pairs


cdef inline int no_room() except -1 with gil:
    raise MemoryError


cdef inline int too_many_pairs(size_t reference, size_t hypothesis, int64_t most) except -1 with gil:
    from meteorlib.matchers import matcher

    raise matcher.too_many_pairs(reference, hypothesis, most)


cdef inline int check_pairs(
    const Segment& reference, const Segment& hypothesis, size_t uncounted, const Problem& problem
) except -1 nogil:
    """Refuse a segment with too many candidates: those that are counted, and at least so many more."""
    if problem.pairs + <int64_t>uncounted > problem.most_pairs:
        too_many_pairs(reference.words.size(), hypothesis.words.size(), problem.most_pairs)


cdef inline int add_pairs(
    const Segment& reference, const Segment& hypothesis, int64_t pairs, Problem& problem
) except -1 nogil:
    """Count candidates; the compiled form of `meteorlib.matchers.matcher.PairCount.add`."""
    problem.pairs += pairs
    check_pairs(reference, hypothesis, 0, problem)


cdef inline bool by_start(const Unit& a, const Unit& b) noexcept nogil:
    return a.start < b.start


cdef inline Candidate unit_candidate(int32_t position, Unit unit) noexcept nogil:
    cdef Candidate candidate
    candidate.position, candidate.length = position, 1
    candidate.start, candidate.words, candidate.stage = unit.start, 1, unit.stage
    return candidate


cdef inline int32_t units_at(const Segment& reference, const Problem& problem, int32_t position) noexcept nogil:
    """Number of candidates of a position that are single words."""
    cdef int32_t word = reference.which[position]
    return problem.unit_begins[word + 1] - problem.unit_begins[word]


cdef inline int32_t phrases_at(const Segment& reference, const Problem& problem, int32_t position) noexcept nogil:
    """Number of candidates of a position that are phrases."""
    cdef int32_t opening = reference.openings[position]
    return problem.phrase_begins[opening + 1] - problem.phrase_begins[opening]


cdef inline int32_t candidates_at(const Segment& reference, const Problem& problem, int32_t position) noexcept nogil:
    """Number of candidates of a position."""
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
                too_many_pairs(reference.words.size(), hypothesis.words.size(), MOST_CANDIDATES)
            add_pairs(
                reference, hypothesis,
                <int64_t>(problem.units.size() - begin) * (reference.begins[index + 1] - reference.begins[index]), problem,
            )
            if problem.units.size() > begin + 1:
                sort(problem.units.begin() + begin, problem.units.end(), by_start)
        problem.unit_begins[index + 1] = <int32_t>problem.units.size()
