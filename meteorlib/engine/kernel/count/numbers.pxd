"""Numbers of a segment; the compiled form of `meteorlib.core.number_readings`."""

from libc.stdint cimport int32_t, int64_t
from libcpp cimport bool
from libcpp.algorithm cimport lower_bound, sort, unique
from libcpp.vector cimport vector

from meteorlib.engine.kernel.steps cimport count_steps
from meteorlib.engine.kernel.words.words cimport (
    AM, HALF, IMPERIAL, METRIC, OPTIONAL, PM, QUARTER, SIGN, WRITTEN, Number, Segment,
)


cdef enum:
    EXPONENTS = 128  # see `meteorlib.core.number_readings.decimal`
    UNITS_WITHIN = 2
    PARTS_WITHIN = 4

cdef extern from *:
    """
    struct MeteorReading { int64_t value; int32_t index; };
    static inline bool operator<(const MeteorReading& a, const MeteorReading& b) {
        return a.value < b.value || (a.value == b.value && a.index < b.index);
    }
    """
    cdef struct Reading "MeteorReading":  # a value of a number of the hypothesis
        int64_t value
        int32_t index

cdef struct Found:  # a number of a text
    int32_t place
    bool written
    int32_t units  # kinds of its units
    bool paired  # whether the other side has its equal
    size_t begin  # of its values
    size_t end

cdef cppclass Numbers:
    """The numbers of a text, and their values."""
    vector[Found] found
    vector[int64_t] values


cdef inline bool has_numbers(const Segment& segment) noexcept nogil:
    """Whether a word is written in digits."""
    cdef size_t place
    for place in range(segment.words.size()):
        if segment.words[place].number != NULL and segment.words[place].number.kind & WRITTEN:
            return True
    return False


cdef inline int64_t decimal(int64_t digits, int32_t exponent) noexcept nogil:
    if digits == 0:
        return EXPONENTS // 2
    while digits % 10 == 0:
        digits, exponent = digits // 10, exponent + 1
    return digits * EXPONENTS + EXPONENTS // 2 + exponent


cdef inline int64_t powered(int32_t places) noexcept nogil:
    """10 to this power."""
    cdef int64_t product = 1
    for _ in range(places):
        product *= 10
    return product


