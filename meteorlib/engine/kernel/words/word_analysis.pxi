"""Analysis of new words: stem, synonym sets, lemma names, size, spelling and vector."""


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
    cdef object function_words
    cdef Cases cases
    cdef Traits traits  # None: not needed
    cdef bool cased  # whether case counts
    cdef Paraphrases paraphrases

    def __cinit__(self, function_words, size, Paraphrases paraphrases, bool cased):
        self.function_words, self.sizes, self.cased, self.cases = function_words, Sizes(size), cased, Cases()
        self.paraphrases = paraphrases

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
        cdef bool small = is_plain_lowercase(text)
        cdef Word* same = NULL
        cdef vector[int32_t] synsets
        cdef int32_t number = -1
        cdef Case case
        if self.cased and not small:
            lowercase = self.cases.split(text, case)
            if case.written:
                return self.learn_cased(vocabulary, text, hash, lowercase, case)
        word.stem, word.form = -1, -1
        word.spelling = NULL
        word.unit_vector = NULL
        word.width = 0
        word.written = 0
        word.lowercase = NULL
        key = "" if not self.joined else text if small else letters_and_digits(text)
        letters = letters_of_near_word(text, self.shortest, self.ignored) if self.near else ""
        unit = None if self.vector is None else self.vector.unit_vector(text)
        numbers = None if unit is None else unit.tobytes()
        if self.stems is not None and not self.stems_are_forms:
            word.stem = self.stems.number_of(vocabulary, text, small)
        if self.synsets is not None:
            self.synsets.find(text, small, synsets)
        if self.lemmas is not None:
            same = self.find_lemmas(vocabulary, self.lemmas.forms.of(text, small), word, synsets)
            if self.stems_are_forms:
                word.stem = word.form
        if self.paraphrases.owner is not None:
            number = self.paraphrases.number_of(text, small)
        word.size = self.sizes.of(text, small)
        cdef str lowered = text if small else text.lower()
        word.function = 1 if lowered in self.function_words else 0
        digits = ""
        word.traits = 0
        word.digits = -1
        if self.traits is not None:
            digits = self.traits.of(text, lowered, word.size, word.function != 0, word)
        known = vocabulary.word(hash, PyUnicode_KIND(text), PyUnicode_DATA(text), len(text))
        if known != NULL:  # another thread was quicker
            return known
        if digits:
            word.digits = vocabulary.number_of_digits(digits)
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
