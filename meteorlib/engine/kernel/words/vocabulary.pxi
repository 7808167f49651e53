"""The vocabulary of words that were seen, and analyzed segments, as Python objects."""

cdef inline int32_t number_of(dict numbers, one, int32_t& taken) except -1:
    """The number of a text, or of what a user's part made of it; a new one gets the next that is not taken.

    That is taken first: what a user's part made may be compared by Python code, which lets another thread in.
    """
    cdef PyObject* known = PyDict_GetItemWithError(numbers, one)
    if known == NULL:
        taken += 1
        return numbers.setdefault(one, taken - 1)
    return <object>known


VOCABULARY_LIMIT = 1 << 19
TOKEN_LIMIT = 1 << 18
VECTOR_NUMBERS_LIMIT = 1 << 26  # 256 MB of vectors


@cython.no_gc
cdef class Vocabulary:
    """The words that were seen, and the words of the tokens; never changed but by adding."""

    cdef list texts  # of the words; None where nobody has asked for it
    cdef Directory ids  # of the words
    cdef Directory stem_ids
    cdef dict other_stem_ids  # of a user's stemmer
    cdef dict form_ids
    cdef int32_t stems, forms  # numbers that are taken
    cdef vector[int32_t] name_begins  # WordNet's synonym set → where its lemma names begin; -1: not read yet
    cdef vector[int32_t] name_numbers  # their numbers as forms, -1 behind the last of a set; see `Names`
    cdef Arena arena  # of words, with their spelling, letters, synonym sets and vectors
    cdef vector[Word*] by_id
    cdef vector[Word*] by_form  # a word of each form; NULL: none
    cdef int64_t vector_numbers  # of the vectors of words
    cdef Directory tokens

    def __cinit__(self):
        self.texts = []
        self.other_stem_ids = {}
        self.form_ids = {}

    cdef Word* word(self, uint64_t hash, int kind, const void* data, Py_ssize_t length) noexcept nogil:
        """A word that is known; else NULL."""
        cdef const HashTable* table = self.ids.slots.table()
        cdef const Name* name
        if table == NULL:
            return NULL
        name = name_at(table, hash, kind, data, 0, length, 0)
        if name == NULL:
            return NULL
        return <Word*>name - 1

    cdef str text(self, int32_t number):
        """The text of a word."""
        cdef const Name* name
        text = self.texts[number]
        if text is None:
            name = <const Name*>(self.by_id[number] + 1)
            text = self.texts[number] = PyUnicode_FromKindAndData(name.kind, name.text, name.length)
        return text

    cdef int32_t number_of_stem(self, uint64_t hash, int kind, const void* data, Py_ssize_t length) except -1:
        """The number of a stem; a new one gets the next."""
        cdef int32_t number = number_at(self.stem_ids, hash, kind, data, length)
        if number < 0:
            number = self.stems
            add_number(self.stem_ids, self.arena, hash, kind, data, length, number)
            self.stems += 1
        return number

    cdef const Number* keep_number(self, number) except NULL:
        """Store what a word is in a number."""
        cdef Number* kept = <Number*>self.arena.room(sizeof(Number))
        cdef tuple readings
        cdef int64_t* values
        cdef Py_ssize_t index
        kept.kind, readings, kept.whole, kept.places, kept.shift = number
        kept.count = <int32_t>len(readings)
        values = <int64_t*>self.arena.room(max(kept.count, 1) * sizeof(int64_t))
        for index in range(kept.count):
            values[index] = readings[index]
        kept.readings = values
        return kept

    cdef int32_t* room(self, size_t count) except? NULL:
        """Room for numbers, which never move."""
        return <int32_t*>self.arena.room(max(count, <size_t>1) * sizeof(int32_t))

    cdef Word* with_form(self, int32_t form) noexcept:
        """A word of a form; NULL where there is none yet."""
        return self.by_form[form] if <size_t>form < self.by_form.size() else NULL

    cdef Word* keep_word(self, int kind, const void* data, Py_ssize_t length, uint64_t hash, Word& word) except NULL:
        """Store a word; its number is the next one."""
        cdef Word* kept
        cdef Name name
        cdef Name* named
        prepare_name(name, hash, kind, data, 0, length, 0)
        word.id = name.number = <int32_t>self.by_id.size()
        kept = <Word*>self.arena.room(sizeof(Word) + sizeof(Name) + room_for_text(name))
        named = <Name*>(kept + 1)
        write_text(name, named + 1, kind, data, 0)
        named[0] = name
        if word.form >= <int64_t>self.by_form.size():
            self.by_form.resize(word.form + 1)
        kept[0] = word
        self.ids.slots.grow(self.ids.count)
        self.texts.append(None)
        try:
            self.by_id.push_back(kept)
        except MemoryError:
            self.texts.pop()
            raise
        self.ids.slots.add(named)
        self.ids.count += 1
        if word.form >= 0:
            self.by_form[word.form] = kept
        return kept

    cdef const int32_t* keep(self, const int32_t* numbers, size_t count) except? NULL:
        """Store numbers where they never move."""
        cdef int32_t* kept
        if not count:
            return NULL
        kept = self.room(count)
        memcpy(kept, numbers, count * sizeof(int32_t))
        return kept

    cdef const int32_t* keep_letters(self, str text) except? NULL:
        """Store the letters of a text where they never move."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text)
        cdef int32_t* kept = self.room(<size_t>length)
        for place in range(length):
            kept[place] = <int32_t>PyUnicode_READ(kind, data, place)
        return kept

    cdef const float* keep_vector(self, bytes numbers) except NULL:
        """Store a vector in single precision where it never moves."""
        cdef float* kept = <float*>self.arena.room(max(len(numbers), sizeof(float)))
        memcpy(kept, PyBytes_AS_STRING(numbers), len(numbers))
        self.vector_numbers += len(numbers) // sizeof(float)
        return kept

    cdef const Spelling* keep_spelling(self, str key, str letters, bool odd) except NULL:
        """Store how a word is spelled."""
        cdef Spelling* spelling = <Spelling*>self.arena.room(sizeof(Spelling))
        spelling.key, spelling.key_length = self.keep_letters(key), <int32_t>len(key)
        spelling.letters = spelling.key if letters is key else self.keep_letters(letters)
        spelling.length = <int32_t>len(letters)
        spelling.odd = odd
        spell(spelling[0])
        return spelling


cdef int number_words(const Segment& segment, vector[int32_t]& numbers) except -1:
    """The numbers of the words, in order."""
    cdef size_t position
    numbers.resize(segment.words.size())
    for position in range(numbers.size()):
        numbers[position] = segment.words[position].id


cdef tuple side_of(Vocabulary vocabulary, const vector[int32_t]& numbers):
    """The words of these numbers."""
    cdef size_t position
    return tuple([vocabulary.text(numbers[position]) for position in range(numbers.size())])


@cython.no_gc
cdef class CompiledSegment:
    """The words of one side, analyzed once; the compiled form of `meteorlib.core.segment.Segment`."""

    cdef Vocabulary vocabulary
    cdef CompiledSegment renewed  # the same words in a later vocabulary
    cdef Segment it
    cdef tuple texts
    cdef object line  # that is still to be read; None where it is
    cdef Line* cut  # its tokens as far as they are known, for its vocabulary; NULL: it is still to be cut
    cdef object context  # its vectors; None where they are not needed, or not yet

    def __cinit__(self):
        self.it.owner = <void*>self

    @property
    def words(self):
        """The words in order."""
        cdef vector[int32_t] numbers
        if self.texts is None:
            number_words(self.it, numbers)
            self.texts = side_of(self.vocabulary, numbers)
        return self.texts

    @property
    def sizes(self):
        """Size of each word, as the statistics count it."""
        cdef size_t position
        return [self.it.words[position].size for position in range(self.it.words.size())]

    @property
    def function(self):
        """Whether each word is a function word."""
        cdef size_t position
        return [self.it.words[position].function != 0 for position in range(self.it.words.size())]
