"""Thread time and other services of the operating system and the processor."""

from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <cstdint>
    #include <time.h>
    #ifndef _WIN32
    #include <sys/stat.h>
    #endif
    static inline int meteor_unchanged(int descriptor, int64_t size, int64_t modified, int64_t changed) {
    #ifdef _WIN32  // a mapped file cannot be cut short there
        return 1;
    #else
        struct stat status;
        struct timespec modification, change;
        if (fstat(descriptor, &status) != 0 || status.st_size != size)
            return 0;
        #ifdef __APPLE__
        modification = status.st_mtimespec, change = status.st_ctimespec;
        #else
        modification = status.st_mtim, change = status.st_ctim;
        #endif
        return modification.tv_sec * INT64_C(1000000000) + modification.tv_nsec == modified
            && change.tv_sec * INT64_C(1000000000) + change.tv_nsec == changed;
    #endif
    }
    static inline int64_t meteor_thread_time() {
    #ifdef CLOCK_THREAD_CPUTIME_ID
        struct timespec now;
        if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
            return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    #endif
        return 0;
    }
    static inline void meteor_prefetch(const void* place) {
    #if defined(__GNUC__) || defined(__clang__)
        __builtin_prefetch(place);
    #endif
    }
    """
    bint unchanged "meteor_unchanged"(int descriptor, int64_t size, int64_t modified, int64_t changed) nogil
    void prefetch "meteor_prefetch"(const void* place) nogil
    int64_t thread_time "meteor_thread_time"() noexcept nogil  # nanoseconds of this thread; 0 where that is not told
