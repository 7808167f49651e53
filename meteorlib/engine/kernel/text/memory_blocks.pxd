"""Memory in large blocks, whose contents never move."""

cdef extern from *:
    """
    #include <stdlib.h>
    #include <new>
    #include <vector>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif
    class MeteorArena {
        static constexpr size_t BLOCK = size_t(1) << 21;  // a huge page
        std::vector<char*> blocks;
        char* next = nullptr;
        size_t left = 0;
        static char* block_of(size_t size) {
        #ifdef __linux__
            // looking up where a page is costs more than the memory itself where pages are small
            void* block = nullptr;
            if (posix_memalign(&block, BLOCK, size) != 0)
                throw std::bad_alloc();
            madvise(block, size, MADV_HUGEPAGE);
        #else
            void* block = malloc(size);
            if (block == nullptr)
                throw std::bad_alloc();
        #endif
            return static_cast<char*>(block);
        }
    public:
        MeteorArena() = default;
        MeteorArena(const MeteorArena&) = delete;
        MeteorArena& operator=(const MeteorArena&) = delete;
        ~MeteorArena() {
            for (char* block : blocks)
                free(block);
        }
        void* room(size_t size) {  // for any object; size > 0
            size = (size + 15) & ~size_t(15);
            if (size > left) {
                size_t whole = (size + BLOCK - 1) / BLOCK * BLOCK;
                blocks.push_back(nullptr);
                next = blocks.back() = block_of(whole);
                left = whole;
            }
            void* place = next;
            next += size;
            left -= size;
            return place;
        }
    };
    """
    cdef cppclass Arena "MeteorArena":
        void* room(size_t size) except + nogil
