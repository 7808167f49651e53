"""From text to words: Python's text modes, stemmers and lexicons are asked, once for each token and each word."""


cdef inline str plain(text):
    """A string itself; of a subclass, e.g. numpy's, a plain copy."""
    return text if type(text) is str else str.__str__(text)


cdef str lone_word(int kind, const void* data, Py_ssize_t length, bool lowers):
    """A word of a-z and 0-9 that may begin with A-Z, in lowercase if wanted; None of anything else."""
    cdef char letters[TOKEN_LENGTH]
    cdef uint32_t letter
    cdef Py_ssize_t place
    for place in range(length):
        letter = PyUnicode_READ(kind, data, place)
        if place == 0 and c"A" <= letter <= c"Z":
            letter += 32 * lowers
        elif not (c"a" <= letter <= c"z" or c"0" <= letter <= c"9"):
            return None
        letters[place] = <char>letter
    return PyUnicode_DecodeASCII(letters, length, NULL) if length else None


cdef bool is_small(str text):
    """Whether a word is of a-z and 0-9, and so its own lowercase."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t letter
    cdef Py_ssize_t place
    for place in range(PyUnicode_GET_LENGTH(text)):
        letter = PyUnicode_READ(kind, data, place)
        if not (c"a" <= letter <= c"z" or c"0" <= letter <= c"9"):
            return False
    return True


@cython.final
@cython.no_gc
cdef class Reader:
    """Knows the words that were seen, and asks what must be known of new ones."""

    cdef object token_reader, line_reader, stemmer, synset_finder, form_finder, lemma_finder, joined, near, vector
    cdef object is_function, size
    cdef object apart  # a word → its lowercase, and how it is written; None where case does not count
    cdef bool lowers, has_lone_words
    cdef Paraphrases paraphrases
    cdef Vocabulary vocabulary

    def __cinit__(self, text, is_function, size, Paraphrases paraphrases, apart):
        self.vocabulary = Vocabulary()
        self.line_reader = text.words
        self.token_reader, self.lowers = getattr(text, "token", None), getattr(text, "lowers", False)
        self.has_lone_words = hasattr(text, "lowers")
        self.is_function, self.size, self.apart = is_function, size, apart
        self.paraphrases = paraphrases

    cdef ask(self, str matcher, data):
        """Take over what the matcher of a stage works with."""
        if matcher == "stem":
            self.stemmer = data
        elif matcher == "synonym":
            self.synset_finder = data
        elif matcher == "lemma":
            self.form_finder, self.lemma_finder = data.form, data.names
        elif matcher == "joined":
            self.joined = data
        elif matcher == "paraphrase":
            self.paraphrases.open(data)
        elif matcher == "near":
            self.near = data
        elif matcher == "vector":
            self.vector = data

    cdef Vocabulary current(self):
        """The vocabulary; a new one where it has grown too large."""
        cdef Vocabulary known = self.vocabulary
        if (
            len(known.texts) > VOCABULARY_LIMIT
            or known.tokens.count > TOKEN_LIMIT
            or known.unit_numbers > UNIT_NUMBERS_LIMIT
        ):
            self.vocabulary = Vocabulary()
        return self.vocabulary

    cdef CompiledSegment words_of(self, given):
        """The words of a line, not yet described."""
        cdef str line = plain(given)
        cdef Vocabulary vocabulary = self.current()
        cdef CompiledSegment segment = CompiledSegment.__new__(CompiledSegment)
        cdef vector[Token] tokens
        segment.vocabulary = vocabulary
        if (
            self.token_reader is not None
            and self.look_up(vocabulary, line, tokens)
            and read_words(vocabulary.tokens, tokens, segment.it.words)
        ):
            return self.small(segment)
        return self.segment_of(self.line_reader(line), vocabulary)

    cdef CompiledSegment segment_of(self, words, Vocabulary vocabulary):
        """Words as a segment, not yet described."""
        cdef CompiledSegment segment = CompiledSegment.__new__(CompiledSegment)
        segment.vocabulary = vocabulary
        for word in words:
            segment.it.words.push_back(self.word_of(vocabulary, plain(word)))
        return self.small(segment)

    cdef CompiledSegment small(self, CompiledSegment segment):
        """Put each word into lowercase, where case counts, and note how it was written."""
        cdef size_t position, length = segment.it.words.size()
        cdef Word* word
        if self.apart is None:
            return segment
        segment.it.cases.resize(length)
        for position in range(length):
            word = segment.it.words[position]
            segment.it.cases[position] = word.written
            if word.small != NULL:
                segment.it.words[position] = word.small
        return segment

    cdef bool look_up(self, Vocabulary vocabulary, str line, vector[Token]& tokens) except? False:
        """Find the tokens of a line; False where one of them asks for the whole line."""
        cdef int kind = PyUnicode_KIND(line)
        cdef void* data = PyUnicode_DATA(line)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(line), begin = 0, end
        cdef uint64_t hash
        cdef Token* token
        cdef int last = 0
        grow(vocabulary.tokens)
        tokens.reserve(<size_t>(8 + length // 5))
        while not last:
            end = begin
            while end < length and PyUnicode_READ(kind, data, end) != c" ":
                end += 1
            last = end == length
            if end - begin > TOKEN_LENGTH:
                return False
            hash = hashed(kind, data, begin, end, last)
            token = slot_of(vocabulary.tokens, hash, kind, data, begin, end, last)
            if token.length:
                tokens.push_back(token[0])
            else:
                tokens.push_back(self.learn_token(vocabulary, line[begin:end], hash, last))
            if tokens.back().whole:
                return False
            if not tokens.size() & LOOK_UP_EVERY:
                PyErr_CheckSignals()
            begin = end + 1
        return True

    cdef Token learn_token(self, Vocabulary vocabulary, str text, uint64_t hash, int last) except *:
        """Ask the text mode what a token becomes, and keep the answer."""
        cdef Token token
        cdef vector[Word*] words
        cdef int variant = 0
        cdef size_t before
        cdef Py_ssize_t count
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        memset(&token, 0, sizeof(token))
        lone = lone_word(kind, data, length, self.lowers) if self.has_lone_words else None
        read = self.token_reader(text + " " if last else text) if lone is None else None
        if lone is not None:
            words.push_back(self.word_of(vocabulary, lone))
            token.variants = token.counts[0] = 1
            token.initial = DIGIT if text[0] <= u"9" else LOWER if text[0] >= u"a" else OTHER
        elif read is None:
            token.whole = 1
        else:
            variants, token.begins, token.ends, token.initial = read
            count = len(variants)
            if count != 1 and count != VARIANTS:
                raise ValueError(f"a token has 1 or {VARIANTS} variants, got {count}: {text!r}")
            token.variants = count
            for found in variants:
                before = words.size()
                for word in found:
                    words.push_back(self.word_of(vocabulary, plain(word)))
                if words.size() - before > 255:  # a text mode that makes many words of a letter
                    token.whole = 1
                token.counts[variant] = words.size() - before
                variant += 1
        add_token(vocabulary.tokens, token, words, hash, kind, data, length, last)
        return token

    cdef Word* word_of(self, Vocabulary vocabulary, str text) except NULL:
        cdef PyObject* known = PyDict_GetItemWithError(vocabulary.ids, text)
        return self.learn(vocabulary, text) if known == NULL else vocabulary.by_id[<object>known]

    cdef Word* learn(self, Vocabulary vocabulary, str text) except NULL:
        """Ask all that must be known of a new word."""
        cdef Word word
        if self.apart is not None and not is_small(text):
            small, written = self.apart(text)
            if small != text:
                return self.learn_cased(vocabulary, text, small, written)
        synsets, stemmed = [], None
        word.stem, word.form, word.size, number = -1, -1, 1, -1
        word.spelling = NULL
        word.unit = NULL
        word.width = 0
        word.written = 0
        word.small = NULL
        key = "" if self.joined is None else self.joined.key(text)
        letters = "" if self.near is None else self.near.spelled(text)
        unit = None if self.vector is None else self.vector.unit(text)
        if self.stemmer is not None:
            stemmed = self.stemmer(text)
            word.stem = vocabulary.stem_ids.setdefault(stemmed, len(vocabulary.stem_ids))
        if self.synset_finder is not None:
            synsets = sorted(self.synset_finder(text))
        if self.form_finder is not None:
            forms = vocabulary.form_ids
            spelled = stemmed if self.form_finder is self.stemmer else self.form_finder(text)
            word.form = forms.setdefault(spelled, len(forms))
            names = {spelled, *[name for name in self.lemma_finder(spelled) if "_" not in name]}
            synsets = sorted([forms.setdefault(name, len(forms)) for name in names])
        if self.paraphrases.owner is not None:
            number = self.paraphrases.number_finder(text)
        if self.size is not None:
            word.size = self.size(text)
        word.function = 1 if self.is_function(text) else 0
        known = vocabulary.ids.get(text)
        if known is not None:  # another thread was quicker
            return vocabulary.by_id[known]
        word.id = <int32_t>len(vocabulary.texts)
        word.synset_count = <int32_t>len(synsets)
        word.synsets = vocabulary.keep(synsets)
        if self.joined is not None or self.near is not None:
            word.spelling = vocabulary.keep_spelling(key, letters, key != text)
        if unit is not None:
            word.unit = vocabulary.keep_unit(unit.tolist())
            word.width = <int32_t>len(unit)
        if not read_phrase(self.paraphrases.it, number, word.phrase):
            self.paraphrases.damaged()
        vocabulary.words.push_back(word)
        vocabulary.by_id.push_back(&vocabulary.words.back())
        vocabulary.texts.append(text)
        vocabulary.ids[text] = word.id
        return vocabulary.by_id.back()

    cdef Word* learn_cased(self, Vocabulary vocabulary, str text, str small, int32_t written) except NULL:
        """A word that is known by its lowercase."""
        cdef Word* lowercase = self.word_of(vocabulary, small)
        cdef Word word = lowercase[0]
        known = vocabulary.ids.get(text)
        if known is not None:  # another thread was quicker
            return vocabulary.by_id[known]
        word.small, word.written = lowercase, written
        vocabulary.words.push_back(word)
        vocabulary.by_id.push_back(&vocabulary.words.back())
        vocabulary.ids[text] = len(vocabulary.texts)
        vocabulary.texts.append(text)
        return vocabulary.by_id.back()
