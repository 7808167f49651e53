"""Tokens of a line and the words that they become; each is asked of the text mode once.

See `meteorlib.text.normalizer`: a token stands between two spaces, and its words depend on its neighbors in a few ways.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.text.memory_blocks cimport Arena
from meteorlib.engine.kernel.text.text_table cimport (
    Directory, Name, PyUnicode_READ, begin_hash, end_hash, hash_letter, name_at, prepare_name, room_for_text,
    write_text,
)
from meteorlib.engine.kernel.text.concurrent_table cimport Table, at, place_of
from meteorlib.engine.kernel.system cimport prefetch
from meteorlib.engine.kernel.words.words cimport Word

cdef enum:
    TOKEN_LENGTH = 40  # longer ones are not kept
    VARIANTS = 3
    MOST_WORDS = 255  # of a variant
    NOTHING = 0  # first characters of tokens, like the next three
    LOWER = 1
    DIGIT = 2
    OTHER = 3

cdef struct Token:  # never changed once it is in a table; behind it stand the words of its first variant, then the others'
    Name name  # its characters, and whether it is the last one of its line
    uint8_t counts[VARIANTS]
    uint8_t variants  # 1, or one for each initial of a follower
    uint8_t begins
    uint8_t ends
    uint8_t initial  # kind of its first character
    uint8_t whole  # 1: its line must be taken as a whole
    uint8_t marked  # 1: its line must be prepared first

cdef struct Stretch:  # of a line, between two spaces
    uint64_t hash
    Py_ssize_t begin
    Py_ssize_t end

cdef cppclass Line:
    """Room for the tokens of a line."""
    vector[Stretch] stretches
    vector[const Token*] tokens


cdef inline const Token* token_at(
    const Table* table, uint64_t hash, int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last
) noexcept nogil:
    """A token, which is the last one of its line or not; NULL where it is not known."""
    return <const Token*>name_at(table, hash, kind, data, begin, end, last)


cdef inline bool cut_letters(
    int kind, const void* data, Py_ssize_t length, vector[Stretch]& stretches
) except? False nogil:
    """Cut characters of a kind at spaces; see `cut_line`."""
    cdef Stretch stretch
    cdef Py_ssize_t place = 0, last = length  # index at which the last token begins
    cdef uint32_t letter
    cdef uint64_t hash
    stretches.clear()
    while last > 0 and PyUnicode_READ(kind, data, last - 1) != c" ":
        last -= 1
    while place <= length:
        stretch.begin = place
        hash = begin_hash(place == last)
        while place < length:
            letter = PyUnicode_READ(kind, data, place)
            if letter == c" ":
                break
            hash = hash_letter(hash, letter)
            place += 1
        if place - stretch.begin > TOKEN_LENGTH:
            return False
        stretch.end, stretch.hash = place, end_hash(hash)
        stretches.push_back(stretch)
        place += 1
    return True


cdef inline bool cut_line(int kind, const void* data, Py_ssize_t length, vector[Stretch]& stretches) except? False nogil:
    """Cut a line at its spaces; False where a token is too long to be kept."""
    if kind == 1:  # most lines: the compiler then knows how wide a character is
        return cut_letters(1, data, length, stretches)
    return cut_letters(kind, data, length, stretches)


cdef inline int find_tokens(const Table* table, int kind, const void* data, Line& line) except -1 nogil:
    """Look up the stretches of a line; NULL stands for a token that is not known."""
    cdef size_t index, count = line.stretches.size()
    cdef const Stretch* stretch
    for index in range(count):  # so that they wait for the memory together
        prefetch(place_of(table, line.stretches[index].hash))
    for index in range(count):
        prefetch(at(table, line.stretches[index].hash))
    line.tokens.resize(count)
    for index in range(count):
        stretch = &line.stretches[index]
        line.tokens[index] = token_at(
            table, stretch.hash, kind, data, stretch.begin, stretch.end, index + 1 == count
        )


cdef inline Word** words_of(const Token* token) noexcept nogil:
    """The words of a token that is in a table."""
    return <Word**>(token + 1)


cdef inline const Token* add_token(
    Directory& tokens, Arena& arena, Token& token, const vector[Word*]& words, uint64_t hash, int kind,
    const void* data, Py_ssize_t begin, Py_ssize_t end, int last,
) except NULL nogil:
    """Keep what a token becomes; where another thread was quicker, its answer is taken."""
    cdef const Token* known
    cdef Token* kept
    tokens.slots.grow(tokens.count)
    known = token_at(tokens.slots.table(), hash, kind, data, begin, end, last)
    if known != NULL:
        return known
    prepare_name(token.name, hash, kind, data, begin, end, last)
    kept = <Token*>arena.room(sizeof(Token) + words.size() * sizeof(Word*) + room_for_text(token.name))
    if not words.empty():
        memcpy(words_of(kept), words.data(), words.size() * sizeof(Word*))
    write_text(token.name, words_of(kept) + words.size(), kind, data, begin)
    kept[0] = token
    tokens.slots.add(kept)
    tokens.count += 1
    return kept


cdef inline int variant_of(const vector[const Token*]& line, size_t place) noexcept nogil:
    """Which variant of a token it is, by the first character that follows."""
    cdef size_t next = place + 1
    if line[place].variants == 1:
        return 0
    while next < line.size() and line[next].initial == NOTHING:
        next += 1
    return 0 if next == line.size() or line[next].initial == OTHER else line[next].initial


cdef inline bool read_words(const vector[const Token*]& line, vector[Word*]& words) except? False nogil:
    """Put the words of the tokens of a line one after the other; False where it must be taken as a whole."""
    cdef size_t place, count = 0
    cdef int variant, before
    cdef Word** first
    for place in range(line.size()):
        if line[place].whole or (place and line[place].begins and line[place].begins == line[place - 1].ends):
            return False
        count += line[place].counts[variant_of(line, place)]
    words.reserve(count)
    for place in range(line.size()):
        variant = variant_of(line, place)
        first = words_of(line[place])
        for before in range(variant):
            first += line[place].counts[before]
        words.insert(words.end(), first, first + line[place].counts[variant])
    return True


cdef inline bool is_marked(const vector[const Token*]& line) noexcept nogil:
    """Whether a line must be prepared before its tokens are read."""
    cdef size_t place
    for place in range(line.size()):
        if line[place].marked:
            return True
    return False


cdef inline bool read_known(const vector[const Token*]& line, vector[Word*]& words) except? False nogil:
    """Put the words of a line one after the other; False where something of it is not known."""
    cdef size_t index
    for index in range(line.size()):
        if line[index] == NULL or line[index].marked:
            return False
    return read_words(line, words)
