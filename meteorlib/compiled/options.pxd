"""The choices of a position as options of states: sets of words as bits, and where they lead to."""

from libc.stdint cimport int32_t, uint64_t

from meteorlib.compiled.candidates cimport Candidate
from meteorlib.compiled.choices cimport NEXT, NOWHERE, Choice, Choices, Option
from meteorlib.compiled.states cimport CLOSED, NO_CHOICE


cdef inline void give_bits(Choices& choices, int32_t position, const Candidate& candidate) noexcept nogil:
    """Words that are covered for the first time get a bit; one that is covered for the last time will lose it."""
    cdef int32_t word, bit
    for word in range(candidate.start, candidate.start + candidate.words):
        if choices.first[word] == choices.last[word]:
            continue
        bit = choices.bits[word]
        if bit < 0:
            bit = choices.free.back()
            choices.free.pop_back()
            choices.bits[word], choices.owners[bit] = bit, word
            choices.live[bit >> 6] |= <uint64_t>1 << (bit & 63)
        elif choices.last[word] == position and (choices.live[bit >> 6] >> (bit & 63)) & 1:
            choices.live[bit >> 6] &= ~(<uint64_t>1 << (bit & 63))
            choices.ending.push_back(word)


cdef inline bint is_alone(const Choices& choices) noexcept nogil:
    """Whether a position has one choice, of words that no other position wants: every state takes it."""
    cdef int32_t word
    cdef const Choice* choice = choices.here.data()
    if choices.here.size() != 1 or choice.candidate.length > 1 or choice.apart < 0:
        return False
    for word in range(choice.candidate.start, choice.candidate.start + choice.candidate.words):
        if choices.first[word] < choices.last[word]:
            return False
    return True


cdef inline void leave_out(const Choices& choices, int32_t position, int32_t end, uint64_t* mask) noexcept nogil:
    """Leave out of a set the words that nothing covers behind a position, and nothing at `end` or behind it."""
    cdef int32_t index, bit
    for index in range(choices.last_begins[position + 1], choices.last_begins[end]):
        bit = choices.bits[choices.by_last[index]]
        if bit >= 0:
            mask[bit >> 6] &= ~(<uint64_t>1 << (bit & 63))


cdef inline int mask_choices(Choices& choices, int32_t position, size_t turns) except -1 nogil:
    """Make the options of a position: sets of words, and where they lead to."""
    cdef size_t index, word, words = choices.words, count = choices.here.size()
    cdef int32_t covered, bit
    cdef uint64_t alone[2]
    cdef uint64_t* mask = alone
    cdef const Choice* choice = choices.here.data()
    cdef Option* option
    choices.options.resize(count + 1)
    choices.longer = 0
    for index in range(count):
        give_bits(choices, position, choices.here[index].candidate)
    if words > 1:
        choices.masks.resize(2 * words * (count + 1))
        mask = choices.masks.data()
    option = choices.options.data()
    for index in range(count + 1):
        for word in range(words):
            mask[word], mask[words + word] = 0, choices.live[word]
        if index == count:
            option.joined = option.apart = 0
            option.start, option.open, option.choice, option.turn = NOWHERE, CLOSED, NO_CHOICE, NEXT
        else:
            option.joined, option.apart, option.choice = choice.joined, choice.apart, <int32_t>index
            option.start, option.open = choice.candidate.start, choice.candidate.start + choice.candidate.words
            option.turn = NEXT
            for covered in range(option.start, option.open):
                bit = choices.bits[covered]
                if bit >= 0:
                    mask[bit >> 6] |= <uint64_t>1 << (bit & 63)
            if choice.candidate.length > 1:
                leave_out(choices, position, position + choice.candidate.length, mask + words)
                option.turn = <int32_t>((position + choice.candidate.length) & turns)
                choices.longer += 1
            elif choices.starts[option.open] != position + 1:
                option.open = CLOSED
        option.words, option.kept = mask[0], mask[words]
        option.beats = option.turn == NEXT and index < count and option.apart >= 0 and (option.words & option.kept) == 0
        if words > 1:
            mask += 2 * words
        option += 1
        choice += 1


cdef inline int end_position(Choices& choices) except -1 nogil:
    """Take the bits of words that nothing covers any more."""
    cdef int32_t word
    for word in choices.ending:
        choices.free.push_back(choices.bits[word])
        choices.bits[word] = -1
    choices.ending.clear()
