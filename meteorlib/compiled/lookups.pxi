"""What is asked of Python's stemmers, lexicons and weights, or found here for words of a-z and 0-9."""


cdef inline str plain(text):
    """A string itself; of a subclass, e.g. numpy's, a plain copy."""
    return text if type(text) is str else str.__str__(text)


cdef bool is_small(str text):
    """Whether a word is of a-z and 0-9, and so its own lowercase; not of a very long one."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text)
    cdef uint32_t letter
    if kind != 1 or length > TOKEN_LENGTH:
        return False
    for place in range(length):
        letter = PyUnicode_READ(kind, data, place)
        if not (c"a" <= letter <= c"z" or c"0" <= letter <= c"9"):
            return False
    return True


cdef load_suffixes(vector[Suffix]& suffixes, table):
    """Take over suffixes, the longest first, and what comes in their place."""
    cdef Suffix suffix
    for text, other in sorted(dict(table).items(), key=lambda item: -len(item[0])):
        suffix.text, suffix.other = text.encode(), other.encode()
        suffixes.push_back(suffix)


@cython.final
@cython.no_gc
cdef class Stems:
    """Word → its stem; of a user's stemmer whatever can be compared."""

    cdef object ask  # Python's
    cdef bool has_twin
    cdef Stemmer it

    def __cinit__(self, stemmer):
        from meteorlib.resources.stemmers import tables_of

        self.ask = stemmer
        tables = tables_of(stemmer)
        self.has_twin = tables is not None
        if self.has_twin:
            self.it.english = hasattr(tables, "WHOLE_WORDS")
            load_suffixes(self.it.whole_words, getattr(tables, "WHOLE_WORDS", {}))
            self.it.kept = [word.encode() for word in getattr(tables, "KEPT", ())]
            self.it.beginnings = [beginning.encode() for beginning in getattr(tables, "BEGINNINGS", ())]
            load_suffixes(self.it.second_step, tables.STEP_2)
            load_suffixes(self.it.third_step, tables.STEP_3)
            load_suffixes(self.it.fourth_step, dict.fromkeys(tables.STEP_4, ""))

    def __call__(self, str word):
        """The stem of a word."""
        return self.of(word, is_small(word))

    cdef of(self, str word, bool small):
        cdef char letters[TOKEN_LENGTH + 1]
        cdef int length = <int>PyUnicode_GET_LENGTH(word), made
        if not (small and self.has_twin):
            return self.ask(word)
        memcpy(letters, PyUnicode_DATA(word), length)
        made = stem(self.it, letters, length)
        if made == length and memcmp(letters, PyUnicode_DATA(word), length) == 0:
            return word
        return PyUnicode_DecodeASCII(letters, made, NULL)


cdef enum:  # of a record of `meteorlib.resources.lexicon`
    IRREGULAR_BIT = 31
    SYNSET = 0x7FFFFFFF
    POS_FACTOR = 100000000


