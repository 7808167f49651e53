"""Snowball's stemmers: runs the code that `tools/stemmer_code.py` makes of the carried Python.

A word is stemmed where it stands. Whatever Python would answer by an error, or with an index from the end, is left to it.
"""

from libc.stdint cimport int32_t
from libc.string cimport memcpy, memmove
from libcpp cimport bool
from libcpp.vector cimport vector

cdef enum:  # operations, in the translator's order
    MOVE
    ADD
    SUBTRACT
    LESS
    AT_MOST
    EQUAL
    GROUP
    LITERAL
    AMONG
    REPLACE
    INSERT
    KEEP
    KEPT
    IS_NOTHING
    CALL
    RETURN
    JUMP

cdef enum:
    WIDTH = 6  # numbers of an instruction
    AMONG_WIDTH = 5  # of an ending: its length, its letters, that within it, the result, a method or -1
    CURSOR = 0  # registers
    LIMIT = 1
    LIMIT_BACKWARD = 2
    BRA = 3
    KET = 4
    MOST_LETTERS = 128
    MOST_REGISTERS = 1024
    MOST_SAVED = 32  # registers of a method that calls itself
    ODD = -2  # the word is left to Python

cdef cppclass Program:
    vector[int32_t] code, pool, registers
    int32_t entry

cdef struct Machine:
    int32_t length
    int32_t kept_length
    int32_t letters[MOST_LETTERS]
    int32_t kept[MOST_LETTERS]
    int32_t registers[MOST_REGISTERS]


cdef inline bool is_same(const Machine& it, int32_t begin, const int32_t* text, int32_t length) noexcept nogil:
    cdef int32_t index
    for index in range(length):
        if it.letters[begin + index] != text[index]:
            return False
    return True


cdef inline int literal(Machine& it, int32_t backward, const int32_t* text, int32_t length) noexcept nogil:
    """Go over a text, if it stands at the cursor."""
    cdef int32_t cursor = it.registers[CURSOR], begin = cursor - length if backward else cursor
    cdef int32_t there = cursor - it.registers[LIMIT_BACKWARD] if backward else it.registers[LIMIT] - cursor
    if there < length:
        return False
    if begin < 0 or begin + length > it.length:
        return ODD
    if not is_same(it, begin, text, length):
        return False
    it.registers[CURSOR] = begin if backward else cursor + length
    return True


cdef inline int group(Machine& it, int32_t flags, const int32_t* bits, int32_t low, int32_t high) noexcept nogil:
    """Go over a character that is in a set, or is not."""
    cdef int32_t cursor = it.registers[CURSOR], place = cursor - (flags & 1), letter
    cdef bool inside
    if (flags & 1 and cursor <= it.registers[LIMIT_BACKWARD]) or (not flags & 1 and cursor >= it.registers[LIMIT]):
        return False
    if not 0 <= place < it.length:
        return ODD
    letter = it.letters[place]
    inside = low <= letter <= high and (bits[(letter - low) >> 3] >> ((letter - low) & 7)) & 1
    if inside == (flags >> 1):
        return False
    it.registers[CURSOR] += -1 if flags & 1 else 1
    return True


cdef inline int replace(Machine& it, int32_t begin, int32_t end, const int32_t* text, int32_t length) noexcept nogil:
    """Write a text in place of a part of the word."""
    cdef int32_t grown = length - (end - begin)
    if it.length + grown > MOST_LETTERS:
        return ODD
    memmove(it.letters + end + grown, it.letters + end, (it.length - end) * sizeof(int32_t))
    memcpy(it.letters + begin, text, length * sizeof(int32_t))
    it.length += grown
    it.registers[LIMIT] += grown
    if it.registers[CURSOR] >= end:
        it.registers[CURSOR] += grown
    elif it.registers[CURSOR] > begin:
        it.registers[CURSOR] = begin
    return True


cdef inline bool is_slice(const Machine& it) noexcept nogil:
    return 0 <= it.registers[BRA] <= it.registers[KET] <= it.registers[LIMIT] <= it.length


cdef inline int insert(Machine& it, const int32_t* text, int32_t length) noexcept nogil:
    """Insert a text at the cursor."""
    cdef int32_t place = it.registers[CURSOR]
    if not 0 <= place <= it.length:
        return ODD
    if replace(it, place, place, text, length) == ODD:
        return ODD
    if place <= it.registers[BRA]:
        it.registers[BRA] += length
    if place <= it.registers[KET]:
        it.registers[KET] += length
    return True


