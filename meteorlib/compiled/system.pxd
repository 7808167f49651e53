"""What the operating system and the processor are asked."""

from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <cstdint>
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
    static inline void meteor_prefetch(const void* place) {
    #if defined(__GNUC__) || defined(__clang__)
        __builtin_prefetch(place);
    #endif
    }
    """
    bint unchanged "meteor_unchanged"(int descriptor, int64_t size, int64_t modified, int64_t changed) nogil
    void prefetch "meteor_prefetch"(const void* place) nogil
