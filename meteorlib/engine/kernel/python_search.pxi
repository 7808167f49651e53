"""The Python search, for the few segments that the kernel does not handle (docs/twins.md)."""


@cython.final
@cython.no_gc
cdef class CandidateValues:
    """The values of candidates, as a search that weighs them asks for it."""

    cdef const Task* task
    cdef dict near  # (distinct word of the reference, hypothesis position) → grade of a near word

    def __call__(self, int32_t position, tuple found):
        """The value of a candidate at a position, before costs."""
        cdef Candidate candidate
        candidate.position = position
        candidate.length, candidate.start, candidate.words, candidate.stage = found
        return value_of(self.task[0], candidate, self.grade(candidate))

    cdef int32_t grade(self, Candidate candidate):
        """Share of a candidate that counts."""
        cdef int32_t grade = SCALE
        if candidate.stage == self.task.valuation.near_stage:
            grade = self.near[self.task.reference.which[candidate.position], candidate.start]
        return grade_of(self.task[0], candidate, grade)


@cython.final
@cython.no_gc
cdef class PythonSearch:
    """A search of `meteorlib.search`, and what it asks of a segment beside its candidates."""

    cdef object search
    cdef tuple gains
    cdef bint weighs

    def __cinit__(self, search, tuple gains, bint weighs):
        self.search, self.gains, self.weighs = search, gains, weighs

    cdef list candidates_at(self, const Task& task, int32_t position, dict near):
        """The candidates of a position, in the order of the stages; grades of near words come to `near`."""
        cdef int32_t index, word = task.reference.which[position]
        cdef int32_t units = units_at(task.reference[0], task.problem[0], position)
        cdef Candidate candidate
        cdef list found = [], joined = [], behind = []
        for index in range(candidates_at(task.reference[0], task.problem[0], position)):
            candidate = candidate_at(task.reference[0], task.problem[0], position, index)
            one = candidate.length, candidate.start, candidate.words, candidate.stage
            (behind if self.weighs and candidate.stage == task.valuation.vector_stage else found).append(one)
        if not self.weighs:
            return found
        for index in range(task.joined.begins[position], task.joined.begins[position + 1]):
            candidate = task.joined.found[index]
            joined.append((candidate.length, candidate.start, candidate.words, candidate.stage))
        found[units:units] = joined
        single = {start for length, start, words, _ in found if length == words == 1}
        for index in range(task.near.begins[word], task.near.begins[word + 1]):
            candidate.start = task.near.units[index].start
            if candidate.start not in single:
                found.append((1, candidate.start, 1, task.valuation.near_stage))
                near[word, candidate.start] = task.near.units[index].grade
        found += behind
        if task.valuation.context_stage >= 0:
            single = {start for length, start, words, _ in found if length == words == 1}
            for index in range(task.context.begins[position], task.context.begins[position + 1]):
                if task.context.starts[index] not in single:
                    found.append((1, task.context.starts[index], 1, task.valuation.context_stage))
        return found


cdef int search_in_python(
    void* owner, const Task& task, vector[Candidate]& chosen, vector[int32_t]& grades, bool& optimal
) except -1 with gil:
    """Hand the candidates of a segment to the search; positions where the same stand share a list."""
    cdef PythonSearch it = <PythonSearch>owner
    cdef int32_t position
    cdef Candidate candidate
    cdef CandidateValues values = CandidateValues.__new__(CandidateValues)
    cdef tuple key
    cdef list candidates = []
    cdef bint alone = it.weighs and task.valuation.context_stage >= 0  # each position has candidates of its own
    cdef dict known = {}
    values.task, values.near = &task, {}
    for position in range(<int32_t>task.reference.words.size()):
        key = task.reference.which[position], task.reference.openings[position]
        if alone or (it.weighs and task.joined.begins[position] < task.joined.begins[position + 1]):
            candidates.append(it.candidates_at(task, position, values.near))
            continue
        if key not in known:
            known[key] = it.candidates_at(task, position, values.near)
        candidates.append(known[key])
    matches, proven = it.search(candidates, task.hypothesis.words.size(), values if it.weighs else it.gains)
    optimal = proven
    chosen.clear()
    grades.clear()
    for candidate.position, candidate.length, candidate.start, candidate.words, candidate.stage in matches:
        chosen.push_back(candidate)
        if it.weighs:
            grades.push_back(values.grade(candidate))
    return 0
