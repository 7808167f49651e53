"""The reader of lines: cuts ordinary tokens into words, and asks the text mode about others."""


cdef int write_word(const uint32_t* token, const Piece& piece, bint dot, uint32_t* word) noexcept nogil:
    """Write the word that a piece is, with the dot behind it if wanted; its length."""
    cdef int place, length = 0
    for place in range(piece.begin, piece.end + dot):
        if piece.kind != ACRONYM or token[place] != c".":
            word[length] = token[place]
            length += 1
    if piece.kind == ELIDED:
        word[0] = c"'"
    elif piece.kind == QUOTE:
        word[0] = c'"'
        length = 1
    return length


cdef bool lower_ascii(uint32_t* word, int length) noexcept nogil:
    """Put a word of ASCII into lowercase; False where it is not one."""
    cdef int place
    for place in range(length):
        if word[place] > 0x7F:
            return False
        if c"A" <= word[place] <= c"Z":
            word[place] += 32
    return True


cdef bool is_lone(const uint32_t* token, const vector[Piece]& pieces) noexcept nogil:
    """Whether a token is one word of a-z and 0-9, which may begin with A-Z."""
    cdef int place
    if pieces.size() != 1 or pieces[0].kind != WORD or token[0] > 0x7F or token[0] == c"-":
        return False
    for place in range(1, pieces[0].end):
        if not (c"a" <= token[place] <= c"z" or c"0" <= token[place] <= c"9"):
            return False
    return True


cdef str text_of(const uint32_t* token, const Piece& piece):
    """The word that a piece is."""
    cdef uint32_t word[TOKEN_LENGTH]
    return string_of(word, write_word(token, piece, False, word))


cdef enum:
    MOST_SPARE = 256  # segments that wait to be used again
    LARGEST_SPARE = 1 << 10  # their words
    FEW_WORDS = 8  # of a token: there is room for so many at once


@cython.final
@cython.no_gc
cdef class Room:
    """Room for the texts of a batch, to be used again."""

    cdef vector[Line] cuts  # of texts with tokens that are not known
    cdef Drafts drafts


