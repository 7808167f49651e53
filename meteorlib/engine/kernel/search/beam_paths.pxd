"""Paths of METEOR 1.5's beam, and the parts that their children are made from."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

from meteorlib.engine.kernel.match.candidates cimport Candidate
from meteorlib.engine.kernel.search.doubts cimport Sets


cdef enum:
    UNMATCHED = -1  # in place of an entry
    KEPT = -2
    MATCHED = 32  # a rank is chunks − (matched << MATCHED): more matched words first, then fewer chunks

cdef struct Path:
    int64_t rank
    int64_t distance
    size_t row  # of the doubtful words that it has used
    int32_t open
    int32_t link
    int32_t end  # of the reference words that are matched, where they reach behind the position

cdef struct Child:
    int64_t rank
    int64_t distance
    int32_t parent
    int32_t entry
    int32_t stream  # that it comes from

cdef struct Stream:  # of the children of a path that can take all entries, the best first
    int64_t rank  # of the path, its chunk being closed
    int64_t distance
    int32_t parent
    int32_t open
    size_t next  # of `Beam.order`

cdef struct Link:
    int32_t position
    int32_t choice  # its number among the candidates
    int32_t previous

cdef struct Entry:  # a candidate of a position, for all paths
    int64_t gain  # amount by which it lowers the rank
    int64_t most  # greatest gain of the entries from here on
    int64_t ahead  # distance of the entries before it
    int32_t distance
    int32_t start
    int32_t words
    int32_t length
    int32_t choice
    int32_t later  # the next entry that starts there; -1: none

cdef cppclass Beam:
    """The paths of a search, and the children that become the next ones."""
    size_t width
    const double* gains
    vector[Path] paths
    vector[Path] next_paths
    Sets sets  # of used words
    vector[Child] children  # the best so far, in order
    vector[Child] others  # the best of those that come in no stream
    int64_t rank  # of the worst of the best children of all paths, which none of the `width` best comes behind
    int64_t distance
    vector[Child] heads  # of the streams that have begun, the best last
    vector[Stream] streams
    vector[Link] links
    vector[Entry] entries  # candidates of a position, of words that are not used by all paths
    vector[int32_t] order  # of the entries, the greatest gain first
    int64_t total  # distance of them all
    vector[uint64_t] wanted  # by any of them: bits of a row
    vector[int32_t] starts  # for each word of the hypothesis, the first entry that starts there
    vector[int32_t] open
    vector[int32_t] fixed_start
    vector[int32_t] fixed_end
    vector[int32_t] reference_cover
    vector[int32_t] hypothesis_cover


cdef inline int64_t rank_of(const Beam& beam, const Candidate& candidate) noexcept nogil:
    """Amount by which a candidate of more words lowers the rank."""
    cdef double gain = beam.gains[candidate.stage]
    return (<int64_t>(candidate.words * gain) + <int64_t>(candidate.length * gain)) << MATCHED
