"""Label setting, layer by layer; the compiled form of `set_labels` in `search.optimal_labels`."""

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t, uint64_t
from libcpp cimport bool
from libcpp.algorithm cimport nth_element, sort
from libcpp.vector cimport vector

from meteorlib.engine.kernel.bits cimport count_bits
from meteorlib.engine.kernel.match.candidates cimport no_room
from meteorlib.engine.kernel.search.optimal_graph cimport NOBODY, Arc, Graph
from meteorlib.engine.kernel.search.optimal_labels cimport ELSEWHERE, Bucket, Extension, Label, Labels, Link, Rank, empty, offer
from meteorlib.engine.kernel.search.optimal_relaxation cimport Relaxation
from meteorlib.engine.kernel.steps cimport count_steps, step


cdef inline bool rank_before(const Rank& a, const Rank& b) noexcept nogil:
    # among equals the one made first, as by the stable sort in Python
    return a.bound < b.bound or (a.bound == b.bound and a.index < b.index)


cdef inline int give_bits(
    const Graph& graph, const Relaxation& relaxation, const vector[char]& critical, Labels& labels
) except -1 nogil:
    """Number the words that tell labels apart; lay out which of them each layer and those behind it can use."""
    cdef int32_t word, layer, count = 0, bit
    cdef size_t words, place
    labels.bits.assign(graph.hypothesis_length, -1)
    labels.refunds.clear()
    for word in range(graph.hypothesis_length):
        if critical[word] and graph.lowest[word] < graph.highest[word]:
            labels.bits[word] = count
            labels.refunds.push_back(relaxation.multipliers[word])
            count += 1
    words = labels.words = max(1, (count + 63) >> 6)
    labels.refundable.assign(words, 0)
    labels.left.resize(words)
    labels.usable.assign(words * graph.layers, 0)
    step(<int64_t>(words * graph.layers))
    for word in range(graph.hypothesis_length):
        bit = labels.bits[word]
        if bit >= 0:
            labels.usable[graph.lowest[word] * words + (bit >> 6)] |= <uint64_t>1 << (bit & 63)
            if relaxation.multipliers[word]:
                labels.refundable[bit >> 6] |= <uint64_t>1 << (bit & 63)
    for layer in range(1, graph.layers):
        for place in range(words):
            labels.usable[layer * words + place] |= labels.usable[(layer - 1) * words + place]


cdef inline int select(size_t width, Bucket& bucket, Labels& labels) except -1 nogil:
    """Choose the labels of a layer that are kept, and give them their links."""
    cdef size_t index, count = bucket.labels.size()
    cdef Rank rank
    cdef Label* label
    cdef Link link
    labels.ranks.resize(count)
    for index in range(count):
        rank.bound, rank.index = bucket.labels[index].bound, <int32_t>index
        labels.ranks[index] = rank
    if count > width:
        nth_element(labels.ranks.begin(), labels.ranks.begin() + width, labels.ranks.end(), rank_before)
        labels.dropped = min(labels.dropped, labels.ranks[width].bound)
        labels.ranks.resize(width)
        sort(labels.ranks.begin(), labels.ranks.end(), rank_before)
    for rank in labels.ranks:
        label = &bucket.labels[rank.index]
        if label.arc >= 0:
            link.arc, link.previous = label.arc, label.link
            label.arc, label.link = NOBODY, <int32_t>labels.links.size()
            labels.links.push_back(link)
    if labels.links.size() >= INT32_MAX:
        no_room()


cdef inline int add_extension(
    const Graph& graph, int32_t layer, int32_t target, int32_t index, int64_t through, Labels& labels
) except -1 nogil:
    """Make an arc, or going on without one, ready to take."""
    cdef size_t words = labels.words, place, begin = labels.masks.size()
    cdef Extension extension
    cdef const Arc* arc
    cdef int32_t word, bit
    cdef uint64_t* masks
    labels.masks.resize(begin + 3 * words, 0)
    masks = labels.masks.data() + begin
    extension.through, extension.target, extension.arc = through, target, index
    extension.group, extension.joins = ELSEWHERE, NOBODY
    if index >= 0:
        arc = &graph.arcs[index]
        extension.group, extension.joins = arc.group, arc.joins
        for word in range(arc.start, arc.stop):
            bit = labels.bits[word]
            if bit >= 0:
                masks[bit >> 6] |= <uint64_t>1 << (bit & 63)
    extension.passes = False
    for place in range(words):
        masks[2 * words + place] = labels.usable[target * words + place]
        masks[words + place] = (
            labels.usable[layer * words + place] & ~masks[2 * words + place] & ~masks[place] & labels.refundable[place]
        )
        extension.passes = extension.passes or masks[words + place] != 0
    labels.extensions.push_back(extension)