@cython.final
@cython.no_gc
cdef class Reader:
    """Knows the words that were seen, and asks what must be known of new ones."""

    cdef object token_reader, line_reader
    cdef object prepare, is_mark, is_kept  # of lines with certain tokens, which have one of the signs; None: of no line
    cdef vector[uint32_t] mark_signs
    cdef bool ascii_marks[0x80]
    cdef bool lowers, has_lone_words, elides, whole, letters
    cdef object always, before_number  # abbreviations; None where signs do not follow METEOR 1.5's rules
    cdef dict signs  # beyond ASCII → their words
    cdef Learner learner
    cdef Vocabulary vocabulary
    cdef Py_ssize_t emptied  # tables of words, tokens or signs that grew too large
    cdef list spare  # segments that nobody has any more
    cdef Line room  # of the last line
    cdef list rooms  # that wait to be used again

    def __cinit__(self, words, tokens, Learner learner):
        self.vocabulary, self.signs, self.spare, self.rooms = Vocabulary(), {}, [], []
        self.line_reader, self.learner = words, learner
        if tokens is not None:
            self.token_reader = tokens.read
            self.has_lone_words, self.lowers = tokens.lowers is not None, tokens.lowers is True
            if tokens.abbreviations is not None:
                self.always, self.before_number = tokens.abbreviations
                self.elides = tokens.elides
            self.whole, self.letters = tokens.whole, tokens.letters
            if tokens.preparation is not None:
                mark_signs, self.is_mark, self.is_kept, self.prepare = tokens.preparation
                for sign in mark_signs:
                    self.mark_signs.push_back(ord(sign))
                for sign in range(0x80):
                    self.ascii_marks[sign] = chr(sign) in mark_signs

    cdef Vocabulary current(self):
        """The vocabulary; a new one where it has grown too large."""
        cdef Vocabulary known = self.vocabulary
        if (
            <Py_ssize_t>known.by_id.size() > VOCABULARY_LIMIT
            or known.tokens.count > TOKEN_LIMIT
            or known.vector_numbers > VECTOR_NUMBERS_LIMIT
        ):
            self.vocabulary = Vocabulary()
            self.emptied += 1
        return self.vocabulary

    cdef CompiledSegment blank(self):
        """A segment without words that will not be kept: it may have more room than it needs."""
        return self.spare.pop() if self.spare else CompiledSegment.__new__(CompiledSegment)

    cdef give_back(self, list segments):
        """Keep the room of segments that are in this list alone."""
        cdef CompiledSegment segment
        for segment in segments:
            if len(self.spare) == MOST_SPARE:
                return
            if Py_REFCNT(segment) == 2 and segment.it.words.capacity() <= LARGEST_SPARE:  # the list's, and this one
                segment.vocabulary = segment.texts = segment.renewed = segment.line = segment.context = None
                segment.it.words.clear()
                segment.it.cases.clear()
                self.spare.append(segment)

    cdef give_room(self, Room room):
        """Keep the room of a batch, unless its lines were long, or its new words many."""
        cdef size_t index
        if room.drafts.words.capacity() > LARGEST_SPARE:
            return
        for index in range(room.cuts.size()):
            if room.cuts[index].tokens.capacity() > LARGEST_SPARE:
                return
        self.rooms.append(room)

    cdef int fill(self, CompiledSegment segment) except -1:
        """Read the line of a segment, where that is still to be done."""
        cdef str line
        cdef Vocabulary vocabulary
        cdef Line room
        cdef Line* cut = segment.cut
        cdef bool known
        segment.cut = NULL
        if segment.line is None:
            return 0
        line, vocabulary = plain(segment.line), self.current()
        if segment.vocabulary is not vocabulary:
            cut = NULL
        segment.line, segment.vocabulary = None, vocabulary
        segment.it.words.clear()
        if self.token_reader is not None:
            if cut == NULL:
                room.tokens.swap(self.room.tokens)  # the text mode may let another thread in, which finds none
                room.stretches.swap(self.room.stretches)
                known = self.look_up_tokens(vocabulary, line, room)
            else:
                room.tokens.swap(cut.tokens)
                room.stretches.swap(cut.stretches)
                known = self.learn_tokens(vocabulary, line, room)
            if known and is_marked(room.tokens):
                line = plain(self.prepare(line))
                known = self.look_up_tokens(vocabulary, line, room)
            known = known and read_words(room.tokens, segment.it.words)
            if cut != NULL:
                room.tokens.swap(cut.tokens)
                room.stretches.swap(cut.stretches)
            elif room.tokens.capacity() <= LARGEST_SPARE:
                self.room.tokens.swap(room.tokens)
                self.room.stretches.swap(room.stretches)
            if known:
                self.lowercase_words(segment)
                return 0
            segment.it.words.clear()
        self.fill_words(segment, self.line_reader(line))

    cdef CompiledSegment words_of(self, line):
        """The words of a line, not yet described."""
        cdef CompiledSegment segment = CompiledSegment.__new__(CompiledSegment)
        segment.line = plain(line)
        self.fill(segment)
        return segment

    cdef CompiledSegment segment_of(self, words, Vocabulary vocabulary):
        """Words as a segment, not yet described."""
        cdef CompiledSegment segment = CompiledSegment.__new__(CompiledSegment)
        segment.vocabulary = vocabulary
        self.fill_words(segment, words)
        return segment

    cdef int fill_words(self, CompiledSegment segment, words) except -1:
        for word in words:
            segment.it.words.push_back(self.learner.word_of(segment.vocabulary, plain(word)))
        self.lowercase_words(segment)

    cdef int lowercase_words(self, CompiledSegment segment) except -1:
        """Put each word into lowercase, where case counts, and note how it was written."""
        if self.learner.cased:
            lower(segment.it)

    cdef bool look_up_tokens(self, Vocabulary vocabulary, str line, Line& room) except? False:
        """Find the tokens of a line; False where one of them asks for the whole line."""
        cdef int kind = PyUnicode_KIND(line)
        cdef void* data = PyUnicode_DATA(line)
        if not cut_line(kind, data, PyUnicode_GET_LENGTH(line), room.stretches):
            return False
        vocabulary.tokens.slots.grow(vocabulary.tokens.count)
        find_tokens(vocabulary.tokens.slots.table(), kind, data, room)
        return self.learn_tokens(vocabulary, line, room)

    cdef bool learn_tokens(self, Vocabulary vocabulary, str line, Line& room) except? False:
        """Learn the tokens of a line that were not found; False where one of them asks for the whole line."""
        cdef const Stretch* stretch
        cdef size_t index, count = room.stretches.size()
        for index in range(count):
            if room.tokens[index] == NULL:
                stretch = &room.stretches[index]
                room.tokens[index] = self.learn_token(vocabulary, line, stretch[0], index + 1 == count)
            if room.tokens[index].whole:
                return False
            if not index + 1 & CHECK_CANCEL_EVERY:
                PyErr_CheckSignals()
        return True

    cdef const Token* learn_token(self, Vocabulary vocabulary, str line, Stretch stretch, int last) except NULL:
        """Find what a token becomes, and keep the answer."""
        cdef Token token
        cdef vector[Word*] words
        cdef int kind = PyUnicode_KIND(line)
        cdef void* data = PyUnicode_DATA(line)
        cdef const Token* known = token_at(
            vocabulary.tokens.slots.table(), stretch.hash, kind, data, stretch.begin, stretch.end, last
        )
        if known != NULL:  # it stands in the line twice
            return known
        memset(&token, 0, sizeof(token))
        if not self.cut_token(vocabulary, line, stretch, last, token, words):
            self.ask_of_token(vocabulary, line[stretch.begin : stretch.end], last, token, words)
        token.marked = self.prepare is not None and self.has_mark(line, stretch)
        return add_token(
            vocabulary.tokens, vocabulary.arena, token, words, stretch.hash, kind, data, stretch.begin, stretch.end, last
        )

    cdef bool has_mark(self, str line, const Stretch& stretch) except? True:
        """Whether the line of a token must be prepared; see `Preparation`."""
        cdef int kind = PyUnicode_KIND(line)
        cdef const void* data = PyUnicode_DATA(line)
        cdef Py_ssize_t place
        cdef uint32_t letter
        cdef bool has_sign = False, has_other = False
        for place in range(stretch.begin, stretch.end):
            letter = PyUnicode_READ(kind, data, place)
            if letter < 0x80:
                has_sign |= self.ascii_marks[letter]
                continue
            has_other = has_other or is_other(letter)
            has_sign = has_sign or find(self.mark_signs.begin(), self.mark_signs.end(), letter) != self.mark_signs.end()
        if has_sign and self.is_mark(line[stretch.begin : stretch.end]):
            return True
        return has_other and not self.is_kept(line[stretch.begin : stretch.end])

    cdef ask_of_token(self, Vocabulary vocabulary, str text, int last, Token& token, vector[Word*]& words):
        """Ask the text mode."""
        cdef int variant = 0
        cdef size_t before
        cdef Py_ssize_t count
        read = self.token_reader(text + " " if last else text)
        if read is None:
            token.whole = 1
            return
        variants, token.begins, token.ends, token.initial = read
        count = len(variants)
        if count != 1 and count != VARIANTS:
            raise ValueError(f"a token has 1 or {VARIANTS} variants, got {count}: {text!r}")
        token.variants = count
        for found in variants:
            before = words.size()
            for word in found:
                words.push_back(self.learner.word_of(vocabulary, plain(word)))
            if words.size() - before > MOST_WORDS:  # a text mode that makes many words of a letter
                token.whole = 1
            token.counts[variant] = words.size() - before
            variant += 1

    cdef bool cut_token(
        self, Vocabulary vocabulary, str line, const Stretch& stretch, int last, Token& token, vector[Word*]& words
    ) except? False:
        """Read a token without the text mode; False where that must be asked. `Token` tells what it promises."""
        cdef vector[Piece] pieces
        cdef uint32_t letters[TOKEN_LENGTH + 1]
        cdef int kind = PyUnicode_KIND(line)
        cdef const void* data = PyUnicode_DATA(line)
        cdef int place, length = <int>(stretch.end - stretch.begin)
        cdef size_t index, count
        cdef bool dotted, kept
        if not self.has_lone_words:
            return False
        for place in range(length):
            letters[place] = PyUnicode_READ(kind, data, stretch.begin + place)
        letters[length] = 0
        words.reserve(FEW_WORDS)
        if self.whole or (self.letters and length):  # in some modes, blanks at the end of a line change words before them
            if self.take_whole(vocabulary, letters, length, token, words):
                return True
            if self.whole:
                return False
        pieces.reserve(FEW_WORDS)
        if not cut(letters, length, self.elides, pieces) or (self.always is None and not is_lone(letters, pieces)):
            return False
        count = pieces.size()
        token.variants = 1
        token.initial = DIGIT if c"0" <= letters[0] <= c"9" else LOWER if c"a" <= letters[0] <= c"z" else OTHER
        token.begins, token.ends = mark_of(letters[0]), 0 if last else mark_of(letters[length - 1])
        for index in range(count):
            if pieces[index].kind == DOT:
                continue
            if pieces[index].kind == FOREIGN:
                found = self.words_of_sign(string_of(letters + pieces[index].begin, 1))
                if found is None or words.size() + len(found) + TOKEN_LENGTH > MOST_WORDS:
                    words.clear()
                    return False
                for word in found:
                    words.push_back(self.learner.word_of(vocabulary, plain(word)))
                continue
            dotted = index + 1 < count and pieces[index + 1].kind == DOT
            kept = dotted and text_of(letters, pieces[index]) in self.always
            if dotted and not kept and index + 2 == count and not last:
                self.leave_open(vocabulary, letters, pieces[index], token, words)
                return True
            words.push_back(self.cut_word(vocabulary, letters, pieces[index], kept))
            if dotted and not kept:
                words.push_back(self.learner.word_of(vocabulary, "."))
        token.counts[0] = words.size()
        return True

    cdef int draft_words(
        self, Vocabulary vocabulary, int kind, const void* data, const Line& line, Drafts& drafts
    ) except -1 nogil:
        """Begin to draft the words of those tokens of a line that are not known."""
        cdef uint32_t letters[TOKEN_LENGTH + 1]
        cdef uint32_t word[TOKEN_LENGTH]
        cdef vector[Piece] pieces
        cdef const Stretch* stretch
        cdef size_t token, index
        cdef int place, length
        for token in range(line.stretches.size()):
            if line.tokens[token] != NULL or not self.has_lone_words:
                continue
            stretch = &line.stretches[token]
            length = <int>(stretch.end - stretch.begin)
            for place in range(length):
                letters[place] = PyUnicode_READ(kind, data, stretch.begin + place)
            letters[length] = 0
            if self.whole:
                self.learner.begin_word(vocabulary, letters, length, self.lowers, drafts)
            elif cut(letters, length, self.elides, pieces) and (self.always is not None or is_lone(letters, pieces)):
                for index in range(pieces.size()):
                    if pieces[index].kind != DOT and pieces[index].kind != FOREIGN:
                        place = write_word(letters, pieces[index], False, word)
                        self.learner.begin_word(vocabulary, word, place, self.lowers, drafts)

    cdef bool take_whole(
        self, Vocabulary vocabulary, const uint32_t* letters, int length, Token& token, vector[Word*]& words
    ) except? False:
        """Take a token of letters, and of ASCII's signs if they are no words, for a word; no word where it is empty."""
        cdef uint32_t word[TOKEN_LENGTH]
        cdef int place, found
        for place in range(length):
            word[place] = letters[place]
            if letters[place] <= 0x7F:
                if not (c" " < letters[place] <= c"~" if self.whole else is_alphanumeric(letters[place])):
                    return False
                continue
            found = kind_of(letters[place])
            if not found & LETTER:
                return False
            if self.lowers and found & UPPERCASE:
                if letters[place] >= SMALLS or not SMALL[letters[place]]:
                    return False
                word[place] = SMALL[letters[place]]
        if self.lowers:
            for place in range(length):
                if c"A" <= word[place] <= c"Z":
                    word[place] += 32
        if length:
            words.push_back(self.learner.word_at(vocabulary, word, length))
        token.variants, token.counts[0], token.initial = 1, words.size(), OTHER
        return True

    cdef words_of_sign(self, str sign):
        """The words of a sign that is set apart, asked of the text mode once; None if it needs the whole line."""
        if sign not in self.signs:
            if len(self.signs) > TOKEN_LIMIT:
                self.signs.clear()
                self.emptied += 1
            read = self.token_reader(sign)
            self.signs[sign] = None if read is None else read[0][0]
        return self.signs[sign]

    cdef leave_open(
        self, Vocabulary vocabulary, const uint32_t* letters, const Piece& piece, Token& token, vector[Word*]& words
    ):
        """End a token in a word with a dot, which depends on what follows."""
        cdef size_t before = words.size(), index
        cdef int variant
        cdef Word* apart = self.cut_word(vocabulary, letters, piece, False)
        cdef Word* dot = self.learner.word_of(vocabulary, ".")
        cdef Word* together = self.cut_word(vocabulary, letters, piece, True)
        cdef bool kept
        token.variants = VARIANTS
        for variant in range(VARIANTS):
            if variant:
                for index in range(before):
                    words.push_back(words[index])
            kept = variant == LOWER or variant == DIGIT and text_of(letters, piece) in self.before_number
            words.push_back(together if kept else apart)
            if not kept:
                words.push_back(dot)
            token.counts[variant] = before + (1 if kept else 2)

    cdef Word* cut_word(self, Vocabulary vocabulary, const uint32_t* letters, const Piece& piece, bool dot) except NULL:
        """A word of a token, with the dot behind it if wanted."""
        cdef uint32_t word[TOKEN_LENGTH]
        cdef int length = write_word(letters, piece, dot, word)
        if self.lowers and not lower_ascii(word, length):
            return self.learner.word_of(vocabulary, self.learner.cases.lowercase(string_of(word, length)))
        return self.learner.word_at(vocabulary, word, length)
