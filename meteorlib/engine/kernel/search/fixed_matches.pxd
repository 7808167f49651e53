"""Matches that need no search; the compiled form of `meteorlib.search.beam`."""

from libc.stdint cimport int32_t
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate, Problem, candidate_at, candidates_at, units_at
from meteorlib.engine.kernel.search.beam_paths cimport Beam
from meteorlib.engine.kernel.words.words cimport Segment


cdef inline int split_fixed(
    const Segment& reference, const Segment& hypothesis, const Problem& problem, Beam& beam, vector[Candidate]& chosen
) except -1 nogil:
    """Choose what nothing competes with, and say which positions are left open."""
    cdef int32_t length = <int32_t>reference.words.size()
    cdef int32_t position, word, index, covered, end = 0, count, opening
    cdef Candidate candidate
    cdef bool alone
    beam.reference_cover.assign(length, 0)
    beam.hypothesis_cover.assign(hypothesis.words.size(), 0)
    for word in range(<int32_t>reference.distinct.size()):
        count = reference.begins[word + 1] - reference.begins[word]
        for index in range(problem.unit_begins[word], problem.unit_begins[word + 1]):
            beam.hypothesis_cover[problem.units[index].start] += count
    for position in range(length):
        beam.reference_cover[position] += units_at(reference, problem, position)
        opening = reference.openings[position]
        for index in range(problem.phrase_begins[opening], problem.phrase_begins[opening + 1]):
            candidate = problem.phrases[index]
            for covered in range(position, position + candidate.length):
                beam.reference_cover[covered] += 1
            for covered in range(candidate.start, candidate.start + candidate.words):
                beam.hypothesis_cover[covered] += 1
    beam.fixed_start.assign(length + 1, -1)
    beam.fixed_end.assign(length + 2, -1)
    beam.open.clear()
    for position in range(length):
        if beam.reference_cover[position] == 0 or position < end:
            continue
        if beam.reference_cover[position] == 1 and candidates_at(reference, problem, position) == 1:
            candidate = candidate_at(reference, problem, position, 0)
            alone = True
            for covered in range(position, position + candidate.length):
                alone = alone and beam.reference_cover[covered] == 1
            for covered in range(candidate.start, candidate.start + candidate.words):
                alone = alone and beam.hypothesis_cover[covered] == 1
            if alone:
                end = position + candidate.length
                beam.fixed_start[position] = candidate.start
                beam.fixed_end[end] = candidate.start + candidate.words
                chosen.push_back(candidate)
                continue
        beam.open.push_back(position)
