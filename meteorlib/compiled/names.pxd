"""What is found by its characters: tokens, words, stems."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libcpp cimport bool

from meteorlib.compiled.arena cimport Arena
from meteorlib.compiled.slots cimport Slots, Table, at

cdef extern from "Python.h":
    # reads the memory of a string that somebody else holds
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil


cdef enum:
    WIDE = 4  # kind of a string with 32 bits a character

cdef struct Name:  # what an entry of a table begins with
    uint64_t hash
    const uint32_t* text  # its characters, and a last number
    uint32_t length  # of both

cdef struct Numbered:
    Name name
    int32_t number

cdef cppclass Directory:
    """A table of entries by their names: while one thread adds to it, others may look up."""
    Slots slots
    size_t count


cdef inline uint64_t hashed(int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last) noexcept nogil:
    """A hash of some characters of a string and of one more number."""
    cdef uint64_t hash = <uint64_t>0x9E3779B97F4A7C15 + <uint64_t>last
    cdef Py_ssize_t place
    for place in range(begin, end):
        hash = (hash ^ PyUnicode_READ(kind, data, place)) * <uint64_t>0x100000001B3
    hash ^= hash >> 29
    hash *= <uint64_t>0xBF58476D1CE4E5B9
    return hash ^ (hash >> 32)


cdef inline const Name* name_at(
    const Table* table, uint64_t hash, int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last
) noexcept nogil:
    """The entry of some characters and a last number; NULL where there is none."""
    cdef size_t slot = hash
    cdef const Name* name
    cdef uint32_t length = <uint32_t>(end - begin), place
    while True:
        name = <const Name*>at(table, slot)
        if name == NULL:
            return NULL
        if name.hash == hash and name.length == length + 1:
            for place in range(length):
                if name.text[place] != PyUnicode_READ(kind, data, begin + place):
                    break
            else:
                if <int>name.text[length] == last:
                    return name
        slot += 1


cdef inline size_t room_for_name(Py_ssize_t length) noexcept nogil:
    """Bytes of so many characters and a last number."""
    return <size_t>(length + 1) * sizeof(uint32_t)


cdef inline void write_name(
    Name& name, void* room, uint64_t hash, int kind, const void* data, Py_ssize_t begin, Py_ssize_t end, int last
) noexcept nogil:
    cdef uint32_t* text = <uint32_t*>room
    cdef Py_ssize_t place
    for place in range(begin, end):
        text[place - begin] = PyUnicode_READ(kind, data, place)
    text[end - begin] = last
    name.hash, name.text, name.length = hash, text, <uint32_t>(end - begin + 1)


cdef inline int add_number(
    Directory& directory, Arena& arena, uint64_t hash, int kind, const void* data, Py_ssize_t length, int32_t number
) except -1 nogil:
    """Number a text that has no number yet."""
    cdef Numbered* kept
    directory.slots.grow(directory.count)
    kept = <Numbered*>arena.room(sizeof(Numbered) + room_for_name(length))
    write_name(kept.name, kept + 1, hash, kind, data, 0, length, 0)
    kept.number = number
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
    return -1 if name == NULL else (<const Numbered*>name).number