@cython.final
@cython.no_gc
cdef class Synsets:
    """Word → its synonym sets, ascending."""

    cdef object ask  # Python's
    cdef object get  # of its trie: word → records; None where there is no twin
    cdef dict rules  # last letter → endings of base forms
    cdef bool by_part  # of speech

    def __cinit__(self, finder):
        from meteorlib.resources.lexicon import lexicon_of

        lexicon = lexicon_of(finder)
        self.ask = finder
        if lexicon is not None:
            self.get, self.rules, self.by_part = lexicon.trie.get, lexicon.rules, lexicon.by_part

    def __call__(self, str word):
        """The synonym sets of a word, ascending."""
        cdef vector[int32_t] synsets
        self.find(word, is_small(word), synsets)
        return synsets

    cdef find(self, word, bool small, vector[int32_t]& synsets):
        cdef vector[uint32_t] found
        cdef size_t index
        synsets.clear()
        if not small or self.get is None:
            for synset in sorted(self.ask(word)):
                synsets.push_back(synset)
            return
        if self.by_part:
            self.find_by_part(word, found)
        else:
            self.find_offsets(word, found)
        sort(found.begin(), found.end())
        found.erase(unique(found.begin(), found.end()), found.end())
        for index in range(found.size()):
            synsets.push_back(<int32_t>found[index])

    cdef read(self, str word, vector[uint32_t]& records):
        """Put the records of a word behind the others."""
        cdef const unsigned char* record
        found = self.get(word)
        if found is None:
            return
        for one in <list>found:
            if len(<bytes>one) != 4:
                raise ValueError("a record of the lexicon has not four bytes")
            record = <const unsigned char*>PyBytes_AS_STRING(one)
            records.push_back(
                <uint32_t>record[0] << 24 | <uint32_t>record[1] << 16 | <uint32_t>record[2] << 8 | record[3]
            )

    cdef find_offsets(self, str word, vector[uint32_t]& found):
        """See `OffsetLexicon.synsets`."""
        cdef vector[uint32_t] records
        cdef size_t index, before
        cdef bool irregular = False
        self.read(word, records)
        for index in range(records.size()):
            irregular = irregular or records[index] >> IRREGULAR_BIT
        for index in range(records.size()):
            if not irregular or records[index] & SYNSET:
                found.push_back(records[index] & SYNSET)
        if irregular or len(word) <= 2 or word.endswith("ss"):
            return
        before = found.size()
        for suffix, replacement in self.rules.get(word[len(word) - 1], ()):
            if found.size() > before:
                return
            if word.endswith(suffix):
                records.clear()
                self.read(word[: len(word) - len(<str>suffix)] + <str>replacement, records)
                for index in range(records.size()):
                    if not records[index] >> IRREGULAR_BIT:
                        found.push_back(records[index])

    cdef find_by_part(self, str word, vector[uint32_t]& found):
        """See `WordNetLexicon.synsets`."""
        cdef vector[uint32_t] records
        cdef size_t index
        cdef uint32_t synset, irregular = 0, part
        self.read(word, records)
        for index in range(records.size()):
            synset = records[index] & SYNSET
            if records[index] >> IRREGULAR_BIT:
                irregular |= <uint32_t>1 << (synset // POS_FACTOR)
            if synset % POS_FACTOR:
                found.push_back(synset)
        if not len(word):
            return
        for number, suffix, replacement in self.rules.get(word[len(word) - 1], ()):
            part = number
            if not irregular >> part & 1 and word.endswith(suffix):
                records.clear()
                self.read(word[: len(word) - len(<str>suffix)] + <str>replacement, records)
                for index in range(records.size()):
                    if records[index] // POS_FACTOR == part:
                        found.push_back(records[index])


@cython.final
@cython.no_gc
cdef class Lemmas:
    """Form of a word → the numbers of the lemma names that it shares a synonym set with, and its own; ascending."""

    cdef object form, names, lemmas
    cdef Synsets synsets  # None where only the names are known

    def __cinit__(self, data):
        from meteorlib.resources.lemmas import asked_of

        self.form, self.names = data.form, data.names
        asked = asked_of(self.names)
        if asked is not None:
            self.synsets, self.lemmas = Synsets(asked[0]), asked[1]

    cdef find(self, Vocabulary vocabulary, form, vector[int32_t]& numbers):
        cdef vector[int32_t] synsets
        cdef size_t index
        numbers.push_back(number_of(vocabulary.form_ids, form))
        if self.synsets is None:
            self.add(vocabulary, self.names(form), numbers)
        else:
            self.synsets.find(form, type(form) is str and is_small(form), synsets)
            for index in range(synsets.size()):
                self.add_synset(vocabulary, synsets[index], numbers)
        sort(numbers.begin(), numbers.end())
        numbers.erase(unique(numbers.begin(), numbers.end()), numbers.end())

    cdef add(self, Vocabulary vocabulary, names, vector[int32_t]& numbers):
        for name in names:
            if "_" not in name:
                numbers.push_back(number_of(vocabulary.form_ids, name))

    cdef add_synset(self, Vocabulary vocabulary, int32_t synset, vector[int32_t]& numbers):
        """Add those of a synonym set, which is asked once."""
        cdef vector[int32_t] found
        cdef size_t index
        known = vocabulary.lemma_ids.get(synset)
        if known is None:
            self.add(vocabulary, self.lemmas(synset), found)
            known = vocabulary.lemma_ids[synset] = found
        for number in <list>known:
            numbers.push_back(number)


@cython.final
@cython.no_gc
cdef class Sizes:
    """Word → how much it counts."""

    cdef object ask  # Python's; None where every word counts 1
    cdef object get  # of the trie of weights: word → records; None where there is no twin
    cdef vector[int64_t] by_length  # what a word of so many letters counts at least

    def __cinit__(self, size):
        self.ask = size
        trie = getattr(getattr(size, "information", None), "trie", None)
        if trie is not None:
            self.get = trie.get
            self.by_length = [0, *[size.at_least(length) for length in range(1, TOKEN_LENGTH + 1)]]

    def __call__(self, str word):
        """What a word counts."""
        return self.of(word, is_small(word))

    cdef int64_t of(self, str word, bool small) except? -1:
        cdef const unsigned char* record
        if self.ask is None:
            return 1
        if not small or self.get is None or not len(word):
            return self.ask(word)
        found = self.get(word)
        if not found:
            return self.by_length[len(word)] + WHOLE
        record = <const unsigned char*>PyBytes_AS_STRING((<list>found)[0])
        return self.by_length[len(word)] + (<int64_t>record[0] << 8 | record[1])