cdef inline int32_t found_among(
    const Program& program, Machine& it, int32_t backward, const int32_t* table, int32_t size
) noexcept nogil:
    """The ending that the search of the carried `BaseStemmer.find_among` or `find_among_b` comes to, or `ODD`."""
    cdef int32_t low = 0, high = size, common_low = 0, common_high = 0, middle, common, index, place, difference
    cdef int32_t cursor = it.registers[CURSOR]
    cdef int32_t end = it.registers[LIMIT_BACKWARD] if backward else it.registers[LIMIT]
    cdef const int32_t* one
    cdef bool inspected = False
    while True:
        middle = low + ((high - low) >> 1)
        one = table + AMONG_WIDTH * middle
        difference, common = 0, min(common_low, common_high)
        while common < one[0]:
            place = cursor - common if backward else cursor + common
            if place == end:
                difference = -1
                break
            place -= backward
            if not 0 <= place < it.length:
                return ODD
            index = one[0] - 1 - common if backward else common
            difference = it.letters[place] - program.pool[one[1] + index]
            if difference != 0:
                break
            common += 1
        if difference < 0:
            high, common_high = middle, common
        else:
            low, common_low = middle, common
        if high - low <= 1:
            if low > 0 or high == low or inspected:
                break
            inspected = True
    # the longest one that stands there; those within it are next
    while low >= 0 and common_low < table[AMONG_WIDTH * low]:
        low = table[AMONG_WIDTH * low + 2]
    return low


cdef inline int among(const Program& program, Machine& it, const int32_t* step) noexcept nogil:
    """Write the result of the longest ending that stands at the cursor, and whose method holds, to a register."""
    cdef const int32_t* table = program.pool.data() + step[3]
    cdef const int32_t* one
    cdef int32_t cursor = it.registers[CURSOR], found = found_among(program, it, step[2], table, step[4])
    cdef int holds
    while found >= 0:
        one = table + AMONG_WIDTH * found
        holds = True
        if one[4] >= 0:
            it.registers[CURSOR] = cursor - one[0] if step[2] else cursor + one[0]
            holds = run(program, it, one[4])
            if holds == ODD:
                return ODD
        it.registers[CURSOR] = cursor - one[0] if step[2] else cursor + one[0]
        if holds:
            it.registers[step[1]] = one[3]
            return True
        found = one[2]
    it.registers[step[1]] = 0
    return ODD if found == ODD else 1


cdef inline int run(const Program& program, Machine& it, int32_t place) noexcept nogil:
    """Run a method; whether it holds, or `ODD`."""
    cdef const int32_t* step
    cdef int32_t* r = it.registers
    cdef int32_t saved[MOST_SAVED]
    cdef int holds
    while True:
        step = program.code.data() + place
        place += WIDTH
        holds = True
        if step[0] == MOVE:
            r[step[1]] = r[step[2]]
        elif step[0] == ADD:
            r[step[1]] = r[step[2]] + r[step[3]]
        elif step[0] == SUBTRACT:
            r[step[1]] = r[step[2]] - r[step[3]]
        elif step[0] == LESS:
            holds = r[step[1]] < r[step[2]]
        elif step[0] == AT_MOST:
            holds = r[step[1]] <= r[step[2]]
        elif step[0] == EQUAL:
            holds = r[step[1]] == r[step[2]]
        elif step[0] == GROUP:
            holds = group(it, step[1], program.pool.data() + step[2], step[3], step[4])
        elif step[0] == LITERAL:
            holds = literal(it, step[1], program.pool.data() + step[2], step[3])
        elif step[0] == AMONG:
            holds = among(program, it, step)
        elif step[0] == REPLACE:
            holds = is_slice(it) and replace(it, r[BRA], r[KET], program.pool.data() + step[1], step[2])
        elif step[0] == INSERT:
            holds = insert(it, program.pool.data() + step[1], step[2])
        elif step[0] == KEEP:
            it.kept_length = 0
            if is_slice(it):
                it.kept_length = r[KET] - r[BRA]
                memcpy(it.kept, it.letters + r[BRA], it.kept_length * sizeof(int32_t))
        elif step[0] == KEPT:
            holds = literal(it, True, it.kept, it.kept_length)
        elif step[0] == IS_NOTHING:
            holds = it.kept_length == 0
        elif step[0] == CALL:
            memcpy(saved, r + step[2], step[3] * sizeof(int32_t))
            holds = run(program, it, step[1])
            memcpy(r + step[2], saved, step[3] * sizeof(int32_t))
        elif step[0] == RETURN:
            return step[1]
        else:
            holds = False
        if holds == ODD:
            return ODD
        if not holds:
            place = step[5]


cdef inline bool find_stem(const Program& program, Machine& it) noexcept nogil:
    """Stem the word of a machine; False where that is left to Python."""
    memcpy(it.registers, program.registers.data(), program.registers.size() * sizeof(int32_t))
    it.registers[LIMIT] = it.registers[KET] = it.length
    it.kept_length = 0
    return run(program, it, program.entry) != ODD
