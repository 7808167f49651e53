"""Stemmers, lexicons and word weights: looked up in their tables here, or called in Python."""


cdef inline str plain(text):
    """A string itself; of a subclass, e.g. numpy's, a plain copy."""
    return text if type(text) is str else str.__str__(text)


cdef inline str string_of(const uint32_t* letters, int length):
    """Characters as a string."""
    return PyUnicode_FromKindAndData(WIDE, letters, length)


cdef enum:
    FEW_SYNSETS = 16  # of a word: there is room for so many at once

    BEYOND = 1  # stands for letters beyond ASCII on their way to a stem, which are consonants

cdef enum Plain:  # kinds of words that are their own lowercase, and in memory as in UTF-8
    NOT_PLAIN
    WITH_SIGNS  # of printable ASCII without capitals
    PLAIN  # of a-z and 0-9


cdef Plain plain_of(str text):
    """The kind of a word."""
    if PyUnicode_KIND(text) != 1:
        return NOT_PLAIN
    return plain_letters(<const uint8_t*>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))


cdef Plain plain_letters(const uint8_t* letters, Py_ssize_t length) noexcept nogil:
    """The kind of a word; a very long one is not plain."""
    cdef Py_ssize_t place
    cdef uint8_t letter
    cdef Plain found = PLAIN
    if length > TOKEN_LENGTH:
        return NOT_PLAIN
    for place in range(length):
        letter = letters[place]
        if not (c"a" <= letter <= c"z" or c"0" <= letter <= c"9"):
            if not c" " < letter <= c"~" or c"A" <= letter <= c"Z":
                return NOT_PLAIN
            found = WITH_SIGNS
    return found


