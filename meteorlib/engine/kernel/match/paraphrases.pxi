"""The paraphrase table of an engine, and the check that its files have not changed."""


@cython.final
@cython.no_gc
cdef class Paraphrases:
    """A table as numbers; without an owner an empty one, which is never asked."""

    cdef Table it
    cdef object owner
    cdef bytes words  # in order of their numbers
    cdef Records records
    cdef tuple arrays  # in which the numbers of the table are

    cdef open(self, owner):
        """Take over a `meteorlib.resources.meteor_tables.ParaphraseTable`."""
        self.owner, self.words = owner, owner.words.data
        open_records(self.records, self.words)
        self.arrays = nodes, targets, children = owner.nodes, owner.targets, owner.children
        self.it.nodes, self.it.targets, self.it.children = numbers_in(nodes), numbers_in(targets), numbers_in(children)
        self.it.count, self.it.target_count, self.it.child_places = len(owner.last_words), len(targets), len(children)
        self.it.room, self.it.bits = owner.room, self.it.count.bit_length()
        self.watch()

    cdef int find_of(self, str word, Phrase& phrase) except -1:
        """Find the phrase that a word makes alone."""
        cdef bytes encoded = utf8_of(word)
        phrase.number = -1
        if encoded is not None:
            self.find(PyBytes_AS_STRING(encoded), <int>len(encoded), phrase)

    cdef int find(self, const char* word, int length, Phrase& phrase) except -1 nogil:
        """Find the phrase that a word in UTF-8 makes alone."""
        if not read_phrase(self.it, <int32_t>index_of_word(self.records, word, length), phrase):
            self.damaged()

    cdef watch(self):
        """Take over what the files of the table were verified as."""
        cdef Watched* watched = self.it.files
        for file in self.owner.mapped:
            watched.descriptor = file.fileno()
            watched.size, watched.modified, watched.changed, _ = file.state
            watched += 1

    cdef int check(self) except -1 nogil:
        """Raise an error where somebody has written to the table: before it is read, and before a score is given."""
        if self.owner is not None and not is_unchanged(self.it):
            with gil:
                self.owner.check()
                self.watch()

    cdef int damaged(self) except -1 with gil:
        """Raise an error."""
        raise self.owner.damaged("its numbers point outside the table")
