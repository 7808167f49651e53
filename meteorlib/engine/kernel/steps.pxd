"""Cooperative cancellation: counted steps of long loops; see `meteorlib.cancellation`."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t


cdef extern from *:
    """
    #include <cstdint>
    static thread_local int64_t meteor_steps = 0;
    static inline bool meteor_is_due(int64_t steps) {
        meteor_steps += steps;
        if (meteor_steps < (INT64_C(1) << 26)) return false;
        meteor_steps = 0;
        return true;
    }
    """
    bint meteor_is_due(int64_t steps) nogil


cdef enum:
    MANY_STEPS = 1 << 20


cdef inline int check_cancel() except -1 with gil:
    from meteorlib.cancellation import check_cancel

    PyErr_CheckSignals()
    check_cancel()
    return 0


cdef inline int step(int64_t steps) except -1 nogil:
    """Take steps of about a nanosecond each."""
    if meteor_is_due(steps):
        check_cancel()
    return 0


cdef inline int count_steps(int64_t& taken, int64_t steps) except -1 nogil:
    """Take steps in a loop that is too tight to look at what the thread has taken."""
    taken += steps
    if taken >= MANY_STEPS:
        step(taken)
        taken = 0
    return 0
