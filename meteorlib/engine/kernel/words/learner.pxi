"""What is asked of a new word: in the kernel of words of ASCII without digits, else in Python."""

cdef enum:
    AT_ONCE = 16  # words that wait for the memory together
    SEEN = 1 << 12

cdef enum:  # lists that a word is in
    FUNCTION_WORD = 1
    NEGATION_WORD = 2
    NUMBER_WORD = 4

cdef struct Draft:  # a word of ASCII in lowercase, and what is known of it before it has a number
    Word word
    uint64_t hash
    uint64_t stem_hash
    int length  # 0: it is left to Python
    int stem_length
    size_t first_synset
    size_t last_synset
    char letters[TOKEN_LENGTH]
    char stem[TOKEN_LENGTH + 1]

cdef cppclass Drafts:
    vector[Draft] words
    vector[int32_t] synsets  # of all of them
    vector[uint32_t] found  # of one
    uint64_t approached  # what `approach` returned
    vector[uint64_t] seen  # hashes of words that were begun; new ones push old ones out


cdef inline void fetch_slot(const Directory& directory, uint64_t hash) noexcept nogil:
    """Begin to fetch the place of a name."""
    cdef const HashTable* table = directory.slots.table()
    if table != NULL:
        prefetch(place_of(table, hash))


cdef inline bool is_news(vector[uint64_t]& seen, uint64_t hash) except? False nogil:
    """Whether it was not seen lately."""
    cdef uint64_t* slot
    seen.resize(SEEN)
    slot = &seen[hash & (SEEN - 1)]
    if slot[0] == hash:
        return False
    slot[0] = hash
    return True


cdef inline uint64_t hash_of(str text):
    return hashed(PyUnicode_KIND(text), PyUnicode_DATA(text), 0, PyUnicode_GET_LENGTH(text), 0)


cdef inline void clear_word(Word& word) noexcept nogil:
    """Note that nothing is known of a word."""
    memset(&word, 0, sizeof(Word))
    word.stem = word.form = word.phrase.number = -1


