"""METEOR 1.5's rules for tokens of letters, digits and signs; see `meteorlib.text.normalizer`."""

from libc.stdint cimport uint32_t
from libcpp cimport bool
from libcpp.vector cimport vector


cdef enum Kind:
    WORD
    SIGN  # or several dots
    FOREIGN  # a sign beyond ASCII
    COMMA
    DOT
    ELIDED  # an apostrophe and what follows it, which may be nothing
    QUOTE  # two apostrophes
    ACRONYM  # a word with dots, one of them behind it

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


cdef inline bool is_other(uint32_t letter) noexcept nogil:
    """Whether it is beyond ASCII and none of METEOR 1.5's letters: a sign, a mark, a letter of another script."""
    return letter > 0x7F and not is_alphanumeric(letter)


cdef inline bool is_apostrophe(uint32_t letter) noexcept nogil:
    """Whether the normalizer makes an apostrophe of it."""
    return letter == c"'" or letter == c"`" or letter == 0x2018 or letter == 0x2019


cdef inline bool is_sign(uint32_t letter) noexcept nogil:
    """Whether it is set apart wherever it stands; not so control characters, dots, commas, hyphens and apostrophes."""
    if is_apostrophe(letter) or letter == c"." or letter == c"," or letter == c"-":
        return False
    return is_other(letter) or c" " < letter <= c"~" and not is_alphanumeric(letter)


cdef inline int mark_of(uint32_t letter) noexcept nogil:
    """The number of a mark that a token begins or ends with; see `meteorlib.text.token`."""
    return 1 if letter == c"," else 2 if is_apostrophe(letter) else 0


cdef inline bool is_letter(uint32_t letter) noexcept nogil:
    return is_alphanumeric(letter) and not c"0" <= letter <= c"9"


cdef inline bool goes_on(const uint32_t* letters) noexcept nogil:
    """Whether a dot or a comma between two letters or digits, the first of these, belongs to their word."""
    if letters[1] == c".":
        return is_alphanumeric(letters[2])
    return letters[1] == c"," and c"0" <= letters[0] <= c"9" and c"0" <= letters[2] <= c"9"


cdef inline bool is_reserved(const uint32_t* letters, int length) noexcept nogil:
    """Whether it has DOTMULTI in it, or would have once its dots are taken away: the normalizer takes it for dots."""
    cdef const char* reserved = "DOTMULTI"
    cdef int start, place, found
    for start in range(length - 7):
        found = 0
        for place in range(start, length):
            if letters[place] == <uint32_t>reserved[found]:
                found += 1
                if found == 8:
                    return True
            elif letters[place] != c".":
                break
    return False


cdef inline void add_piece(vector[Piece]& pieces, int begin, int end, Kind kind) noexcept nogil:
    cdef Piece piece
    piece.begin, piece.end, piece.kind = begin, end, kind
    pieces.push_back(piece)


cdef inline bool are_dots(const uint32_t* letters) noexcept nogil:
    """Whether several dots begin here."""
    return letters[0] == c"." and letters[1] == c"."


cdef inline bool is_quote(const uint32_t* letters) noexcept nogil:
    """Whether two apostrophes begin here."""
    return is_apostrophe(letters[0]) and is_apostrophe(letters[1])


cdef inline bool is_apart(const uint32_t* letters) noexcept nogil:
    """Whether what begins here is set apart from what stands before it, or nothing is left."""
    return letters[0] == 0 or is_sign(letters[0]) or are_dots(letters) or is_quote(letters)


cdef inline bool is_stop(const uint32_t* letters) noexcept nogil:
    """Whether it is a comma or a dot before what is set apart."""
    return (letters[0] == c"," or letters[0] == c".") and not are_dots(letters) and is_apart(letters + 1)


cdef inline bool is_elision(const uint32_t* letters) noexcept nogil:
    """Whether an apostrophe, the second of these, begins a word within a word."""
    return is_letter(letters[2]) and (is_letter(letters[0]) or letters[2] == c"s")


cdef inline int cut_apart(const uint32_t* token, int place, bool elides, vector[Piece]& pieces) noexcept nogil:
    """Cut off what is set apart from what is before it; where it ends, the same place where there is none such."""
    cdef int begin = place
    if is_sign(token[place]):
        place += 1
        add_piece(pieces, begin, place, SIGN if token[begin] <= 0x7F else FOREIGN)
    elif are_dots(token + place):
        while token[place] == c".":
            place += 1
        add_piece(pieces, begin, place, SIGN)
    elif is_quote(token + place) and not is_apostrophe(token[place + 2]):
        place += 2
        add_piece(pieces, begin, place, QUOTE)
    elif pieces.size() and pieces.back().kind != WORD and is_stop(token + place):
        place += 1
        add_piece(pieces, begin, place, SIGN)
    elif elides and is_apostrophe(token[place]) and is_letter(token[place + 1]):
        place += 1
        add_piece(pieces, begin, place, ELIDED)
    return place


cdef inline int cut_word(const uint32_t* token, int place, bool elides, vector[Piece]& pieces) noexcept nogil:
    """Cut off a word, with what is elided of it and the sign behind it; where that ends, -1 where it is not told here."""
    cdef int begin = place
    cdef bool has_dot = False, has_letter = False
    cdef Kind kind = WORD
    if token[place] == c"-":
        place += 1
    if not is_alphanumeric(token[place]):
        return -1
    while True:
        while is_alphanumeric(token[place]):
            has_letter = has_letter or is_letter(token[place])
            place += 1
            if goes_on(token + place - 1):
                has_dot = has_dot or token[place] == c"."
                place += 1
        if kind == ELIDED or not is_apostrophe(token[place]) or is_quote(token + place):
            break
        if not elides or has_dot:
            return -1
        if not is_elision(token + place - 1):
            break
        add_piece(pieces, begin, place, kind)
        begin, kind = place, ELIDED
        place += 1
    if has_dot and (kind == ELIDED or token[place] == c"-"):
        return -1
    if has_dot and token[place] == c"." and not are_dots(token + place):
        if not has_letter:
            return -1
        kind = ACRONYM
        place += 1
    elif token[place] == c"-":
        if is_alphanumeric(token[place + 1]):
            add_piece(pieces, begin, place, kind)
            return place + 1 if token[place + 2] != c"-" else -1
        place += 1
    add_piece(pieces, begin, place, kind)
    if is_apostrophe(token[place]) and not is_quote(token + place):
        if not is_letter(token[place - 1]):
            return -1
        add_piece(pieces, place, place + 1, ELIDED)
        place += 1
        return place if is_apart(token + place) or is_stop(token + place) else -1
    if is_stop(token + place):
        add_piece(pieces, place, place + 1, COMMA if token[place] == c"," else DOT)
        place += 1
    return place if is_apart(token + place) else -1


cdef inline bool cut(const uint32_t* token, int length, bool elides, vector[Piece]& pieces) noexcept nogil:
    """Cut a token, which ends in 0; False where its rules are not told here. `meteorlib.text.token` tells them."""
    cdef int place = 0, end
    pieces.clear()
    while place < length:
        end = cut_apart(token, place, elides, pieces)
        place = cut_word(token, place, elides, pieces) if end == place else end
        if place < 0:
            return False
    return pieces.size() > 0 and not is_reserved(token, length)
