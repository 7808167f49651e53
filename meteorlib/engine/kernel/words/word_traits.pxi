"""Case and traits of words; the lowercase of words beyond ASCII is asked in Python."""

cdef int32_t CAPITALIZED = case_rules.CAPITALIZED, MIXED_CASE = case_rules.MIXED_CASE
cdef dict LISTED = listed_numbers


cdef struct Case:
    int32_t written  # how; see `meteorlib.text.case`
    bool capital  # whether the first letter is one


cdef bool find_case(const uint8_t* letters, Py_ssize_t length, Case& case) noexcept nogil:
    """Find the case of a word of ASCII; False where it is none."""
    cdef Py_ssize_t place
    cdef bool lettered = False
    case.written, case.capital = 0, False
    for place in range(length):
        if letters[place] > 0x7F:
            return False
        if c"A" <= letters[place] <= c"Z":
            case.written = MIXED_CASE if place else CAPITALIZED
            case.capital |= not lettered
            lettered = True
        elif c"a" <= letters[place] <= c"z":
            lettered = True
    return True


@cython.final
@cython.no_gc
cdef class Cases:
    """Word → its lowercase, and its case."""

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
        if PyUnicode_KIND(word) != 1:
            return self.split_any(word, case)
        if not find_case(<const uint8_t*>PyUnicode_DATA(word), PyUnicode_GET_LENGTH(word), case):
            return self.split_any(word, case)
        return word.lower() if case.written else word

    cdef str split_any(self, str word, Case& case):
        """Set the case of a word beyond ASCII; its lowercase, which depends on the whole word where any part changes."""
        cdef int traits, kind = PyUnicode_KIND(word)
        cdef const void* data = PyUnicode_DATA(word)
        cdef Py_ssize_t place
        cdef bool lettered = False, changes = False
        case.written, case.capital = 0, False
        for place in range(PyUnicode_GET_LENGTH(word)):
            traits = kind_of(PyUnicode_READ(kind, data, place))
            changes |= (traits & UPPERCASE) != 0
            if traits & LETTER:
                case.capital |= not lettered and traits & UPPERCASE
                lettered = True
        if not changes:
            return word
        lowercase, case.written = case_rules.split_case(word)
        return lowercase


@cython.final
@cython.no_gc
cdef class Traits:
    """Word, its size, and whether it is in the list of function words → its traits."""

    cdef int64_t threshold
    cdef frozenset negation_words
    cdef tuple negation_endings

    def __cinit__(self, traits):
        self.threshold = traits.threshold
        self.negation_words, self.negation_endings = traits.negations.words, traits.negations.endings

    def __call__(self, str word, int64_t size, bool listed):
        """The traits of a word: function word, lettered, content, negation, number."""
        cdef Word found
        number = self.of(word, word.lower(), size, listed, found)
        lettered, content, negation = [found.traits & trait != 0 for trait in (LETTERED, CONTENT, NEGATION)]
        return found.function != 0, lettered, content, negation, number

    cdef object of(self, str text, str small, int64_t size, bool listed, Word& word):
        """Set the traits of a word, which is also given in lowercase; what it is in a number."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t place
        cdef int any_traits = 0
        cdef bool function, lettered, digits
        for place in range(PyUnicode_GET_LENGTH(text)):
            any_traits |= kind_of(PyUnicode_READ(kind, data, place))
        lettered = (any_traits & LETTER) != 0
        digits = any_traits >> DECIMAL_SHIFT
        function = listed or (lettered and not digits and size < self.threshold)
        word.function = function
        word.traits = (
            (LETTERED if lettered else 0)
            | (CONTENT if not function and any_traits & LETTER_OR_DIGIT else 0)
            | (OMISSIBLE if function and lettered else 0)
            | (NEGATION if small in self.negation_words or small.endswith(self.negation_endings) else 0)
        )
        return read_number(small) if digits else LISTED.get(small)
