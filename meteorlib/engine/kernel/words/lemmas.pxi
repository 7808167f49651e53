"""Lemma names of words, from WordNet's compiled tables or from a lexicon in Python."""

cdef enum:
    NAME_LINES = 16  # of WordNet's text of names, from one known beginning to the next


cdef add_names(Vocabulary vocabulary, names, vector[int32_t]& numbers):
    """Add the numbers of the names that are one word."""
    for name in names:
        if "_" not in name:
            numbers.push_back(number_of(vocabulary.form_ids, name, vocabulary.forms))


@cython.final
@cython.no_gc
cdef class Names:
    """WordNet's synonym set → the numbers of its lemma names; they are read once."""

    cdef object ask  # Python's: synonym set → names
    cdef bytes text
    cdef tuple arrays  # in which the numbers are
    cdef const uint32_t* synsets
    cdef const uint32_t* begins
    cdef size_t count, begin_count  # of both

    def __cinit__(self, known):
        self.ask, self.text = known.lemmas, known.text
        self.arrays = synsets, begins = known.synsets, known.begins
        self.synsets, self.count = numbers_in(synsets), len(synsets)
        self.begins, self.begin_count = numbers_in(begins), len(begins)

    cdef add(self, Vocabulary vocabulary, int32_t synset, vector[int32_t]& numbers):
        """Add the names of a synonym set that are one word; see `SynsetNames.lemmas`."""
        cdef size_t place = self.place_of(synset)
        cdef int32_t index
        if place == self.count:
            add_names(vocabulary, self.ask(synset), numbers)  # which tells what is wrong
            return
        if vocabulary.name_begins.empty():
            vocabulary.name_begins.assign(self.count, -1)
        if vocabulary.name_begins[place] < 0:
            self.read(vocabulary, place, synset)
        index = vocabulary.name_begins[place]
        while vocabulary.name_numbers[index] >= 0:
            numbers.push_back(vocabulary.name_numbers[index])
            index += 1

    cdef size_t place_of(self, int32_t synset) noexcept:
        """The place of a synonym set; behind all others where there is none."""
        cdef size_t place = lower_bound(self.synsets, self.synsets + self.count, <uint32_t>synset) - self.synsets
        return place if place < self.count and self.synsets[place] == <uint32_t>synset else self.count

    cdef read(self, Vocabulary vocabulary, size_t place, int32_t synset):
        """Read the names of a synonym set: note their numbers, and -1 behind the last."""
        cdef vector[int32_t] numbers
        names = self.line(place)
        add_names(vocabulary, self.ask(synset) if names is None else names, numbers)
        vocabulary.name_begins[place] = <int32_t>vocabulary.name_numbers.size()
        numbers.push_back(-1)
        vocabulary.name_numbers.insert(vocabulary.name_numbers.end(), numbers.begin(), numbers.end())

    cdef line(self, size_t place):
        """The names on a line of the text; None where that is not in order."""
        cdef size_t block = place // NAME_LINES, skipped = place % NAME_LINES
        cdef const char* text = PyBytes_AS_STRING(self.text)
        cdef const char* begin
        cdef const char* end
        cdef const char* last
        if block + 1 >= self.begin_count:
            return None
        if not self.begins[block] <= self.begins[block + 1] <= <size_t>len(self.text):
            return None
        begin, last = text + self.begins[block], text + self.begins[block + 1]
        while True:
            end = <const char*>memchr(begin, c"\n", last - begin)
            if end == NULL:
                return None
            if skipped == 0:
                return begin[: end - begin].decode().split(" ")
            begin = end + 1
            skipped -= 1


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
            self.synsets.find(form, plain_of(form) if type(form) is str else NOT_PLAIN, synsets)
            for index in range(synsets.size()):
                self.lemmas.add(vocabulary, synsets[index], numbers)
        sort(numbers.begin(), numbers.end())
        numbers.erase(unique(numbers.begin(), numbers.end()), numbers.end())
