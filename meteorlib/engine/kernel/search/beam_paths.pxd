"""Paths of METEOR 1.5's beam, and the parts that their children are made from."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate


cdef enum:
    UNMATCHED = -1  # choices; the others are numbers of candidates
    KEPT = -2
    MATCHED = 32  # a rank is chunks − (matched << MATCHED): more matched words first, then fewer chunks

cdef struct Path:
    int64_t rank
    int64_t distance
    uint64_t used  # the used words; where they need more bits, which row of `Beam.used` they are
    int32_t open
    int32_t link
    int32_t end  # of the reference words that are matched, where they reach behind the position

cdef struct Child:
    int64_t rank
    int64_t distance
    int32_t parent
    int32_t choice

cdef struct Link:
    Candidate candidate
    int32_t previous

cdef struct Entry:  # a candidate of a position, for all paths
    int64_t gain  # amount by which it lowers the rank
    int64_t most  # greatest gain of the entries from here on
    int32_t distance
    int32_t start
    int32_t words
    int32_t choice

cdef cppclass Beam:
    """The paths of a search, and the children that become the next ones; used words are a bit each."""
    size_t width
    size_t words  # of 64 bits that the words of the hypothesis need
    const double* gains
    vector[Path] paths
    vector[Path] next_paths
    vector[uint64_t] used
    vector[uint64_t] next_used
    vector[Child] children  # the best so far, in order
    vector[Link] links
    vector[Entry] entries  # candidates of a position, of words that are not used by all paths
    vector[int32_t] heads  # for each word of the hypothesis, the last entry that starts there
    vector[uint64_t] everywhere  # words that all paths have used
    vector[int32_t] open
    vector[int32_t] fixed_start
    vector[int32_t] fixed_end
    vector[int32_t] reference_cover
    vector[int32_t] hypothesis_cover


cdef inline uint64_t* used_by(Beam& beam, Path& path) noexcept nogil:
    return &path.used if beam.words == 1 else beam.used.data() + path.used * beam.words


cdef inline int64_t rank_of(const Beam& beam, const Candidate& candidate) noexcept nogil:
    """Amount by which a candidate of more words lowers the rank."""
    cdef double gain = beam.gains[candidate.stage]
    return (<int64_t>(candidate.words * gain) + <int64_t>(candidate.length * gain)) << MATCHED