cdef inline int add_afternoon(vector[int64_t]& values, size_t begin, int32_t whole, int32_t kind) except -1 nogil:
    """Add times of the day of a number with ``am`` or ``pm``, and full hours; the afternoon of a time without them."""
    cdef size_t index, end = values.size()
    cdef int32_t named = kind & (AM | PM), hour = whole, minute = 0
    cdef int64_t minutes, later = 0 if named == AM else 720
    if whole > 99:
        hour, minute = whole // 100, whole % 100
    for index in range(begin, end + (named != 0 and 0 < hour <= 12 and minute < 60)):
        minutes = 60 * <int64_t>hour + minute if index == end else -1 - values[index]
        if named == 0 and 60 <= minutes < 720:
            values.push_back(-1 - (minutes + later))
        elif named != 0 and 0 <= minutes < 780:
            minutes = minutes % 720 + later
            values.push_back(-1 - minutes)
            if minutes % 60 == 0:
                values.push_back(decimal(minutes // 60, 0))
    return 0


cdef inline int add_fractions(vector[int64_t]& values, int32_t whole, int32_t kind) except -1 nogil:
    """Add values of a number with a half or quarters."""
    if whole >= 0 and kind & HALF:
        values.push_back(decimal(100 * <int64_t>whole + 50, -2))
    elif whole >= 0 and kind & QUARTER:
        values.push_back(decimal(100 * <int64_t>whole + 25, -2))
        values.push_back(decimal(100 * <int64_t>whole + 75, -2))
    return 0


cdef inline int add_parts(const Number& first, const Number& last, vector[int64_t]& values) except -1 nogil:
    """Add the values of a number that is torn at a separator."""
    values.push_back(decimal(first.whole * powered(last.places) + last.whole, -last.places))
    if last.places == 3:
        values.push_back(decimal(first.whole * <int64_t>1000 + last.whole, 0))
    if (last.places == 2 or last.whole == 0) and first.whole <= 24 and last.whole < 60:
        values.push_back(-1 - (60 * <int64_t>first.whole + last.whole))
    return 0


cdef inline bool is_torn(const Segment& segment, size_t begin) noexcept nogil:
    """Whether digits, a sign and digits begin here."""
    cdef const Number* first = segment.words[begin].number
    cdef const Number* sign
    cdef const Number* last
    if begin + 2 >= segment.words.size() or first.whole < 0:
        return False
    sign, last = segment.words[begin + 1].number, segment.words[begin + 2].number
    return sign != NULL and last != NULL and sign.kind & SIGN and last.whole >= 0


cdef inline int find_numbers(const Segment& segment, Numbers& numbers) except -1 nogil:
    """Find the numbers of a text."""
    cdef size_t place = 0, begin, end, index, length = segment.words.size()
    cdef const Number* number
    cdef const Number* other
    cdef int32_t shift, kind, whole, optional
    cdef Found found
    while place < length:
        number = segment.words[place].number
        begin, place = place, place + 1
        if number == NULL or number.count == 0:
            continue
        found.place, found.written, found.paired = <int32_t>begin, number.kind & WRITTEN, False
        found.begin = numbers.values.size()
        numbers.values.insert(numbers.values.end(), number.readings, number.readings + number.count)
        end, kind, whole = place, number.kind, number.whole
        if is_torn(segment, begin):
            other = segment.words[begin + 2].number
            add_parts(number[0], other[0], numbers.values)
            end, kind, whole = begin + 3, kind | other.kind, -1
        shift, optional = 0, OPTIONAL
        while end < length and shift < 15:
            other = segment.words[end].number
            if other == NULL or other.shift == 0 or (other.count and not number.kind & WRITTEN):
                break
            shift, optional, end = shift + other.shift, optional & other.kind, end + 1
            place, kind = end, kind | other.kind & (METRIC | IMPERIAL)
        if shift:
            shift_values(numbers.values, found.begin, shift, optional != 0)
        for index in range(end, min(end + PARTS_WITHIN, length)):
            other = segment.words[index].number
            if other != NULL and other.count == 0:
                kind |= other.kind if index < end + UNITS_WITHIN else other.kind & (HALF | QUARTER)
        found.units = kind & (METRIC | IMPERIAL)
        add_afternoon(numbers.values, found.begin, whole, kind)
        add_fractions(numbers.values, whole, kind)
        sort(numbers.values.begin() + found.begin, numbers.values.end())
        numbers.values.erase(
            unique(numbers.values.begin() + found.begin, numbers.values.end()), numbers.values.end()
        )
        found.end = numbers.values.size()
        numbers.found.push_back(found)
    return 0


cdef inline int shift_values(vector[int64_t]& values, size_t begin, int32_t shift, bool optional) except -1 nogil:
    """Multiply values by a power of ten; times of the day are left out, 0 stays. Optionally the values remain, too."""
    cdef size_t index, kept = begin, end = values.size()
    for index in range(begin, end):
        if values[index] < 0:
            continue
        if optional:
            values.push_back(values[index] + (shift if values[index] >= EXPONENTS else 0))
        else:
            values[kept] = values[index] + (shift if values[index] >= EXPONENTS else 0)
            kept += 1
    if not optional:
        values.resize(kept)
    return 0


cdef inline int pair_numbers(Numbers& reference, Numbers& hypothesis) except -1 nogil:
    """Pair each number of the reference that is not, in order, with the first equal one that is left."""
    cdef vector[Reading] readings
    cdef vector[size_t] waiting  # for the first reading of a value, the first one that may be left
    cdef Reading reading
    cdef size_t index, at, where, group
    cdef int32_t first
    cdef int64_t taken = 0
    for index in range(hypothesis.found.size()):
        reading.index = <int32_t>index
        for at in range(hypothesis.found[index].begin, hypothesis.found[index].end):
            reading.value = hypothesis.values[at]
            readings.push_back(reading)
    sort(readings.begin(), readings.end())
    for at in range(readings.size()):
        waiting.push_back(at)
    reading.index = -1
    for index in range(reference.found.size()):
        if reference.found[index].paired:
            continue
        first = <int32_t>hypothesis.found.size()
        for at in range(reference.found[index].begin, reference.found[index].end):
            reading.value = reference.values[at]
            group = lower_bound(readings.begin(), readings.end(), reading) - readings.begin()
            if group == readings.size():
                continue
            where = waiting[group]
            while where < readings.size() and (
                readings[where].value == reading.value and hypothesis.found[readings[where].index].paired
            ):
                where += 1
            count_steps(taken, 8 + <int64_t>(where - waiting[group]))
            waiting[group] = where
            if where < readings.size() and readings[where].value == reading.value:
                first = min(first, readings[where].index)
        if first < <int32_t>hypothesis.found.size():
            reference.found[index].paired = hypothesis.found[first].paired = True
    return 0


cdef inline bool share_value(const Number& number, const Number& other) noexcept nogil:
    """Whether two numbers have a value in common."""
    cdef int32_t index, place
    for index in range(number.count):
        for place in range(other.count):
            if number.readings[index] == other.readings[place]:
                return True
    return False


cdef inline bool unequal(
    const Segment& segment, int32_t begin, int32_t length, const Segment& other, int32_t start, int32_t words
) noexcept nogil:
    """Whether both of these words have numbers in digits, and no word of one has a value of a word of the other."""
    cdef int32_t place, position
    cdef const Number* number
    cdef const Number* another
    cdef bool found = False
    for place in range(begin, begin + length):
        number = segment.words[place].number
        if number == NULL or not number.kind & WRITTEN:
            continue
        for position in range(start, start + words):
            another = other.words[position].number
            if another != NULL and another.kind & WRITTEN:
                if share_value(number[0], another[0]):
                    return False
                found = True
    return found
