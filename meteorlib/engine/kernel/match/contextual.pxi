"""Comparison of segments in context, which the Python matcher computes with NumPy."""


@cython.final
@cython.no_gc
cdef class InContext:
    """A `meteorlib.matchers.contextual.Contextual`, and what it found for segments."""

    cdef object matcher

    def __cinit__(self, matcher):
        self.matcher = matcher

    cdef object analysis_of(self, CompiledSegment segment):
        """The vectors of a segment."""
        if segment.context is None:
            segment.context = self.matcher.analyze(segment.words, {})
        return segment.context

    cdef int compare(self, CompiledSegment reference, CompiledSegment hypothesis, Context& context) except -1:
        """Compare two segments."""
        cdef size_t position, start, length = reference.it.words.size(), width = hypothesis.it.words.size()
        cdef bytes cosines, near
        cdef const char* is_near
        measured = self.matcher.measure(self.analysis_of(reference), self.analysis_of(hypothesis))
        cosines, near = measured.cosines.tobytes(), measured.near.tobytes()
        if len(cosines) != <Py_ssize_t>(length * width * sizeof(int32_t)) or len(near) != <Py_ssize_t>(length * width):
            raise ValueError(f"a comparison of {length} and {width} words has {len(near)} places")
        context.factor, context.width = measured.factor, <int32_t>width
        context.cosines.resize(length * width)
        if length * width:
            memcpy(context.cosines.data(), PyBytes_AS_STRING(cosines), len(cosines))
        is_near = PyBytes_AS_STRING(near)
        context.starts.clear()
        context.begins.assign(1, 0)
        for position in range(length):
            for start in range(width):
                if is_near[position * width + start]:
                    context.starts.push_back(<int32_t>start)
            context.begins.push_back(<int32_t>context.starts.size())


cdef int compare_in_context(
    void* owner, const Segment& reference, const Segment& hypothesis, Context& context
) except -1 with gil:
    """Compare two segments by their owners, `CompiledSegment`."""
    return (<InContext>owner).compare(<CompiledSegment>reference.owner, <CompiledSegment>hypothesis.owner, context)
