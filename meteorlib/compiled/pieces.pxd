"""Tokens of letters, digits and signs, cut into words by METEOR 1.5's rules; see `meteorlib.text.tokenwise`."""

from libc.stdint cimport uint32_t
from libcpp cimport bool
from libcpp.vector cimport vector


cdef enum Kind:
    WORD
    SIGN
    FOREIGN  # a sign beyond ASCII
    COMMA
    DOT
    ELIDED  # an apostrophe and what follows it

cdef struct Piece:  # of a token, from its begin to before its end
    int begin
    int end
    Kind kind


cdef inline bool is_alphanumeric(uint32_t letter) noexcept nogil:
    """Whether it is a digit of ASCII or a letter; see `meteorlib.text.rules`."""
    if letter < 0x80:
        return c"a" <= letter <= c"z" or c"A" <= letter <= c"Z" or c"0" <= letter <= c"9"
    return (
        0xC0 <= letter <= 0x17E and letter != 0xD7 and letter != 0xF7
        or 0x400 <= letter <= 0x527
        or 0xA640 <= letter <= 0xA66E
        or 0xA67E <= letter <= 0xA697
        or 0x1D00 <= letter <= 0x1D7F
    )  # fmt: skip


cdef inline bool is_sign(uint32_t letter) noexcept nogil:
    """Whether it is set apart wherever it stands; not so control characters, dots, commas, hyphens and apostrophes."""
    if letter > 0x7F:
        return letter != 0x2018 and letter != 0x2019 and not is_alphanumeric(letter)
    return (
        c" " < letter <= c"~" and not is_alphanumeric(letter)
        and letter != c"." and letter != c"'" and letter != c"`" and letter != c"," and letter != c"-"
    )  # fmt: skip


cdef inline bool is_apostrophe(uint32_t letter) noexcept nogil:
    """Whether the normalizer makes an apostrophe of it."""
    return letter == c"'" or letter == c"`" or letter == 0x2018 or letter == 0x2019


cdef inline bool is_letter(uint32_t letter) noexcept nogil:
    return is_alphanumeric(letter) and not c"0" <= letter <= c"9"


cdef inline bool goes_on(const uint32_t* letters) noexcept nogil:
    """Whether a dot or a comma between two letters or digits, the first of these, belongs to their word."""
    if letters[1] == c".":
        return is_alphanumeric(letters[2])
    return letters[1] == c"," and c"0" <= letters[0] <= c"9" and c"0" <= letters[2] <= c"9"


cdef inline bool is_reserved(const uint32_t* letters, int length) noexcept nogil:
    """Whether it has DOTMULTI in it, which the normalizer takes for dots."""
    cdef const char* reserved = "DOTMULTI"
    cdef int start, place
    for start in range(length - 7):
        for place in range(8):
            if letters[start + place] != <uint32_t>reserved[place]:
                break
        else:
            return True
    return False


cdef inline void add_piece(vector[Piece]& pieces, int begin, int end, Kind kind) noexcept nogil:
    cdef Piece piece
    piece.begin, piece.end, piece.kind = begin, end, kind
    pieces.push_back(piece)


cdef inline bool cut(const uint32_t* token, int length, bool elides, vector[Piece]& pieces) noexcept nogil:
    """Cut a token, which ends in 0; False where its rules are not told here.

    They are for signs, and words with hyphens, each but the first of two letters at least, with a comma or a dot
    behind either that stands before a sign or at the end; that is no dot where the word has one already. Where it
    `elides`, a word may have an apostrophe between two letters, which is set apart with what follows it.
    """
    cdef int begin, place = 0
    cdef bool has_dot
    cdef Kind kind
    pieces.clear()
    while place < length:
        if is_sign(token[place]):
            add_piece(pieces, place, place + 1, SIGN if token[place] <= 0x7F else FOREIGN)
            place += 1
            continue
        if (token[place] == c"," or token[place] == c".") and pieces.size() and pieces.back().kind != WORD and (
            place + 1 == length or is_sign(token[place + 1])
        ):
            add_piece(pieces, place, place + 1, SIGN)
            place += 1
            continue
        begin, has_dot, kind = place, False, WORD
        while True:
            while is_alphanumeric(token[place]):
                place += 1
                if goes_on(token + place - 1):
                    has_dot = has_dot or token[place] == c"."
                    place += 1
            if place == begin or (has_dot and (token[place] == c"." or token[place] == c"-")):
                return False
            add_piece(pieces, begin, place, kind)
            if kind == ELIDED or not is_apostrophe(token[place]):
                break
            if not elides or has_dot or not is_letter(token[place - 1]) or not is_letter(token[place + 1]):
                return False
            begin, kind = place, ELIDED
            place += 1
        if kind == ELIDED and has_dot:
            return False
        if token[place] == c"-":
            place += 1
            if not (is_alphanumeric(token[place]) and is_alphanumeric(token[place + 1])):
                return False
            continue
        if token[place] == c"," or token[place] == c".":
            add_piece(pieces, place, place + 1, COMMA if token[place] == c"," else DOT)
            place += 1
        if place < length and not is_sign(token[place]):
            return False
    return pieces.size() > 0 and not is_reserved(token, length)
