"""Words with their analysis, and the words of one side of a segment."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp
from libcpp cimport bool
from libcpp.vector cimport vector

from meteorlib.engine.kernel.system cimport prefetch


cdef struct Phrase:  # of the paraphrase table; ranges end before their last
    int32_t number  # -1: not in the table
    uint32_t first_child
    uint32_t last_child
    uint32_t first_target
    uint32_t last_target

cdef struct Spelling:  # its letters are code points and stay where they are
    const int32_t* key  # letters and digits
    const int32_t* letters  # of a word that may be near another
    uint64_t hash  # of the key
    uint64_t power  # factor of a hash to which this key is appended
    uint64_t bag  # which letters there are: a bit for the first of each kind, one for more
    int32_t key_length
    int32_t length  # 0: it is near no word
    bool odd  # the word is not its key

cdef enum:  # traits of a word that decide which faults it can be part of; see `meteorlib.core.segment.Trait`
    LETTERED = 1
    CONTENT = 2
    OMISSIBLE = 4  # a function word with a letter
    NEGATION = 8
    CAPITAL = 16  # its first letter is one

cdef enum:  # what a word is in a number; see `meteorlib.core.number_readings`
    WRITTEN = 1
    OPTIONAL = 2
    SIGN = 4
    AM = 8
    PM = 16
    METRIC = 32
    IMPERIAL = 64
    HALF = 128
    QUARTER = 256

cdef struct Number:  # see `meteorlib.core.number_readings.Number`
    int32_t kind
    int32_t whole
    int32_t places
    int32_t shift
    int32_t count  # of its values
    const int64_t* readings

cdef struct Word:  # what nearly each alignment asks for comes first; behind a word stands its name, with its number
    int32_t id
    int32_t stem
    int32_t synset_count
    uint8_t function  # whether it is a function word
    uint8_t written  # how, where case counts; see `meteorlib.text.case`
    uint8_t traits  # 0 if they are not needed
    Phrase phrase  # that it makes alone
    int32_t form
    int64_t size
    const int32_t* synsets  # ascending
    const Spelling* spelling  # NULL where no stage asks for it
    const float* unit_vector  # its vector, of length 1; NULL: none
    const Number* number  # NULL: it is none, or that is not needed
    Word* lowercase  # its lowercase, where that is another word and case counts; else NULL
    int32_t width  # numbers of the vector

cdef struct Span:
    int32_t start
    int32_t length
    uint32_t first_target
    uint32_t last_target

cdef struct Place:  # of a phrase
    uint32_t phrase
    int32_t start
    int32_t length

cdef extern from *:
    """
    struct MeteorKey { uint64_t hash; int32_t index; };
    static inline bool operator<(const MeteorKey& a, const MeteorKey& b) {
        return a.hash < b.hash || (a.hash == b.hash && a.index < b.index);
    }
    """
    cdef struct Key "MeteorKey":  # of a distinct word
        uint64_t hash
        int32_t index

cdef enum:
    FILTER_WORDS = 16

cdef cppclass Segment:
    """One side. The words stay where they are as long as their vocabulary."""
    vector[Word*] words
    vector[int32_t] cases  # how each word is written; none where case does not count
    vector[Word*] distinct  # words
    vector[int32_t] which  # of the distinct words stands at each position
    vector[int32_t] begins  # of the places of each distinct word
    vector[int32_t] places
    vector[int32_t] openings  # for each position, the first one where the same phrases begin
    vector[Span] spans  # phrases that have paraphrases, by start, then length
    vector[Place] phrases  # all phrases, by length, then start
    vector[Key] keys  # of the distinct words that have one, ascending
    vector[uint64_t] parts  # hashes of the keys of two adjacent words and of three, by start
    uint64_t key_filter[FILTER_WORDS]  # bits of the hashes
    int64_t size
    int64_t function_size
    int32_t initial  # traits of the first word with a letter, as it was written; 0: there is none
    void* owner  # the Python object that holds it


cdef inline int lower(Segment& segment) except -1 nogil:
    """Put each word into lowercase, and note how it was written."""
    cdef size_t position, length = segment.words.size()
    cdef Word* word
    segment.cases.resize(length)
    segment.initial = 0
    for position in range(length):
        word = segment.words[position]
        segment.cases[position] = word.written
        if not segment.initial and word.traits & LETTERED:
            segment.initial = word.traits
        if word.lowercase != NULL:
            segment.words[position] = word.lowercase


cdef inline size_t room_for(size_t count) noexcept nogil:
    """A power of two, at least twice as many."""
    cdef size_t room = 16
    while room < 2 * count:
        room *= 2
    return room


cdef inline uint32_t scattered(int32_t number) noexcept nogil:
    return (<uint32_t>number * <uint32_t>0x9E3779B1) >> 8


cdef inline int32_t index_of(Word* word, vector[Word*]& distinct, vector[int32_t]& slots) except -1 nogil:
    """Which distinct word it is; a new one is put behind the others. A slot is -1 or the index of one of them."""
    cdef size_t mask = slots.size() - 1
    cdef size_t slot = scattered(word.id) & mask
    while slots[slot] >= 0:
        if distinct[slots[slot]] == word:
            return slots[slot]
        slot = (slot + 1) & mask
    slots[slot] = <int32_t>distinct.size()
    distinct.push_back(word)
    return slots[slot]


cdef inline void fetch_words(const Segment& segment) noexcept nogil:
    """Begin to fetch what is known of the words."""
    cdef size_t position
    for position in range(segment.words.size()):
        prefetch(segment.words[position])
        prefetch(<const char*>segment.words[position] + 64)


cdef inline int describe(Segment& segment, vector[int32_t]& slots) except -1 nogil:
    """Find the distinct words and their places, and add the sizes up."""
    cdef int32_t position, index, length = <int32_t>segment.words.size(), count
    cdef Word* word
    slots.assign(room_for(length), -1)
    segment.size = segment.function_size = 0
    segment.which.resize(length)
    segment.openings.resize(length)
    segment.distinct.clear()
    segment.distinct.reserve(length)
    for position in range(length):
        word = segment.words[position]
        if word.spelling != NULL:  # to look for a page that is not there takes long
            prefetch(word.spelling)  # for joined words
        if word.synsets != NULL:
            prefetch(word.synsets)  # for candidates
        segment.size += word.size
        segment.function_size += word.size * word.function
        segment.which[position] = index_of(word, segment.distinct, slots)
    count = <int32_t>segment.distinct.size()
    segment.begins.assign(count + 2, 0)
    for position in range(length):
        segment.begins[segment.which[position] + 2] += 1
    for index in range(count):
        segment.begins[index + 2] += segment.begins[index + 1]
    segment.places.resize(length)
    for position in range(length):
        index = segment.which[position] + 1
        segment.places[segment.begins[index]] = position
        segment.begins[index] += 1
    for position in range(length):
        segment.openings[position] = segment.places[segment.begins[segment.which[position]]]


cdef inline bool same_words(const Segment& reference, const Segment& hypothesis) noexcept nogil:
    cdef size_t count = reference.words.size()
    return count == hypothesis.words.size() and (
        count == 0 or memcmp(reference.words.data(), hypothesis.words.data(), count * sizeof(Word*)) == 0
    )
