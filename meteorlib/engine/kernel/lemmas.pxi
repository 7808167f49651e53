"""Lemma names of words, from WordNet's compiled tables or from a lexicon in Python."""

cdef enum:  # names that have no number
    UNKNOWN = -1
    SEVERAL = -2  # words


cdef add_names(Vocabulary vocabulary, names, vector[int32_t]& numbers):
    """Add the numbers of the names that are one word."""
    for name in names:
        if "_" not in name:
            numbers.push_back(number_of(vocabulary.form_ids, name, vocabulary.forms))


@cython.final
@cython.no_gc
cdef class Names:
    """WordNet's synonym set → the numbers of its lemma names; a name is read once."""

    cdef object ask, read  # Python's: synonym set → names; number of a name → name
    cdef const uint32_t[::1] synsets, first_names, name_ids
    cdef uint32_t count

    def __cinit__(self, known):
        self.ask, self.read, self.count = known.lemmas, known.names.restore_key, len(known.names)
        self.synsets, self.first_names, self.name_ids = known.synsets, known.first_names, known.name_ids

    cdef add(self, Vocabulary vocabulary, int32_t synset, vector[int32_t]& numbers):
        """Add the names of a synonym set that are one word; see `SynsetNames.lemmas`."""
        cdef size_t place = self.place_of(synset), name
        cdef int32_t number
        if place + 1 >= <size_t>self.first_names.shape[0] or self.first_names[place + 1] > self.name_ids.shape[0]:
            add_names(vocabulary, self.ask(synset), numbers)  # which tells what is wrong
            return
        for name in range(self.first_names[place], self.first_names[place + 1]):
            number = self.number_of(vocabulary, self.name_ids[name])
            if number >= 0:
                numbers.push_back(number)

    cdef size_t place_of(self, int32_t synset) noexcept:
        """The place of a synonym set; behind all others where there is none."""
        cdef size_t count = self.synsets.shape[0]
        cdef const uint32_t* first = &self.synsets[0]
        cdef size_t place = lower_bound(first, first + count, <uint32_t>synset) - first
        return place if place < count and first[place] == <uint32_t>synset else self.first_names.shape[0]

    cdef int32_t number_of(self, Vocabulary vocabulary, uint32_t name) except? -1:
        """The number of a name as a form; `SEVERAL` where it is not one word."""
        cdef int32_t number
        cdef str text
        if vocabulary.name_numbers.empty():
            vocabulary.name_numbers.assign(self.count, UNKNOWN)
        if name < self.count and vocabulary.name_numbers[name] != UNKNOWN:
            return vocabulary.name_numbers[name]
        text = self.read(name)  # an error where there is none
        number = SEVERAL if "_" in text else number_of(vocabulary.form_ids, text, vocabulary.forms)
        vocabulary.name_numbers[name] = number
        return number


@cython.final
@cython.no_gc
cdef class Lemmas:
    """Form of a word → the numbers of the lemma names that it shares a synonym set with, and its own; ascending."""

    cdef object names
    cdef Stems forms  # of words
    cdef Synsets synsets  # None where only the names are known
    cdef Names lemmas

    def __cinit__(self, data):
        self.forms, self.names = Stems(data.form), data.names
        tables = tables_of(self.names)
        if tables is not None:
            synsets, names = tables
            self.synsets, self.lemmas = Synsets(synsets), Names(names)

    def __call__(self, list forms):
        """For each form the lemma names that are one word, and the form."""
        cdef Vocabulary vocabulary = Vocabulary()
        cdef vector[int32_t] numbers
        cdef list found = []
        for form in forms:
            numbers.clear()
            self.find(vocabulary, form, number_of(vocabulary.form_ids, form, vocabulary.forms), numbers)
            found.append(numbers)
        names = list(vocabulary.form_ids)
        return [[names[number] for number in one] for one in found]

    cdef find(self, Vocabulary vocabulary, form, int32_t own, vector[int32_t]& numbers):
        cdef vector[int32_t] synsets
        cdef size_t index
        numbers.push_back(own)
        if self.synsets is None:
            add_names(vocabulary, self.names(form), numbers)
        else:
            self.synsets.find(form, type(form) is str and is_plain_lowercase(form), synsets)
            for index in range(synsets.size()):
                self.lemmas.add(vocabulary, synsets[index], numbers)
        sort(numbers.begin(), numbers.end())
        numbers.erase(unique(numbers.begin(), numbers.end()), numbers.end())
