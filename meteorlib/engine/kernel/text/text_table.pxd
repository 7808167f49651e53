"""Hash tables of tokens, words and stems, looked up by their characters."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp
from libcpp cimport bool

from meteorlib.engine.kernel.text.memory_blocks cimport Arena
from meteorlib.engine.kernel.text.concurrent_table cimport Slots, Table, at

cdef extern from "Python.h":
    # reads the memory of a string that somebody else holds
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil


cdef enum:
    WIDE = 4  # kind of a string with 32 bits a character; kinds are bytes

cdef struct Name:  # beginning of every entry of a table
    uint64_t hash
    const void* text  # its characters, in as few bytes as they need
    uint32_t length
    uint8_t kind  # of them
    uint8_t last  # a number more
    int32_t number  # of a word or a stem

cdef cppclass Directory:
    """A table of entries by their names: while one thread adds to it, others may look up."""
    Slots slots
    size_t count


cdef inline uint64_t begin_hash(int last) noexcept nogil:
    """A hash of no characters and of one more number."""
    return <uint64_t>0x9E3779B97F4A7C15 + <uint64_t>last


cdef inline uint64_t hash_letter(uint64_t hash, uint32_t letter) noexcept nogil:
    """The hash with one more character."""
    return (hash ^ letter) * <uint64_t>0x100000001B3


cdef inline uint64_t end_hash(uint64_t hash) noexcept nogil:
    """The hash once all characters are in it."""
    hash ^= hash >> 29
    hash *= <uint64_t>0xBF58476D1CE4E5B9
    return hash ^ (hash >> 32)


cdef inline uint64_t hashed(int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last) noexcept nogil:
    """A hash of some characters of a string and of one more number."""
    cdef uint64_t hash = begin_hash(last)
    cdef Py_ssize_t place
    for place in range(begin, end):
        hash = hash_letter(hash, PyUnicode_READ(kind, data, place))
    return end_hash(hash)


cdef inline bool is_text(
    const Name& name, int kind, const void* data, Py_ssize_t begin, uint32_t length
) noexcept nogil:
    """Whether a name has these characters, as many as it has."""
    cdef uint32_t place
    if name.kind == kind:
        return memcmp(name.text, <const char*>data + begin * kind, <size_t>length * kind) == 0
    for place in range(length):
        if PyUnicode_READ(name.kind, name.text, place) != PyUnicode_READ(kind, data, begin + place):
            return False
    return True


cdef inline const Name* name_at(
    const Table* table, uint64_t hash, int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last
) noexcept nogil:
    """The entry of some characters and a last number; NULL where there is none."""
    cdef size_t slot = hash
    cdef const Name* name
    cdef uint32_t length = <uint32_t>(end - begin)
    while True:
        name = <const Name*>at(table, slot)
        if (
            name == NULL
            or name.hash == hash
            and name.length == length
            and name.last == last
            and is_text(name[0], kind, data, begin, length)
        ):
            return name
        slot += 1


cdef inline void prepare_name(
    Name& name, uint64_t hash, int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last
) noexcept nogil:
    """Fill a name, but for its text."""
    cdef uint32_t letters = 0
    cdef Py_ssize_t place
    for place in range(begin, end):
        letters |= PyUnicode_READ(kind, data, place)
    name.hash, name.length, name.last = hash, <uint32_t>(end - begin), last
    name.kind = 1 if letters <= 0xFF else 2 if letters <= 0xFFFF else WIDE


cdef inline size_t room_for_text(const Name& name) noexcept nogil:
    """Bytes of its text."""
    return <size_t>name.length * name.kind


cdef inline void write_text(Name& name, void* room, int kind, const void* data, Py_ssize_t begin) noexcept nogil:
    """Put its text where there is room for it."""
    cdef uint32_t place, letter
    name.text = room
    for place in range(name.length):
        letter = PyUnicode_READ(kind, data, begin + place)
        if name.kind == 1:
            (<uint8_t*>room)[place] = letter
        elif name.kind == 2:
            (<uint16_t*>room)[place] = letter
        else:
            (<uint32_t*>room)[place] = letter


cdef inline int add_number(
    Directory& directory, Arena& arena, uint64_t hash, int kind, const void* data, Py_ssize_t length, int32_t number
) except -1 nogil:
    """Number a text that has no number yet; nobody else may look it up at the same time."""
    cdef Name name
    cdef Name* kept
    directory.slots.grow(directory.count)
    directory.slots.forget()
    prepare_name(name, hash, kind, data, 0, length, 0)
    name.number = number
    kept = <Name*>arena.room(sizeof(Name) + room_for_text(name))
    write_text(name, kept + 1, kind, data, 0)
    kept[0] = name
    directory.slots.add(kept)
    directory.count += 1


cdef inline int32_t number_at(
    const Directory& directory, uint64_t hash, int kind, const void* data, Py_ssize_t length
) noexcept nogil:
    """The number of a text; -1 where it has none."""
    cdef const Table* table = directory.slots.table()
    cdef const Name* name
    if table == NULL:
        return -1
    name = name_at(table, hash, kind, data, 0, length, 0)
    return -1 if name == NULL else name.number
