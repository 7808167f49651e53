/* What this machine can do at best, and the least work that reading a text is: floors FILE

FILE has a line for each text that is read. Prints nanoseconds as JSON. */

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { RUNS = 7, STEPS = 1 << 20, SLOTS = 1 << 19, PAGE = 1 << 21, FOUND = 12 };

static volatile uint64_t sink;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * time.tv_sec + time.tv_nsec;
}

static uint64_t random_number(void) {
    static uint64_t state = 0x9E3779B97F4A7C15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void *room(size_t size, int advice) {
    size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, whole);
    if (memory == NULL)
        exit(1);
    madvise(memory, whole, advice);
    memset(memory, 0, whole);
    return memory;
}

/* a chain of additions, each of which waits for the one before: a cycle each */
static double cycle(void) {
    uint64_t number = sink;
    double begin = now();
    for (int step = 0; step < STEPS; step++)
        __asm__ volatile("add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0" : "+r"(number));
    sink = number;
    return (now() - begin) / (4.0 * STEPS);
}

/* the same loop over bits that nobody can guess, and over bits that are all the same */
static double branch(void) {
    uint8_t *bits = room(STEPS, MADV_HUGEPAGE);
    double times[2];
    for (int guess = 1; guess >= 0; guess--) {
        uint64_t sum = 0;
        for (int step = 0; step < STEPS; step++)
            bits[step] = guess ? 0 : random_number() & 1;
        double begin = now();
        for (int step = 0; step < STEPS; step++)
            if (bits[step])
                __asm__ volatile("add $3, %0" : "+r"(sum));
            else
                __asm__ volatile("add $1, %0" : "+r"(sum));
        times[guess] = now() - begin;
        sink = sum;
    }
    free(bits);
    return (times[0] - times[1]) / (STEPS / 2.0);
}

/* reads at random places of so many bytes, a line of the cache each: one behind another, or at once */
static double reads(size_t size, int advice, int at_once) {
    size_t lines = size / 64;
    uint64_t *memory = room(size, advice), place = 0, sum = 0;
    for (size_t line = 0; line < lines; line++)
        memory[8 * line] = line;
    for (size_t line = lines - 1; line > 0; line--) { /* one ring through all */
        size_t other = random_number() % line;
        uint64_t kept = memory[8 * line];
        memory[8 * line] = memory[8 * other];
        memory[8 * other] = kept;
    }
    for (size_t line = 0; line < lines && line < STEPS; line++)
        place = memory[8 * place];
    double begin = now();
    if (at_once)
        for (int step = 0; step < STEPS; step++) {
            place = place * 0x5851F42D4C957F2D + 0x14057B7EF767814F;
            sum += memory[8 * ((place >> 32) & (lines - 1))];
        }
    else
        for (int step = 0; step < STEPS; step++)
            place = memory[8 * place];
    double end = now();
    sink = place + sum;
    free(memory);
    return (end - begin) / STEPS;
}

typedef struct {
    uint64_t hash;
    uint32_t id;
} Slot;

typedef struct {
    uint64_t size;
    uint64_t others[15]; /* two lines of the cache, as a word of the extension */
} Word;

static Slot *slots;
static Word *words;
static uint32_t *ids, *ends, *seen, count, lines, stamp;

/* split at blanks, hash the letters, look the token up; one look-up begins while the one before waits */
static double read_text(const char *text, size_t size) {
    double begin = now();
    uint32_t filled = 0;
    lines = 0;
    for (size_t place = 0; place < size; place++) {
        uint64_t hash = 0x9E3779B97F4A7C15;
        while (text[place] != ' ' && text[place] != '\n')
            hash = (hash ^ (uint8_t)text[place++]) * 0x100000001B3;
        hash ^= hash >> 29;
        hash *= 0xBF58476D1CE4E5B9;
        hash ^= hash >> 32;
        size_t slot = hash & (SLOTS - 1);
        while (slots[slot].id && slots[slot].hash != hash)
            slot = (slot + 1) & (SLOTS - 1);
        if (!slots[slot].id) {
            slots[slot].hash = hash;
            slots[slot].id = ++count;
        }
        ids[filled++] = slots[slot].id;
        if (text[place] == '\n')
            ends[lines++] = filled;
    }
    return now() - begin;
}

/* add up what each word of a line weighs, and find its distinct words */
static double describe(void) {
    double begin = now();
    uint64_t sum = 0, distinct = 0;
    uint32_t place = 0;
    for (uint32_t line = 0; line < lines; line++) {
        stamp++;
        for (; place < ends[line]; place++) {
            sum += words[ids[place]].size;
            distinct += seen[ids[place]] != stamp;
            seen[ids[place]] = stamp;
        }
    }
    sink = sum + distinct;
    return now() - begin;
}

static double least(double one, double other) { return other < one ? other : one; }

int main(int argc, char **arguments) {
    FILE *file = argc > 1 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL)
        return 1;
    fseek(file, 0, SEEK_END);
    size_t size = ftell(file);
    rewind(file);
    char *text = room(size + 1, MADV_HUGEPAGE);
    if (fread(text, 1, size, file) != size || size == 0 || text[size - 1] != '\n')
        return 1;
    slots = room(SLOTS * sizeof(Slot), MADV_HUGEPAGE);
    words = room((size_t)SLOTS * sizeof(Word), MADV_HUGEPAGE);
    seen = room(SLOTS * sizeof(uint32_t), MADV_HUGEPAGE);
    ids = room(size * sizeof(uint32_t), MADV_HUGEPAGE);
    ends = room(size * sizeof(uint32_t), MADV_HUGEPAGE);
    double found[FOUND];
    for (int place = 0; place < FOUND; place++)
        found[place] = 1e18;
    for (int run = 0; run < RUNS; run++) {
        found[0] = least(found[0], cycle());
        found[1] = least(found[1], branch());
        found[2] = least(found[2], reads(1 << 14, MADV_HUGEPAGE, 0));
        found[3] = least(found[3], reads(1 << 18, MADV_HUGEPAGE, 0));
        found[4] = least(found[4], reads(1 << 22, MADV_HUGEPAGE, 0));
        found[5] = least(found[5], reads(1 << 27, MADV_HUGEPAGE, 0));
        found[6] = least(found[6], reads(1 << 27, MADV_NOHUGEPAGE, 0));
        found[7] = least(found[7], reads(1 << 27, MADV_NOHUGEPAGE, 1));
        found[8] = least(found[8], reads(1 << 22, MADV_HUGEPAGE, 1));
        memset(slots, 0, SLOTS * sizeof(Slot));
        count = 0;
        found[9] = least(found[9], read_text(text, size));
        if (count > SLOTS / 2)
            return 1;
        found[10] = least(found[10], read_text(text, size));
        found[11] = least(found[11], describe());
    }
    printf("{\"cycle\": %.4f, \"branch\": %.3f, ", found[0], found[1]);
    printf("\"first_cache\": %.3f, \"second_cache\": %.3f, \"third_cache\": %.3f, ", found[2], found[3], found[4]);
    printf("\"memory\": %.2f, \"memory_small_pages\": %.2f, \"memory_at_once\": %.2f, ", found[5], found[6], found[7]);
    printf("\"third_cache_at_once\": %.3f, ", found[8]);
    printf("\"read_new\": %.0f, \"read_known\": %.0f, \"describe\": %.0f}\n", found[9], found[10], found[11]);
    return 0;
}