WORD_MATCHERS = {"exact": EXACT, "stem": STEM, "synonym": SYNONYM, "lemma": LEMMA, "vector": VECTOR}
"""Kernels of matchers of single words that the search takes as candidates of a word; `Learner.take` knows them."""


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
    cdef frozenset function_words
    cdef Cases cases
    cdef Traits traits  # None: not needed
    cdef bool cased  # whether case counts
    cdef Paraphrases paraphrases
    cdef bool drafts  # whether the kernel knows all that is asked of most words
    cdef Directory lists  # word → which it is in
    cdef vector[Name] list_names
    cdef tuple listed  # the words
    cdef vector[string] negation_endings
    cdef Drafts room  # for one word

    def __cinit__(self, function_words, size, Paraphrases paraphrases, bool cased):
        self.function_words, self.sizes, self.cased, self.cases = function_words, Sizes(size), cased, Cases()
        self.paraphrases = paraphrases

    cdef take(self, str kernel, matcher):
        """Take what the matcher of a kernel knows of a word."""
        if kernel == "stem":
            self.stems = Stems(matcher.stemmer)
        elif kernel == "synonym":
            self.synsets = Synsets(matcher.synsets)
        elif kernel == "lemma":
            self.lemmas = Lemmas(matcher.lexicon)
        elif kernel == "vector":
            self.vector = matcher

    cdef prepare(self):
        """Take what the kernel must know to learn words alone, once all matchers are known."""
        cdef Traits traits = self.traits
        cdef Name* name
        self.drafts = (
            self.vector is None
            and self.lemmas is None
            and (self.stems is None or self.stems.has_kernel)
            and (self.synsets is None or self.synsets.table is not None)
            and (self.sizes.ask is None or self.sizes.table is not None)
        )
        lists = {FUNCTION_WORD: self.function_words}
        if traits is not None:
            lists.update({NEGATION_WORD: traits.negation_words, NUMBER_WORD: LISTED})
            self.negation_endings = [ending.encode() for ending in traits.negation_endings]
        self.listed = tuple(set().union(*lists.values()))
        self.list_names.resize(len(self.listed))
        for word in self.listed:
            name = &self.list_names[self.lists.count]
            self.lists.slots.grow(self.lists.count)
            prepare_name(name[0], hash_of(word), PyUnicode_KIND(word), PyUnicode_DATA(word), 0, len(word), 0)
            name.text, name.number = PyUnicode_DATA(word), sum([number for number in lists if word in lists[number]])
            self.lists.slots.add(name)
            self.lists.count += 1

    cdef Word* word_of(self, Vocabulary vocabulary, str text) except NULL:
        """The word of a text."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        cdef uint64_t hash = hash_of(text)
        cdef Word* word = vocabulary.word(hash, kind, data, length)
        if word == NULL and kind == 1 and length <= TOKEN_LENGTH:
            word = self.learn(vocabulary, <const char*>data, <int>length, hash)
        return self.ask(vocabulary, text, hash) if word == NULL else word

    cdef Word* word_at(self, Vocabulary vocabulary, const uint32_t* letters, int length) except NULL:
        """The word of some characters, `TOKEN_LENGTH` at most."""
        cdef char narrow[TOKEN_LENGTH]
        cdef uint64_t hash = hashed(WIDE, letters, 0, length, 0)
        cdef Word* word = vocabulary.word(hash, WIDE, letters, length)
        if word == NULL and narrow_letters(letters, length, narrow):
            word = self.learn(vocabulary, narrow, length, hash)
        return self.ask(vocabulary, string_of(letters, length), hash) if word == NULL else word

    cdef Word* learn(self, Vocabulary vocabulary, const char* text, int length, uint64_t hash) except? NULL:
        """Learn a new word in the kernel; NULL where Python must be asked."""
        cdef Draft draft
        cdef Case case
        cdef Word* small = NULL
        if not self.drafts or not self.begin_draft(text, length, draft, case) or (case.written and not self.cased):
            return NULL
        if case.written:
            small = vocabulary.word(draft.hash, 1, draft.letters, length)
        if small == NULL:
            self.room.synsets.clear()
            if not self.draft(draft, self.room):
                return NULL
            small = self.keep(vocabulary, draft, self.room.synsets)
        return self.keep_cased(vocabulary, 1, text, length, hash, small, case) if case.written else small

    cdef bool begin_draft(self, const char* text, int length, Draft& draft, Case& case) noexcept nogil:
        """Put a word into lowercase; False where Python must be asked."""
        cdef int place
        if not find_case(<const uint8_t*>text, length, case):
            return False
        draft.length = length
        for place in range(length):
            if not c" " < text[place] <= c"~":
                return False
            draft.letters[place] = text[place] + 32 if c"A" <= text[place] <= c"Z" else text[place]
        draft.hash = hashed(1, draft.letters, 0, length, 0)
        return True

    cdef bool draft(self, Draft& draft, Drafts& drafts) except? False nogil:
        """Find all that must be known of a word; False where Python must be asked."""
        cdef Word* word = &draft.word
        cdef const char* text = draft.letters
        cdef int length = draft.length
        cdef Plain plain = plain_letters(<const uint8_t*>text, length)
        cdef int lists = max(number_at(self.lists, draft.hash, 1, text, length), 0)
        clear_word(word[0])
        draft.stem_length = -1
        word.size = self.sizes.of_plain(text, length, drafts.found)
        word.function = (lists & FUNCTION_WORD) != 0
        if word.size < 0 or (self.traits is not None and not self.find_traits(text, length, lists, word[0])):
            return False
        if self.stems is not None:
            draft.stem_length = self.stems.draft(text, length, plain, draft.stem)
            if draft.stem_length < 0:
                return False
            draft.stem_hash = hashed(1, draft.stem, 0, draft.stem_length, 0)
        if self.paraphrases.owner is not None:
            self.paraphrases.find(text, length, word.phrase)
        draft.first_synset = drafts.synsets.size()
        if self.synsets is not None:
            drafts.found.clear()
            self.synsets.look_up(text, length, length, drafts.found)
            drafts.synsets.insert(drafts.synsets.end(), drafts.found.begin(), drafts.found.end())
        draft.last_synset = drafts.synsets.size()
        return True

    cdef uint64_t approach(self, const Draft& draft, int step) noexcept nogil:
        """Begin to fetch what `draft` reads of the tables; see `approach` of records."""
        cdef uint64_t used = 0
        if self.synsets is not None:
            used ^= approach(self.synsets.it.records, draft.letters, draft.length, step)
        if self.sizes.ask is not None:
            used ^= approach(self.sizes.it, draft.letters, draft.length, step)
        if self.paraphrases.owner is not None:
            used ^= approach(self.paraphrases.records, draft.letters, draft.length, step)
        return used

    cdef int begin_word(
        self, Vocabulary vocabulary, const uint32_t* letters, int length, bool lowers, Drafts& drafts
    ) except -1 nogil:
        """Begin to draft a word, unless Python must be asked."""
        cdef char narrow[TOKEN_LENGTH]
        cdef Draft draft
        cdef Case case
        if not length or not narrow_letters(letters, length, narrow) or not self.begin_draft(narrow, length, draft, case):
            return 0
        if case.written and not (lowers or self.cased):
            return 0
        if is_news(drafts.seen, draft.hash):
            drafts.words.push_back(draft)
            fetch_slot(vocabulary.ids, draft.hash)

    cdef int draft_all(self, Vocabulary vocabulary, Drafts& drafts) except -1 nogil:
        """Draft all words that are begun and new."""
        cdef size_t index, first = 0, last, count = drafts.words.size()
        cdef int step
        cdef Draft* draft
        while first < count:
            last = min(first + <size_t>AT_ONCE, count)
            for index in range(first, last):
                draft = &drafts.words[index]
                if vocabulary.word(draft.hash, 1, draft.letters, draft.length) != NULL:
                    draft.length = 0
            for step in range(APPROACHES):
                for index in range(first, last):
                    if drafts.words[index].length:
                        drafts.approached ^= self.approach(drafts.words[index], step)
            for index in range(first, last):
                if drafts.words[index].length and not self.draft(drafts.words[index], drafts):
                    drafts.words[index].length = 0
            first = last

    cdef int keep_all(self, Vocabulary vocabulary, Drafts& drafts) except -1:
        """Store all words that are drafted."""
        cdef size_t index, next, count = drafts.words.size()
        for index in range(count):
            if not index % AT_ONCE:
                for next in range(index, min(index + <size_t>AT_ONCE, count)):
                    fetch_slot(vocabulary.ids, drafts.words[next].hash)
                    fetch_slot(vocabulary.stem_ids, drafts.words[next].stem_hash)
            if drafts.words[index].length:
                self.keep(vocabulary, drafts.words[index], drafts.synsets)

    cdef bool find_traits(self, const char* text, int length, int lists, Word& word) noexcept nogil:
        """See `Traits.of`; False where Python must be asked what a word is in a number."""
        cdef int place
        cdef bool lettered = False
        cdef size_t index
        if lists & NUMBER_WORD:
            return False
        for place in range(length):
            if c"0" <= text[place] <= c"9":
                return False
            lettered |= c"a" <= text[place] <= c"z"
        word.function |= lettered and word.size < self.traits.threshold
        if lettered:
            word.traits = LETTERED | (OMISSIBLE if word.function else CONTENT)
        if lists & NEGATION_WORD:
            word.traits |= NEGATION
        for index in range(self.negation_endings.size()):
            if ends_in(text, length, self.negation_endings[index]):
                word.traits |= NEGATION
        return True

    cdef Word* keep(self, Vocabulary vocabulary, const Draft& draft, const vector[int32_t]& synsets) except NULL:
        """Store a word, which then has a number."""
        cdef Word* known = vocabulary.word(draft.hash, 1, draft.letters, draft.length)
        cdef Word word
        if known != NULL:
            return known
        word = draft.word
        if draft.stem_length >= 0:
            word.stem = vocabulary.number_of_stem(draft.stem_hash, 1, draft.stem, draft.stem_length)
        word.synset_count = <int32_t>(draft.last_synset - draft.first_synset)
        word.synsets = vocabulary.keep(synsets.data() + draft.first_synset, word.synset_count)
        if self.joined or self.near:
            word.spelling = self.keep_spelling(vocabulary, draft.letters, draft.length)
        return vocabulary.keep_word(1, draft.letters, draft.length, draft.hash, word)

    cdef const Spelling* keep_spelling(self, Vocabulary vocabulary, const char* text, int length) except NULL:
        """Store how a word of ASCII in lowercase is spelled; see `letters_and_digits` and `letters_of_near_word`."""
        cdef Spelling* spelling = <Spelling*>vocabulary.arena.room(sizeof(Spelling))
        cdef int32_t* key = vocabulary.room(length)
        cdef int32_t* letters
        cdef int place
        cdef bool near = self.near
        spelling.key, spelling.letters = key, key
        spelling.key_length = spelling.length = 0
        for place in range(length):
            if c"a" <= text[place] <= c"z":
                spelling.length += 1
            elif near and chr(text[place]) not in self.ignored:
                near = False
            if self.joined and (c"a" <= text[place] <= c"z" or c"0" <= text[place] <= c"9"):
                key[spelling.key_length] = text[place]
                spelling.key_length += 1
        spelling.odd = spelling.key_length != length
        if not near or spelling.length < self.shortest:
            spelling.length = 0
        elif spelling.length != spelling.key_length:
            spelling.letters = letters = vocabulary.room(spelling.length)
            spelling.length = 0
            for place in range(length):
                if c"a" <= text[place] <= c"z":
                    letters[spelling.length] = text[place]
                    spelling.length += 1
        spell(spelling[0])
        return spelling

    cdef Word* ask(self, Vocabulary vocabulary, str text, uint64_t hash) except NULL:
        """Learn a new word of any kind."""
        cdef Word word
        cdef Word* known
        cdef Plain plain = plain_of(text)
        cdef Word* same = NULL
        cdef vector[int32_t] synsets
        cdef Case case
        if self.cased and plain == NOT_PLAIN:
            lowercase = self.cases.split(text, case)
            if case.written:
                known = self.word_of(vocabulary, lowercase)
                return self.keep_cased(
                    vocabulary, PyUnicode_KIND(text), PyUnicode_DATA(text), len(text), hash, known, case
                )
        clear_word(word)
        key = "" if not self.joined else text if plain == PLAIN else letters_and_digits(text)
        letters = letters_of_near_word(text, self.shortest, self.ignored) if self.near else ""
        unit = None if self.vector is None else self.vector.unit_vector(text)
        numbers = None if unit is None else unit.tobytes()
        if self.stems is not None and not self.stems_are_forms:
            word.stem = self.stems.number_of(vocabulary, text, plain)
        if self.synsets is not None:
            self.synsets.find(text, plain, synsets)
        if self.lemmas is not None:
            same = self.find_lemmas(vocabulary, self.lemmas.forms.of(text, plain), word, synsets)
            if self.stems_are_forms:
                word.stem = word.form
        if self.paraphrases.owner is not None:
            self.paraphrases.find_of(text, word.phrase)
        word.size = self.sizes.of(text, plain)
        cdef str lowered = text.lower() if plain == NOT_PLAIN else text
        word.function = 1 if self.function_words and lowered in self.function_words else 0
        word_number = None
        if self.traits is not None:
            word_number = self.traits.of(text, lowered, word.size, word.function != 0, word)
        known = vocabulary.word(hash, PyUnicode_KIND(text), PyUnicode_DATA(text), len(text))
        if known != NULL:  # another thread was quicker
            return known
        if word_number is not None:
            word.number = vocabulary.keep_number(word_number)
        if same == NULL:
            word.synset_count = <int32_t>synsets.size()
            word.synsets = vocabulary.keep(synsets.data(), synsets.size())
        else:
            word.synset_count, word.synsets = same.synset_count, same.synsets
        if self.joined or self.near:
            word.spelling = vocabulary.keep_spelling(key, letters, key != text)
        if numbers is not None:
            word.unit_vector = vocabulary.keep_vector(numbers)
            word.width = <int32_t>(len(numbers) // sizeof(float))
        return vocabulary.keep_word(PyUnicode_KIND(text), PyUnicode_DATA(text), len(text), hash, word)

    cdef Word* find_lemmas(self, Vocabulary vocabulary, form, Word& word, vector[int32_t]& lemmas) except? NULL:
        """Number the form of a word, and find its lemma names; or another word of that form, which has them."""
        cdef Word* same
        word.form = number_of(vocabulary.form_ids, form, vocabulary.forms)
        same = vocabulary.with_form(word.form)
        if same == NULL:
            self.lemmas.find(vocabulary, form, word.form, lemmas)
        return same

    cdef Word* keep_cased(
        self, Vocabulary vocabulary, int kind, const void* data, Py_ssize_t length, uint64_t hash, Word* small, Case& case
    ) except NULL:
        """Store a word that is known by its lowercase."""
        cdef Word word = small[0]
        cdef Word* known = vocabulary.word(hash, kind, data, length)
        if known != NULL:  # another thread was quicker
            return known
        word.lowercase, word.written = small, case.written
        if case.capital and self.traits is not None:
            word.traits |= CAPITAL
        return vocabulary.keep_word(kind, data, length, hash, word)


cdef inline bool ends_in(const char* text, int length, const string& ending) noexcept nogil:
    """Whether a text has this ending."""
    cdef int begin = length - <int>ending.size()
    return begin >= 0 and memcmp(text + begin, ending.data(), ending.size()) == 0


cdef inline bool narrow_letters(const uint32_t* letters, int length, char* narrow) noexcept nogil:
    """Write characters of ASCII as bytes; False where there are others."""
    cdef int place
    for place in range(length):
        if letters[place] > 0x7F:
            return False
        narrow[place] = <char>letters[place]
    return True
