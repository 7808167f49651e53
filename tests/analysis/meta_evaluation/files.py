"""Files of METEOR's trainer."""

from __future__ import annotations


def sgml(kind, role, system, documents):
    """A file of one system."""
    lines = [f'<{kind} setid="t" srclang="any" trglang="en">']
    for document, segments in documents.items():
        lines.append(f'<doc docid="{document}" {role}="{system}">')
        lines += [f'<seg id="{number}">{text}</seg>' for number, text in segments.items()]
        lines.append("</doc>")
    return "\n".join([*lines, f"</{kind}>", ""])
