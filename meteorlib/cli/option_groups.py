"""The groups in which help lists the options of a command."""

from __future__ import annotations

GROUPS: dict[str, tuple[str, ...]] = {
    "Input": (
        "references", "runs", "inputs", "segment", "stdio", "source", "source_column", "systems", "pairs", "human",
        "segment_columns", "system", "lp_column", "lps", "several", "lower_is_better", "hyp_columns", "ref_columns",
        "ids", "labels", "word_labels", "input_format", "delimiter", "header",
    ),
    "Method": (
        "preset", "presets", "config", "configs", "unescape", "language", "matchers", "search_type", "beam_width",
        "synonyms", "paraphrases", "fits", "objective", "method", "by", "fold_count", "evaluations", "all_gains",
    ),
    "Comparison": (
        "baseline", "metrics", "mean", "paired", "n", "samples", "seed", "confidence", "require_gain",
    ),
    "Output": (
        "output", "form", "verbose", "segments", "percent", "width", "columns", "score_only", "quiet", "title", "gains",
        "statistic", "every", "html", "svg", "view", "worst", "name", "points", "force",
    ),
}  # fmt: skip
"""Names of options, as the functions of commands have them, by group."""

OTHER = "Other"
"""Group of options that are in none of `GROUPS`, such as ``--jobs`` and ``--help``."""

GROUP_OF = {option: group for group, options in GROUPS.items() for option in options}
"""The group of each option."""
