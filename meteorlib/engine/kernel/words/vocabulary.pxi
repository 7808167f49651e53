"""The vocabulary of words that were seen, what is asked of a new one, and analyzed segments, as Python objects."""

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

    cdef list texts  # of the words
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

    cdef Word* word(self, uint64_t hash, int kind, const void* data, Py_ssize_t length) noexcept:
        """A word that is known; else NULL."""
        cdef int32_t number = number_at(self.ids, hash, kind, data, length)
        if number < 0:
            return NULL
        return self.by_id[number]

    cdef int32_t number_of_stem(self, int kind, const void* data, Py_ssize_t length) except -1:
        """The number of a stem; a new one gets the next."""
        cdef uint64_t hash = hashed(kind, data, 0, length, 0)
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

    cdef Word* keep_word(self, str text, uint64_t hash, const Word& word) except NULL:
        """Store a word; its number is the next one."""
        cdef int kind = PyUnicode_KIND(text)
        cdef Word* kept = <Word*>self.arena.room(sizeof(Word))
        if word.form >= <int64_t>self.by_form.size():
            self.by_form.resize(word.form + 1)
        kept[0] = word
        kept.id = <int32_t>len(self.texts)
        self.texts.append(text)
        try:
            self.by_id.push_back(kept)
            add_number(self.ids, self.arena, hash, kind, PyUnicode_DATA(text), len(text), kept.id)
        except MemoryError:
            self.texts.pop()
            self.by_id.resize(len(self.texts))
            raise
        if word.form >= 0:
            self.by_form[word.form] = kept
        return kept

    cdef const int32_t* keep(self, const vector[int32_t]& numbers) except? NULL:
        """Store numbers where they never move."""
        cdef int32_t* kept = self.room(numbers.size())
        if not numbers.empty():
            memcpy(kept, numbers.data(), numbers.size() * sizeof(int32_t))
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


@cython.no_gc
cdef class CompiledSegment:
    """The words of one side, analyzed once; the compiled form of `meteorlib.core.segment.Segment`."""

    cdef Vocabulary vocabulary
    cdef CompiledSegment renewed  # the same words in a later vocabulary
    cdef Segment it
    cdef tuple texts
    cdef object line  # that is still to be read; None where it is
    cdef object context  # its vectors; None where they are not needed, or not yet

    def __cinit__(self):
        self.it.owner = <void*>self

    @property
    def words(self):
        """The words in order."""
        cdef list texts
        cdef size_t position
        if self.texts is None:
            texts = self.vocabulary.texts
            self.texts = tuple([texts[self.it.words[position].id] for position in range(self.it.words.size())])
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


WORD_MATCHERS = {"exact": EXACT, "stem": STEM, "synonym": SYNONYM, "lemma": LEMMA, "vector": VECTOR}
"""Kernels of matchers of single words that the search takes as candidates of a word; `Learner.take` knows them."""


