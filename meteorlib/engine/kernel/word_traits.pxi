"""Case and traits of words: found here for ASCII, asked in Python beyond it."""

cdef int32_t CAPITALIZED = case_rules.CAPITALIZED, MIXED_CASE = case_rules.MIXED_CASE


cdef struct Case:
    int32_t written  # how; see `meteorlib.text.case`
    bool capital  # whether the first letter is one


@cython.final
@cython.no_gc
cdef class Cases:
    """Word → its lowercase, and its case."""

    cdef bool asks_for_capitals  # beyond ASCII

    def __cinit__(self, bool asks_for_capitals=True):
        self.asks_for_capitals = asks_for_capitals

    def __call__(self, str word):
        """The lowercase of a word, how it is written, and whether its first letter is a capital."""
        cdef Case case
        lowercase = self.split(word, case)
        return lowercase, case.written, case.capital

    cdef str lowercase(self, str word):
        """The lowercase of a word."""
        cdef Case case
        return self.split(word, case)

    cdef str split(self, str word, Case& case):
        """Set the case of a word; its lowercase."""
        cdef int kind = PyUnicode_KIND(word)
        cdef const void* data = PyUnicode_DATA(word)
        cdef Py_ssize_t place
        cdef uint32_t letter
        cdef bool lettered = False
        case.written, case.capital = 0, False
        for place in range(PyUnicode_GET_LENGTH(word)):
            letter = PyUnicode_READ(kind, data, place)
            if letter > 0x7F:
                lowercase, case.written = case_rules.split_case(word)
                case.capital = self.asks_for_capitals and case_rules.begins_with_capital(word)
                return lowercase
            if c"A" <= letter <= c"Z":
                case.written = MIXED_CASE if place else CAPITALIZED
                case.capital |= not lettered
                lettered = True
            elif c"a" <= letter <= c"z":
                lettered = True
        return word.lower() if case.written else word


@cython.final
@cython.no_gc
cdef class Traits:
    """Word, its size, and whether it is in the list of function words → its traits."""

    cdef object ask  # Python's
    cdef int64_t threshold
    cdef frozenset negation_words
    cdef tuple negation_endings

    def __cinit__(self, traits):
        self.ask, self.threshold = traits, traits.threshold
        self.negation_words, self.negation_endings = traits.negations.words, traits.negations.endings

    def __call__(self, str word, int64_t size, bool listed):
        """The traits of a word: function word, lettered, content, negation, digits."""
        cdef Word found
        digits = self.of(word, word.lower(), size, listed, found)
        lettered, content, negation = [found.traits & trait != 0 for trait in (LETTERED, CONTENT, NEGATION)]
        return found.function != 0, lettered, content, negation, digits

    cdef str of(self, str text, str small, int64_t size, bool listed, Word& word):
        """Set the traits of a word, which is also given in lowercase; its digits."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text)
        cdef uint32_t letter = 0
        cdef bool function, lettered = False
        cdef vector[char] digits
        for place in range(length):
            letter = PyUnicode_READ(kind, data, place)
            if letter > 0x7F:
                return self.of_any(text, size, listed, word)
            if c"0" <= letter <= c"9":
                digits.push_back(<char>letter)
            elif c"a" <= letter <= c"z" or c"A" <= letter <= c"Z":
                lettered = True
        function = listed or (lettered and digits.empty() and size < self.threshold)
        self.write(
            word, function, lettered, not function and (lettered or not digits.empty()),
            small in self.negation_words or small.endswith(self.negation_endings),
        )
        return PyUnicode_DecodeASCII(digits.data(), digits.size(), NULL) if digits.size() else ""

    cdef str of_any(self, str text, int64_t size, bool listed, Word& word):
        """Ask for the traits of a word."""
        function, lettered, content, negation, digits = self.ask(text, size, listed)
        self.write(word, function, lettered, content, negation)
        return digits

    cdef void write(self, Word& word, bool function, bool lettered, bool content, bool negation) noexcept:
        word.function = function
        word.traits = (
            (LETTERED if lettered else 0)
            | (CONTENT if content else 0)
            | (OMISSIBLE if function and lettered else 0)
            | (NEGATION if negation else 0)
        )
