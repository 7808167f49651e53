"""Tokens of letters, digits and signs of ASCII, cut into words by METEOR 1.5's rules; see `meteorlib.text.tokenwise`."""

from libc.string cimport strstr
from libcpp cimport bool
from libcpp.vector cimport vector


cdef enum Kind:
    WORD
    SIGN
    COMMA
    DOT

cdef struct Piece:  # of a token, from its begin to before its end
    int begin
    int end
    Kind kind


cdef inline bool is_alphanumeric(char letter) noexcept nogil:
    return c"a" <= letter <= c"z" or c"A" <= letter <= c"Z" or c"0" <= letter <= c"9"


cdef inline bool is_sign(char letter) noexcept nogil:
    """Whether it is a word of its own wherever it stands."""
    return (
        c" " < letter <= c"~" and not is_alphanumeric(letter)
        and letter != c"." and letter != c"'" and letter != c"`" and letter != c"," and letter != c"-"
    )  # fmt: skip


cdef inline void add_piece(vector[Piece]& pieces, int begin, int end, Kind kind) noexcept nogil:
    cdef Piece piece
    piece.begin, piece.end, piece.kind = begin, end, kind
    pieces.push_back(piece)


cdef inline bool cut(const char* token, int length, vector[Piece]& pieces) noexcept nogil:
    """Cut a token, which ends in NUL; False where its rules are not told here.

    They are for signs, and words with hyphens, each but the first of two letters at least, with a comma or a dot
    behind them that stands before a sign or at the end.
    """
    cdef int begin, place = 0
    pieces.clear()
    while place < length:
        if is_sign(token[place]):
            add_piece(pieces, place, place + 1, SIGN)
            place += 1
            continue
        begin = place
        while is_alphanumeric(token[place]):
            place += 1
        if place == begin:
            return False
        add_piece(pieces, begin, place, WORD)
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
    return pieces.size() > 0 and strstr(token, "DOTMULTI") == NULL
