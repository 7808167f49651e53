"""Letters and digits of words, by Unicode 13: Python is asked once for each character; see `meteorlib.core.numbers_and_letters`."""

cdef enum:  # bits of what a character is
    KNOWN = 1
    LETTER = 2
    LETTER_OR_DIGIT = 4
    UPPERCASE = 8  # it is not its own lowercase
    DECIMAL_SHIFT = 4  # the bits above: its value as a decimal digit, plus 1

    SMALLS = 0x530  # characters with a place in `SMALL`: Latin, Greek, Cyrillic

cdef uint8_t CHARACTERS[0x10000]  # kind of each character; 0: not known yet
cdef uint16_t SMALL[SMALLS]  # lowercase of a capital, once its kind is known; 0: it takes more to tell


cdef int kind_of(uint32_t letter) except -1:
    """Kind of a character, as bits."""
    if letter > 0xFFFF:
        return ask_of_character(letter)
    if not CHARACTERS[letter]:
        CHARACTERS[letter] = ask_of_character(letter)
    return CHARACTERS[letter]


cdef int ask_of_character(uint32_t letter) except -1:
    cdef str character = chr(letter)
    cdef str digit = letter_rules.digits_of(character)
    cdef str small = case_rules.lowercase(character)
    if letter < SMALLS and len(small) == 1 and character != "Σ":  # which is lowercased by what follows
        SMALL[letter] = <uint16_t>ord(small)
    return (
        KNOWN
        | (LETTER if letter_rules.is_alphabetic(character) else 0)
        | (LETTER_OR_DIGIT if letter_rules.letters_and_digits(character) else 0)
        | (UPPERCASE if small != character else 0)
        | ((int(digit) + 1) << DECIMAL_SHIFT if digit else 0)
    )


cdef Py_ssize_t count_letters_and_digits(str text) except -1:
    """Number of letters and digits in a text."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, count = 0
    for place in range(PyUnicode_GET_LENGTH(text)):
        count += (kind_of(PyUnicode_READ(kind, data, place)) & LETTER_OR_DIGIT) != 0
    return count


cpdef str letters_and_digits(str text):
    """The letters and digits of a text, in order."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text)
    cdef uint32_t letter
    cdef vector[uint32_t] kept
    kept.reserve(length)
    for place in range(length):
        letter = PyUnicode_READ(kind, data, place)
        if kind_of(letter) & LETTER_OR_DIGIT:
            kept.push_back(letter)
    return text if <Py_ssize_t>kept.size() == length else string_of(kept.data(), <int>kept.size())


cpdef str letters_of_near_word(str text, Py_ssize_t shortest, str ignored):
    """The letters of a word that may be near another, where it has `shortest` letters and only ignored signs."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text)
    cdef uint32_t letter
    cdef vector[uint32_t] kept
    kept.reserve(length)
    for place in range(length):
        letter = PyUnicode_READ(kind, data, place)
        if kind_of(letter) & LETTER:
            kept.push_back(letter)
        elif chr(letter) not in ignored:
            return ""
    if <Py_ssize_t>kept.size() < shortest:
        return ""
    return text if <Py_ssize_t>kept.size() == length else string_of(kept.data(), <int>kept.size())
