"""Values of candidates in the weighted search, and the hypothesis words that states must remember."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libcpp cimport bool
from libcpp.algorithm cimport nth_element
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, candidate_at, phrases_at, units_at
from meteorlib.engine.kernel.match.context cimport Context, cosine_at
from meteorlib.engine.kernel.count.counts cimport STAGES, SCALE, graded
from meteorlib.engine.kernel.match.joined cimport Joined
from meteorlib.engine.kernel.match.near cimport Near
from meteorlib.engine.kernel.steps cimport count_steps, step
from meteorlib.engine.kernel.words.words cimport Segment


cdef enum:
    NEXT = -1
    NOWHERE = -2
    MOST_CHOICES = 2000  # as in `meteorlib.search.weighted`

cdef struct Valuation:  # how a preset weighs candidates; costs and values in units of 1/SCALE
    int64_t values[STAGES]
    int64_t factor  # by which sizes are multiplied
    int64_t chunk
    int64_t distance
    int64_t far  # words
    int64_t kept
    int64_t cased  # share of a match of two words that differ in case that counts
    int near_stage  # -1: none, like the next two
    int vector_stage  # behind near words, whose candidates stand behind the phrases of the problem
    int context_stage
    int64_t context  # loss of equal words if their contexts have nothing in common

cdef cppclass Task:
    """Two sides, their candidates, and how these are valued."""
    const Segment* reference
    const Segment* hypothesis
    const Problem* problem
    const Joined* joined
    const Near* near
    const Context* context
    const Valuation* valuation

cdef struct Choice:
    Candidate candidate
    int32_t grade
    int64_t joined  # value that it adds if it continues the open chunk
    int64_t apart  # and if it begins a chunk

cdef struct Extension:  # a choice as a state sees it; the last one is to take none
    uint64_t words  # the bits that it takes, and
    uint64_t kept  # those that matter behind it
    int64_t joined
    int64_t apart
    int32_t start
    int32_t open  # hypothesis position at which the chunk would continue
    int32_t choice
    int32_t turn  # of the position behind it; `NEXT`: the next one
    bint beats  # to take none is not better: the same words matter behind it

cdef cppclass Choices:
    """The candidates of one position, and the words of the hypothesis that those of several positions cover.

    Such a word has a bit from the first of these positions to the last one; then another word has it.
    """
    vector[Choice] here
    vector[Choice] coming  # those of the next one
    vector[Extension] extensions  # those of this one
    vector[int32_t] starts  # for each hypothesis position, the last position with a candidate that starts there
    size_t longer  # how many of the extensions jump over a position
    vector[int32_t] paired  # for each hypothesis word, the last `stamp` under which a single word was paired with it
    int32_t stamp  # the position
    vector[int32_t] distances
    bool cut  # whether any candidate of the segment was left out
    vector[int32_t] first  # for each hypothesis word, the first position at which a candidate covers it
    vector[int32_t] last
    vector[int32_t] by_last  # hypothesis words that several positions cover, by the last one
    vector[int32_t] last_begins  # of those of each position
    vector[int32_t] bits  # for each hypothesis word; -1: none
    vector[int32_t] free  # bits
    vector[int32_t] owners  # of the bits
    vector[int32_t] ending  # words whose last position this is
    size_t words  # of 64 bits that a set of them needs
    size_t longest  # reference words of a candidate
    vector[uint64_t] live  # the bits that matter at the next position


cdef inline int64_t value_of(const Task& task, const Candidate& candidate, int32_t grade) noexcept nogil:
    """The value of a candidate before costs."""
    cdef int64_t size = 0
    cdef int32_t position
    for position in range(candidate.position, candidate.position + candidate.length):
        size += graded(task.reference.words[position].size, grade)
    for position in range(candidate.start, candidate.start + candidate.words):
        size += graded(task.hypothesis.words[position].size, grade)
    return task.valuation.values[candidate.stage] * size * task.valuation.factor // (2 * SCALE)


cdef inline bool differ_in_case(const Task& task, const Candidate& candidate) noexcept nogil:
    """Whether two words are written in different ways; where just one of them begins its text, that tells nothing."""
    if task.reference.cases.empty() or candidate.length != 1 or candidate.words != 1:
        return False
    if (candidate.position == 0) != (candidate.start == 0):
        return False
    return task.reference.cases[candidate.position] != task.hypothesis.cases[candidate.start]


cdef inline bool are_equal(const Task& task, const Candidate& candidate) noexcept nogil:
    """Whether a candidate pairs a word with itself."""
    return candidate.length == 1 == candidate.words and (
        task.reference.words[candidate.position] == task.hypothesis.words[candidate.start]
    )


cdef inline int32_t grade_of(const Task& task, const Candidate& candidate, int32_t grade) noexcept nogil:
    """Share of a candidate that counts, once the context and the case of its words are compared."""
    cdef int64_t cosine
    if task.valuation.context_stage >= 0:
        if candidate.stage == task.valuation.context_stage:
            return cosine_at(task.context[0], candidate.position, candidate.start)
        if are_equal(task, candidate):
            cosine = cosine_at(task.context[0], candidate.position, candidate.start)
            grade = <int32_t>(SCALE - task.valuation.context * (SCALE - cosine) // SCALE)
    return <int32_t>(grade * task.valuation.cased // SCALE) if differ_in_case(task, candidate) else grade


cdef inline int add_choice(
    const Task& task, const Candidate& candidate, int32_t grade, Choices& choices
) except -1 nogil:
    """Pay the costs of a candidate; it keeps a share of its value."""
    cdef const Valuation* costs = task.valuation
    cdef int64_t far = min(<int64_t>abs(candidate.position - candidate.start), costs.far)
    cdef Choice choice
    choice.candidate, choice.grade = candidate, grade_of(task, candidate, grade)
    cdef int64_t value = value_of(task, candidate, choice.grade), least = value * costs.kept // SCALE
    value -= costs.distance * far // costs.far
    choice.joined, choice.apart = max(value, least), max(value - costs.chunk, least)
    if candidate.length == 1 == candidate.words:
        choices.paired[candidate.start] = choices.stamp
    choices.coming.push_back(choice)


cdef inline size_t most_choices_at(const Task& task, int32_t position) noexcept nogil:
    """Number of candidates of a position, counting again those that come as near words or in context, too."""
    cdef int32_t word = task.reference.which[position], in_context = 0
    if task.valuation.context_stage >= 0:
        in_context = task.context.begins[position + 1] - task.context.begins[position]
    return (
        units_at(task.reference[0], task.problem[0], position)
        + task.joined.begins[position + 1] - task.joined.begins[position]
        + phrases_at(task.reference[0], task.problem[0], position)
        + task.near.begins[word + 1] - task.near.begins[word]
        + in_context
    )


cdef inline int nearest(int32_t position, Choices& choices) except -1 nogil:
    """Leave the `MOST_CHOICES` candidates whose words stand nearest, in their order; of equally near ones the first."""
    cdef size_t index, kept = 0
    cdef int32_t reach, distance, spare = MOST_CHOICES  # of those at just that reach
    choices.cut = True
    choices.distances.clear()
    for index in range(choices.coming.size()):
        choices.distances.push_back(abs(choices.coming[index].candidate.start - position))
    nth_element(choices.distances.begin(), choices.distances.begin() + MOST_CHOICES - 1, choices.distances.end())
    reach = choices.distances[MOST_CHOICES - 1]
    for index in range(MOST_CHOICES - 1):
        spare -= choices.distances[index] < reach
    for index in range(choices.coming.size()):
        distance = abs(choices.coming[index].candidate.start - position)
        if distance < reach or (distance == reach and spare > 0):
            spare -= distance == reach
            choices.coming[kept] = choices.coming[index]
            kept += 1
    choices.coming.resize(kept)


cdef inline int add_phrases(const Task& task, int32_t position, bint behind, Choices& choices) except -1 nogil:
    """Add the phrases of a position, or the words that come behind near words."""
    cdef int32_t index, units = units_at(task.reference[0], task.problem[0], position)
    cdef Candidate candidate
    for index in range(units, units + phrases_at(task.reference[0], task.problem[0], position)):
        candidate = candidate_at(task.reference[0], task.problem[0], position, index)
        if (candidate.stage == task.valuation.vector_stage) == behind:
            add_choice(task, candidate, SCALE, choices)


cdef inline int choices_at(const Task& task, int32_t position, Choices& choices) except -1 nogil:
    """Find the candidates of a position, stage after stage: words, joined words, phrases, near words, vectors, context."""
    choices.coming.clear()
    choices.stamp = position
    cdef int32_t index, units = units_at(task.reference[0], task.problem[0], position)
    cdef int32_t word = task.reference.which[position]
    cdef Candidate candidate
    for index in range(units):
        candidate = candidate_at(task.reference[0], task.problem[0], position, index)
        add_choice(task, candidate, SCALE, choices)
    for index in range(task.joined.begins[position], task.joined.begins[position + 1]):
        add_choice(task, task.joined.found[index], SCALE, choices)
    add_phrases(task, position, False, choices)
    candidate.position, candidate.length, candidate.words, candidate.stage = position, 1, 1, task.valuation.near_stage
    for index in range(task.near.begins[word], task.near.begins[word + 1]):
        candidate.start = task.near.units[index].start
        if choices.paired[candidate.start] != choices.stamp:
            add_choice(task, candidate, task.near.units[index].grade, choices)
    if task.valuation.vector_stage >= 0:
        add_phrases(task, position, True, choices)
    if task.valuation.context_stage >= 0:
        candidate.stage = task.valuation.context_stage
        for index in range(task.context.begins[position], task.context.begins[position + 1]):
            candidate.start = task.context.starts[index]
            if choices.paired[candidate.start] != choices.stamp:
                add_choice(task, candidate, SCALE, choices)
    if choices.coming.size() > MOST_CHOICES:
        nearest(position, choices)
    for index in range(<int32_t>choices.coming.size()):
        choices.starts[choices.coming[index].candidate.start] = position


cdef inline int begin_choices(const Segment& hypothesis, Choices& choices) except -1 nogil:
    """Before the first position: no word has a bit."""
    cdef int32_t bit, bits = <int32_t>(64 * choices.words)
    choices.paired.assign(hypothesis.words.size(), -1)
    choices.starts.assign(hypothesis.words.size() + 1, -1)
    choices.bits.assign(hypothesis.words.size(), -1)
    choices.owners.assign(bits, -1)
    choices.live.assign(choices.words, 0)
    choices.ending.clear()
    choices.free.resize(bits)
    for bit in range(bits):
        choices.free[bit] = bits - 1 - bit


cdef inline void cover(Choices& choices, const Candidate& candidate, int32_t first, int32_t last) noexcept nogil:
    """Note that the words of a candidate are covered from one position to another."""
    cdef int32_t word
    for word in range(candidate.start, candidate.start + candidate.words):
        choices.first[word] = min(choices.first[word], first)
        choices.last[word] = max(choices.last[word], last)


cdef inline int cover_all(const Task& task, Choices& choices) except -1 nogil:
    """Note where the words of all candidates are covered."""
    cdef int32_t index, word, position, first, last
    cdef Candidate candidate
    cdef int64_t taken = 0
    candidate.words = 1
    for word in range(<int32_t>task.reference.distinct.size()):
        first, last = task.reference.places[task.reference.begins[word]], task.reference.places[task.reference.begins[word + 1] - 1]
        for index in range(task.problem.unit_begins[word], task.problem.unit_begins[word + 1]):
            candidate.start = task.problem.units[index].start
            cover(choices, candidate, first, last)
        for index in range(task.near.begins[word], task.near.begins[word + 1]):
            candidate.start = task.near.units[index].start
            cover(choices, candidate, first, last)
    for index in range(<int32_t>task.joined.found.size()):
        candidate = task.joined.found[index]
        cover(choices, candidate, candidate.position, candidate.position)
        choices.longest = max(choices.longest, <size_t>candidate.length)
    for position in range(<int32_t>task.reference.words.size()):
        word = task.reference.openings[position]
        count_steps(taken, 4 * <int64_t>(1 + task.problem.phrase_begins[word + 1] - task.problem.phrase_begins[word]))
        for index in range(task.problem.phrase_begins[word], task.problem.phrase_begins[word + 1]):
            candidate = task.problem.phrases[index]
            cover(choices, candidate, position, position)
            choices.longest = max(choices.longest, <size_t>candidate.length)
    if task.valuation.context_stage >= 0:
        cover_in_context(task, choices)


cdef inline int cover_in_context(const Task& task, Choices& choices) except -1 nogil:
    """Note where words that match in context are covered."""
    cdef int32_t index, position
    cdef Candidate candidate
    candidate.words = 1
    for position in range(<int32_t>task.reference.words.size()):
        for index in range(task.context.begins[position], task.context.begins[position + 1]):
            candidate.start = task.context.starts[index]
            cover(choices, candidate, position, position)


cdef inline int cover_nearest(const Task& task, Choices& choices) except -1 nogil:
    """Note where the words of candidates are covered, where some positions have more than `MOST_CHOICES`."""
    cdef int32_t position
    cdef size_t index
    begin_choices(task.hypothesis[0], choices)
    for position in range(<int32_t>task.reference.words.size()):
        step(20 * <int64_t>(1 + most_choices_at(task, position)))
        choices_at(task, position, choices)
        for index in range(choices.coming.size()):
            cover(choices, choices.coming[index].candidate, position, position)
            choices.longest = max(choices.longest, <size_t>choices.coming[index].candidate.length)


cdef inline int survey(const Task& task, Choices& choices) except -1 nogil:
    """Find where each word of the hypothesis is covered, and how many of them need a bit at a time."""
    cdef int32_t word, position, length = <int32_t>task.reference.words.size()
    cdef int32_t alive = 0, most = 0
    cdef size_t offered = 0
    choices.first.assign(task.hypothesis.words.size(), INT32_MAX)
    choices.last.assign(task.hypothesis.words.size(), -1)
    choices.longest = choices.words = 1
    choices.cut = False
    for position in range(length):
        offered = max(offered, most_choices_at(task, position))
    if offered > MOST_CHOICES:
        cover_nearest(task, choices)
    else:
        cover_all(task, choices)
    choices.owners.assign(length + 1, 0)
    for word in range(<int32_t>task.hypothesis.words.size()):
        if choices.first[word] < choices.last[word]:
            choices.owners[choices.first[word]] += 1
            choices.owners[choices.last[word] + 1] -= 1
    for position in range(length):
        alive += choices.owners[position]
        most = max(most, alive)
    choices.words = max(1, (most + 63) >> 6)
    if choices.longest > 1:
        sort_by_last(length, choices)


cdef inline int sort_by_last(int32_t length, Choices& choices) except -1 nogil:
    """Lay out the words by the last position that covers them."""
    cdef int32_t word, position, words = <int32_t>choices.last.size()
    choices.last_begins.assign(length + 2, 0)
    for word in range(words):
        if choices.first[word] < choices.last[word]:
            choices.last_begins[choices.last[word] + 2] += 1
    for position in range(length):
        choices.last_begins[position + 2] += choices.last_begins[position + 1]
    choices.by_last.resize(choices.last_begins[length + 1])
    for word in range(words):
        if choices.first[word] < choices.last[word]:
            position = choices.last[word] + 1
            choices.by_last[choices.last_begins[position]] = word
            choices.last_begins[position] += 1