cdef inline int find_extensions(
    const Graph& graph, const Relaxation& relaxation, int32_t layer, int64_t room, Labels& labels
) except -1 nogil:
    """The arcs of a layer, and going on without one, but for those that no label can afford."""
    cdef int32_t index
    labels.extensions.clear()
    labels.masks.clear()
    for index in range(graph.begins[layer], graph.begins[layer + 1]):
        if relaxation.through[index] <= room:
            add_extension(graph, layer, graph.arcs[index].target, index, relaxation.through[index], labels)
    if relaxation.to_go[layer - 1] <= room:
        add_extension(graph, layer, layer - 1, NOBODY, relaxation.to_go[layer - 1], labels)


cdef inline int64_t refund(const Labels& labels, const uint64_t* passed, const uint64_t* used) noexcept nogil:
    """The multipliers of the words that are passed unused."""
    cdef int64_t total = 0
    cdef size_t place
    cdef uint64_t words, lowest
    for place in range(labels.words):
        words = passed[place] & ~used[place]
        while words:
            lowest = words & (~words + 1)
            total += labels.refunds[(place << 6) + count_bits(lowest - 1)]
            words ^= lowest
    return total


cdef inline int extend(
    const Graph& graph, int64_t upper_bound, const Label& label, int64_t base, const uint64_t* used, Labels& labels
) except -1 nogil:
    """Extend a label in every way that it can be."""
    cdef size_t words = labels.words, index, place
    cdef const uint64_t* masks = labels.masks.data()
    cdef uint64_t* left = labels.left.data()
    cdef const Extension* extension
    cdef Label child
    cdef uint64_t taken
    for index in range(labels.extensions.size()):
        extension = &labels.extensions[index]
        taken = 0
        for place in range(words):
            taken |= used[place] & masks[place]
        child.bound = base + extension.through
        if extension.group == label.group:
            child.bound -= graph.chunk
        if not taken and child.bound <= upper_bound:
            if extension.passes:
                child.bound += refund(labels, masks + words, used)
            if child.bound <= upper_bound:
                for place in range(words):
                    left[place] = (used[place] | masks[place]) & masks[2 * words + place]
                child.group, child.arc, child.link = extension.joins, extension.arc, label.link
                offer(graph, child, labels, labels.buckets[extension.target & labels.turns])
        masks += 3 * words


cdef inline int follow(const Graph& graph, Labels& labels, const Label& label) except -1 nogil:
    """The arcs of a label, in reference order."""
    cdef int32_t link = label.link
    cdef size_t index, count
    labels.path.clear()
    if label.arc >= 0:
        labels.path.push_back(label.arc)
    while link >= 0:
        labels.path.push_back(labels.links[link].arc)
        link = labels.links[link].previous
    count = labels.path.size()
    for index in range(count // 2):
        labels.path[index], labels.path[count - 1 - index] = labels.path[count - 1 - index], labels.path[index]


cdef inline int set_labels(
    const Graph& graph, const Relaxation& relaxation, size_t width, int64_t upper_bound, const vector[char]& critical,
    Labels& labels,
) except -1 nogil:
    """Layer by layer, extend the `width` labels with the lowest bounds."""
    cdef int32_t layer, last = graph.layers - 1
    cdef size_t index, words, turns = 2
    cdef int64_t rest, least, taken = 0
    cdef Bucket* bucket
    cdef Label* label
    cdef Label start
    give_bits(graph, relaxation, critical, labels)
    words = labels.words
    # a ring of buckets: no arc leads further than the longest one
    while turns <= <size_t>graph.longest:
        turns *= 2
    if labels.buckets.size() < turns:
        labels.buckets.resize(turns)
    for index in range(turns):
        empty(labels.buckets[index])
    labels.turns = turns - 1
    labels.links.clear()
    labels.dropped, labels.steps = INT64_MAX, 0
    start.bound, start.group, start.arc, start.link = relaxation.bound, NOBODY, NOBODY, NOBODY
    for index in range(words):
        labels.left[index] = 0
    offer(graph, start, labels, labels.buckets[last & labels.turns])
    for layer in range(last, 0, -1):
        bucket = &labels.buckets[layer & labels.turns]
        if bucket.labels.empty():
            continue
        select(width, bucket[0], labels)
        labels.bases.resize(labels.ranks.size())
        least = INT64_MAX
        for index in range(labels.ranks.size()):
            label = &bucket.labels[labels.ranks[index].index]
            rest = relaxation.to_go[layer]
            if label.group >= 0:
                rest = min(rest, relaxation.continued[label.group])
            labels.bases[index] = label.bound - rest
            least = min(least, labels.bases[index])
        find_extensions(graph, relaxation, layer, upper_bound + graph.chunk - least, labels)
        labels.steps += <int64_t>(labels.ranks.size() * labels.extensions.size())
        for index in range(labels.ranks.size()):
            label = &bucket.labels[labels.ranks[index].index]
            count_steps(taken, 10 * <int64_t>(words * labels.extensions.size()))
            extend(
                graph, upper_bound, label[0], labels.bases[index],
                bucket.used.data() + labels.ranks[index].index * words, labels,
            )
        empty(bucket[0])
    step(taken)
    bucket = &labels.buckets[0]
    labels.ended = not bucket.labels.empty()
    if labels.ended:
        labels.bound = bucket.labels[0].bound
        follow(graph, labels, bucket.labels[0])