@cython.final
@cython.no_gc
cdef class Learner:
    """Asks what must be known of a word."""

    cdef Stems stems
    cdef Synsets synsets
    cdef Sizes sizes
    cdef Lemmas lemmas
    cdef bool stems_are_forms  # of which lemma names are looked up
    cdef bool joined, near  # whether there are such stages
    cdef Py_ssize_t shortest  # word that may be near another
    cdef str ignored  # signs of such a word
    cdef object vector
    cdef frozenset function_words
    cdef Cases cases
    cdef Traits traits  # None: not needed
    cdef bool cased  # whether case counts
    cdef Paraphrases paraphrases

    def __cinit__(self, function_words, size, Paraphrases paraphrases, bool cased):
        self.function_words, self.sizes, self.cased, self.cases = function_words, Sizes(size), cased, Cases()
        self.paraphrases = paraphrases

    cdef take(self, str kernel, matcher):
        """Take what the matcher of a kernel knows of a word."""
        if kernel == "stem":
            self.stems = Stems(matcher.stemmer)
        elif kernel == "synonym":
            self.synsets = Synsets(matcher.synsets)
        elif kernel == "lemma":
            self.lemmas = Lemmas(matcher.lexicon)
        elif kernel == "vector":
            self.vector = matcher

    cdef Word* word_of(self, Vocabulary vocabulary, str text) except NULL:
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef uint64_t hash = hashed(kind, data, 0, len(text), 0)
        cdef Word* known = vocabulary.word(hash, kind, data, len(text))
        return self.learn(vocabulary, text, hash) if known == NULL else known

    cdef Word* word_at(self, Vocabulary vocabulary, const uint32_t* letters, int length) except NULL:
        """The word of some characters."""
        cdef uint64_t hash = hashed(WIDE, letters, 0, length, 0)
        cdef Word* known = vocabulary.word(hash, WIDE, letters, length)
        return self.learn(vocabulary, string_of(letters, length), hash) if known == NULL else known

    cdef Word* learn(self, Vocabulary vocabulary, str text, uint64_t hash) except NULL:
        """Ask all that must be known of a new word."""
        cdef Word word
        cdef Word* known
        cdef Plain plain = plain_of(text)
        cdef Word* same = NULL
        cdef vector[int32_t] synsets
        cdef int32_t number = -1
        cdef Case case
        if self.cased and plain == NOT_PLAIN:
            lowercase = self.cases.split(text, case)
            if case.written:
                return self.learn_cased(vocabulary, text, hash, lowercase, case)
        word.stem, word.form = -1, -1
        word.spelling = NULL
        word.unit_vector = NULL
        word.width = 0
        word.written = 0
        word.lowercase = NULL
        key = "" if not self.joined else text if plain == PLAIN else letters_and_digits(text)
        letters = letters_of_near_word(text, self.shortest, self.ignored) if self.near else ""
        unit = None if self.vector is None else self.vector.unit_vector(text)
        numbers = None if unit is None else unit.tobytes()
        if self.stems is not None and not self.stems_are_forms:
            word.stem = self.stems.number_of(vocabulary, text, plain)
        if self.synsets is not None:
            self.synsets.find(text, plain, synsets)
        if self.lemmas is not None:
            same = self.find_lemmas(vocabulary, self.lemmas.forms.of(text, plain), word, synsets)
            if self.stems_are_forms:
                word.stem = word.form
        if self.paraphrases.owner is not None:
            number = self.paraphrases.number_of(text, plain)
        word.size = self.sizes.of(text, plain)
        cdef str lowered = text.lower() if plain == NOT_PLAIN else text
        word.function = 1 if self.function_words and lowered in self.function_words else 0
        word_number = None
        word.traits = 0
        word.number = NULL
        if self.traits is not None:
            word_number = self.traits.of(text, lowered, word.size, word.function != 0, word)
        known = vocabulary.word(hash, PyUnicode_KIND(text), PyUnicode_DATA(text), len(text))
        if known != NULL:  # another thread was quicker
            return known
        if word_number is not None:
            word.number = vocabulary.keep_number(word_number)
        if same == NULL:
            word.synset_count, word.synsets = <int32_t>synsets.size(), vocabulary.keep(synsets)
        else:
            word.synset_count, word.synsets = same.synset_count, same.synsets
        if self.joined or self.near:
            word.spelling = vocabulary.keep_spelling(key, letters, key != text)
        if numbers is not None:
            word.unit_vector = vocabulary.keep_vector(numbers)
            word.width = <int32_t>(len(numbers) // sizeof(float))
        if not read_phrase(self.paraphrases.it, number, word.phrase):
            self.paraphrases.damaged()
        return vocabulary.keep_word(text, hash, word)

    cdef Word* find_lemmas(self, Vocabulary vocabulary, form, Word& word, vector[int32_t]& lemmas) except? NULL:
        """Number the form of a word, and find its lemma names; or another word of that form, which has them."""
        cdef Word* same
        word.form = number_of(vocabulary.form_ids, form, vocabulary.forms)
        same = vocabulary.with_form(word.form)
        if same == NULL:
            self.lemmas.find(vocabulary, form, word.form, lemmas)
        return same

    cdef Word* learn_cased(
        self, Vocabulary vocabulary, str text, uint64_t hash, str lowercase, Case case
    ) except NULL:
        """A word that is known by its lowercase."""
        cdef Word* small = self.word_of(vocabulary, lowercase)
        cdef Word word = small[0]
        cdef Word* known = vocabulary.word(hash, PyUnicode_KIND(text), PyUnicode_DATA(text), len(text))
        if known != NULL:  # another thread was quicker
            return known
        word.lowercase, word.written = small, case.written
        if case.capital and self.traits is not None:
            word.traits |= CAPITAL
        return vocabulary.keep_word(text, hash, word)