cdef bytes utf8_of(str text):
    """A text as UTF-8; None for a lone surrogate, with which nothing begins that a table has."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


cdef const uint32_t* numbers_in(memoryview array) except NULL:
    """The numbers of an array, which must outlive them; a typed view would cost 18,000 lines of C++."""
    return <const uint32_t*>PyMemoryView_GET_BUFFER(array).buf


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
    cdef bool has_kernel
    cdef bool has_rules  # Porter's
    cdef bool as_nltk  # whose compiled form takes all of ASCII
    cdef Stemmer it
    cdef Program program  # Snowball's
    cdef vector[int32_t] left  # stems with this ending are asked for

    def __cinit__(self, stemmer):
        self.ask, tables = stemmer, tables_of(stemmer)
        self.has_kernel = tables is not None
        self.has_rules = self.has_kernel and not isinstance(tables, StemmerCode)
        if self.has_rules:
            self.it.english, self.as_nltk = tables.rules == "english", tables.rules == "nltk"
            load_suffixes(self.it.whole_words, tables.whole_words)
            self.it.kept = [word.encode() for word in tables.kept]
            self.it.beginnings = [beginning.encode() for beginning in tables.beginnings]
            load_suffixes(self.it.second_step, tables.step_2)
            load_suffixes(self.it.third_step, tables.step_3)
            load_suffixes(self.it.fourth_step, dict.fromkeys(tables.step_4, ""))
        elif self.has_kernel:
            self.program.code, self.program.pool = tables.code, tables.pool
            self.program.registers, self.program.entry = tables.registers, tables.entry
            self.left = [ord(letter) for letter in tables.left]

    def __call__(self, str word):
        """The stem of a word."""
        return self.of(word, plain_of(word))

    cdef of(self, str word, Plain plain):
        cdef char letters[TOKEN_LENGTH + 1]
        cdef Machine machine
        cdef int length = self.cut(word, plain, letters)
        if length >= 0:
            if length == len(word) and memcmp(letters, PyUnicode_DATA(word), length) == 0:
                return word
            return PyUnicode_DecodeASCII(letters, length, NULL)
        if self.run(word, machine):
            return string_of(<const uint32_t*>machine.letters, machine.length)
        return self.ask(word)

    cdef int cut(self, str word, Plain plain, char* letters) except? -1:
        """Write the stem of a word by Porter's rules; its length, -1 where that must be asked."""
        cdef int length = <int>PyUnicode_GET_LENGTH(word)
        if plain == NOT_PLAIN and self.as_nltk and length <= TOKEN_LENGTH and word.isascii():
            word, plain = word.lower(), WITH_SIGNS
        return self.cut_plain(<const char*>PyUnicode_DATA(word), length, plain, letters)

    cdef int cut_plain(self, const char* word, int length, Plain plain, char* letters) noexcept nogil:
        """Write the stem of a plain word by Porter's rules; its length, -1 where that must be asked."""
        if plain == NOT_PLAIN or not self.has_rules:
            return -1
        if plain == WITH_SIGNS and self.it.english and memchr(word, c"'", length) != NULL:
            return -1  # the only rule for signs
        memcpy(letters, word, length)
        return stem(self.it, self.as_nltk, letters, length)

    cdef int draft(self, const char* word, int length, Plain plain, char* letters) noexcept nogil:
        """Write the stem of a plain word; its length, -1 where that must be asked."""
        cdef Machine machine
        cdef int place
        if self.has_rules:
            return self.cut_plain(word, length, plain, letters)
        for place in range(length):
            machine.letters[place] = word[place]
        machine.length = length
        if not self.run_loaded(machine) or machine.length > TOKEN_LENGTH:
            return -1
        for place in range(machine.length):
            if machine.letters[place] > 0x7F:
                return -1
            letters[place] = <char>machine.letters[place]
        return machine.length

    cdef bool run(self, str word, Machine& machine) except? False:
        """Stem a word of letters beyond ASCII, or by Snowball's code; False where that must be asked."""
        cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(word)
        cdef uint32_t letter
        if not self.has_kernel or length > TOKEN_LENGTH:
            return False
        for place in range(length):
            letter = PyUnicode_READ(PyUnicode_KIND(word), PyUnicode_DATA(word), place)
            if letter > 0xFFFF:
                return False
            machine.letters[place] = <int32_t>letter
        machine.length = <int32_t>length
        return self.run_rules(machine) if self.has_rules else self.run_loaded(machine)

    cdef bool run_rules(self, Machine& machine) noexcept nogil:
        """Stem the word of a machine by Porter's rules; False where that must be asked."""
        cdef char letters[TOKEN_LENGTH + 1]
        cdef int32_t place, letter
        if self.as_nltk:  # whose rule for double consonants tells them apart
            return False
        for place in range(machine.length):
            letter = machine.letters[place]
            if letter <= c" " or c"A" <= letter <= c"Z" or letter == c"'":
                return False
            letters[place] = <char>letter if letter <= 0x7F else <char>BEYOND
        machine.length = stem(self.it, False, letters, machine.length)
        for place in range(machine.length):
            if letters[place] != BEYOND:
                machine.letters[place] = letters[place]
        return True

    cdef bool run_loaded(self, Machine& machine) noexcept nogil:
        """Stem the word of a machine by Snowball's code; False where that must be asked."""
        cdef int32_t length = <int32_t>self.left.size(), begin
        if not find_stem(self.program, machine):
            return False
        begin = machine.length - length
        return not length or begin < 0 or memcmp(machine.letters + begin, self.left.data(), length * sizeof(int32_t)) != 0

    cdef int32_t number_of(self, Vocabulary vocabulary, str word, Plain plain) except -1:
        """The number of the stem of a word."""
        cdef char letters[TOKEN_LENGTH + 1]
        cdef Machine machine
        cdef int length = self.cut(word, plain, letters)
        if length >= 0:
            return number_of_stem(vocabulary, PyUnicode_1BYTE_KIND, letters, length)
        if self.run(word, machine):
            return number_of_stem(vocabulary, WIDE, machine.letters, machine.length)
        made = self.ask(word)
        if not self.has_kernel:  # maybe no text
            return number_of(vocabulary.other_stem_ids, made, vocabulary.stems)
        return number_of_stem(vocabulary, PyUnicode_KIND(made), PyUnicode_DATA(made), len(made))


cdef int32_t number_of_stem(Vocabulary vocabulary, int kind, const void* data, Py_ssize_t length) except -1:
    """The number of a stem."""
    return vocabulary.number_of_stem(hashed(kind, data, 0, length, 0), kind, data, length)


