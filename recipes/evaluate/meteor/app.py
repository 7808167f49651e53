"""Page of the metric, on which a text is scored against references."""

from __future__ import annotations

from pathlib import Path

import evaluate
import gradio

PRESETS = ("meteor-2005", "meteor-1.5-en-core", "meteor-2026-en-core", "meteor-2026-en")


def score(prediction: str, references: str, preset: str) -> tuple[float, str]:
    """Score of a text against references, a line each, and its signature."""
    metric = evaluate.load(str(Path(__file__).with_name("meteor.py")), preset)
    found = metric.compute(predictions=[prediction], references=[references.splitlines() or [""]])
    return found["meteor"], found["signature"]


page = gradio.Interface(
    score,
    [
        gradio.Textbox(label="Text", value="the cat sat on the mat"),
        gradio.Textbox(label="References, one a line", lines=3, value="on the mat sat the cat"),
        gradio.Dropdown(PRESETS, label="Variant", value=PRESETS[0]),
    ],
    [gradio.Number(label="METEOR", precision=4), gradio.Textbox(label="Signature")],
    title="METEOR",
)

if __name__ == "__main__":
    page.launch()