@cython.final
@cython.no_gc
cdef class Synsets:
    """Word → its synonym sets, ascending."""

    cdef object ask  # Python's
    cdef bytes table  # of its records; None where there is no table
    cdef Lexicon it

    def __cinit__(self, finder):
        self.ask, lexicon = finder, tables_of(finder)
        if lexicon is not None:
            self.table, self.it.by_part = lexicon.records.data, lexicon.by_part
            open_records(self.it.records, self.table)
            self.load_rules(lexicon.rules)

    def __call__(self, str word):
        """The synonym sets of a word, ascending."""
        cdef vector[int32_t] synsets
        self.find(word, plain_of(word), synsets)
        return synsets

    cdef load_rules(self, rules):
        cdef Rule rule
        for last, those in rules.items():
            for suffix, replacement, *part in those:
                rule.suffix, rule.replacement = suffix.encode(), replacement.encode()
                rule.part = part[0] if part else 0
                self.it.rules[ord(last) - ord("a")].push_back(rule)

    cdef find(self, word, Plain plain, vector[int32_t]& synsets):
        cdef vector[uint32_t] found
        cdef size_t index
        cdef bytes encoded = None
        synsets.clear()
        if self.table is not None and plain == NOT_PLAIN and type(word) is str:
            encoded = utf8_of(word.lower() if self.it.by_part else word)
            if encoded is None:
                return
        if self.table is None or plain == NOT_PLAIN and (encoded is None or len(encoded) > TOKEN_LENGTH):
            for synset in sorted(self.ask(word)):
                synsets.push_back(synset)
            return
        found.reserve(FEW_SYNSETS)
        if plain != NOT_PLAIN:
            self.look_up(<const char*>PyUnicode_DATA(word), <int>len(word), <int>len(word), found)
        else:
            self.look_up(PyBytes_AS_STRING(encoded), <int>len(encoded), <int>len(word), found)
        synsets.assign(found.begin(), found.end())

    cdef int look_up(self, const char* word, int length, int letters, vector[uint32_t]& found) except -1 nogil:
        """Find the synonym sets of a word; there are none yet."""
        if self.it.by_part:
            find_by_part(self.it, word, length, found)
        else:
            find_offsets(self.it, word, length, letters, found)
        sort(found.begin(), found.end())
        found.erase(unique(found.begin(), found.end()), found.end())


@cython.final
@cython.no_gc
cdef class Sizes:
    """Word → its weight."""

    cdef object ask  # Python's; None where every word counts 1
    cdef bytes table  # of weights; None where there is none
    cdef Records it
    cdef vector[int64_t] by_length  # minimum weight of a word, by its number of letters

    def __cinit__(self, size):
        self.ask, tables = size, tables_of(size)
        if tables is not None:
            weights, at_least = tables
            self.table = weights.data
            open_records(self.it, self.table)
            self.by_length = [0, *[at_least(length) for length in range(1, TOKEN_LENGTH + 1)]]

    def __call__(self, str word):
        """Weight of a word."""
        return self.of(word, plain_of(word))

    cdef int64_t of(self, str word, Plain plain) except? -1:
        cdef vector[uint32_t] found
        cdef bytes encoded
        cdef Py_ssize_t length
        if self.ask is None:
            return 1
        if self.table is None:
            return self.ask(word)
        length = len(word) if plain == PLAIN else count_letters_and_digits(word)
        if not 0 < length <= TOKEN_LENGTH:
            return self.ask(word)
        if plain != NOT_PLAIN:
            find_records(self.it, <const char*>PyUnicode_DATA(word), <int>len(word), found)
        else:
            encoded = utf8_of(word)
            if encoded is not None:
                find_records(self.it, PyBytes_AS_STRING(encoded), <int>len(encoded), found)
        return self.by_length[length] + (SCALE if found.empty() else found[0])

    cdef int64_t of_plain(self, const char* word, int length, vector[uint32_t]& found) except? -1 nogil:
        """Weight of a plain word; -1 where it must be asked. The table's answer is put into `found`."""
        cdef int place, count = 0
        if self.ask is None:
            return 1
        for place in range(length):
            count += c"a" <= word[place] <= c"z" or c"0" <= word[place] <= c"9"
        if not count:
            return -1
        found.clear()
        find_records(self.it, word, length, found)
        return self.by_length[count] + (SCALE if found.empty() else found[0])
