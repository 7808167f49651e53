"""JSON that is one value: each shape that programs write gives the rows of the same texts, and others are named."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.errors import InputMismatch, InvalidText, MeteorError, UnknownName
from meteorlib.inputs import json_file
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.columns import with_role
from meteorlib.inputs.formats import Dialect, open_table
from meteorlib.inputs.json_file import is_json


@pytest.fixture
def table(tmp_path):
    """Value or text, role, name → the table."""

    def make(value, role="ref", name="data.json", split=""):
        path = tmp_path / name
        text = value if isinstance(value, str | bytes) else json.dumps(value, ensure_ascii=False)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return open_table(str(path), Dialect(split=split), role, columns=False)

    return make


def read(table, role):
    """The columns of texts that need not be named, and the rows with all columns."""
    return [*with_role(table, role)], [list(cells) for _, cells in table.rows(table.columns)]


COCO = {
    "info": {},
    "images": [{"id": 7, "file_name": "7.jpg"}, {"id": 3}, {"id": 9}],
    "annotations": [
        {"id": 1, "image_id": 3, "caption": "a cat"},
        {"id": 2, "image_id": 7, "caption": "a dog"},
        {"id": 3, "image_id": 3, "caption": "one cat"},
    ],
}
KARPATHY = {
    "dataset": "coco",
    "images": [
        {
            "split": "test",
            "cocoid": 3,
            "imgid": 0,
            "filename": "3.jpg",
            "sentences": [{"raw": "a cat"}, {"raw": "cat"}],
        },
        {"split": "val", "cocoid": 4, "imgid": 1, "filename": "4.jpg", "sentences": [{"raw": "a dog"}]},
    ],
}
SHAPES = {
    "objects": ([{"id": 1, "mt": "a"}, {"id": 2, "mt": "b"}], "hyp", [], [[1, "a"], [2, "b"]]),
    "texts": (["a", "b"], "hyp", ["text"], [["a"], ["b"]]),
    "lists of texts": ([["a", "b"], ["c"]], "ref", ["text"], [[["a", "b"]], [["c"]]]),
    "lists of one hypothesis": ([["a"], ["b"]], "hyp", ["text"], [["a"], ["b"]]),
    "texts by id": ({"x": "a", "y": "b"}, "hyp", ["text"], [["x", "a"], ["y", "b"]]),
    "lists by id": ({"x": ["a", "b"], "y": ["c"]}, "ref", ["text"], [["x", ["a", "b"]], ["y", ["c"]]]),
    "objects by id": ({"x": {"mt": "a"}, "y": {"mt": "b"}}, "hyp", [], [["x", "a"], ["y", "b"]]),
    "objects with ids by id": ({"x": {"id": 1, "mt": "a"}}, "hyp", [], [["x", 1, "a"]]),
    "pycocoevalcap": ({"3": [{"caption": "a"}, {"caption": "b"}]}, "ref", ["text"], [["3", ["a", "b"]]]),
    "COCO's results": (
        [{"image_id": 3, "caption": "a"}, {"image_id": 7, "caption": "b"}], "hyp", ["caption"], [[3, "a"], [7, "b"]],
    ),
    "COCO's annotations": (COCO, "ref", ["caption"], [["7", ["a dog"]], ["3", ["a cat", "one cat"]]]),
    "annotations alone": (COCO["annotations"], "ref", ["caption"], [["3", ["a cat", "one cat"]], ["7", ["a dog"]]]),
    "annotations as hypotheses": (
        {"annotations": COCO["annotations"][:2]}, "hyp", ["caption"], [[1, 3, "a cat"], [2, 7, "a dog"]],
    ),
    "Karpathy's, one split": (
        {"images": KARPATHY["images"][:1]}, "ref", ["sentences"], [[3, "3.jpg", "test", ["a cat", "cat"]]],
    ),
    "columns": ({"predictions": ["a", "b"], "references": [["c"], ["d"]]}, "hyp", [], [["a", ["c"]], ["b", ["d"]]]),
    "columns of pandas": ({"mt": {"0": "a", "1": "b"}, "ref": {"0": "c", "1": "d"}}, "hyp", [], [["a", "c"], ["b", "d"]]),  # noqa: E501
    "split of pandas": ({"columns": ["mt", "ref"], "index": [0], "data": [["a", "b"]]}, "hyp", [], [["a", "b"]]),
    "one row": ({"hyp": "a", "refs": ["b", "c"]}, "hyp", [], [["a", ["b", "c"]]]),
    "objects in an object": ({"model": "x", "data": [{"mt": "a"}]}, "hyp", [], [["a"]]),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("indent", [None, 1])
def test_shapes(table, name, indent):
    """Every shape is rows, in one line or many; texts without a name of their own need none."""
    value, role, texts, rows = SHAPES[name]
    assert read(table(json.dumps(value, indent=indent), role), role) == (texts, rows)


def test_texts_have_the_role_of_the_file(table):
    """A file of hypotheses is not also its own references."""
    assert [*with_role(table(["a"], "hyp"), "ref")] == []


def test_lines_of_objects_are_jsonl(table):
    """A .json file of lines is read as JSONL, packed or not; also with any texts in it."""
    lines = b'{"hyp": "a"}\n{"hyp": "b"}\n'
    for content, name in ((lines, "data.json"), (gzip.compress(lines), "data.json.gz")):
        assert read(table(content, "hyp", name), "hyp") == ([], [["a"], ["b"]])


def test_splits(table):
    """A split of Karpathy's JSON is read if it is named; several are never mixed."""
    assert read(table(KARPATHY, split="val"), "ref")[1] == [[4, "4.jpg", "val", ["a dog"]]]
    with pytest.raises(InputMismatch, match=r"has the splits test, val; add --split test\|val"):
        read(table(KARPATHY), "ref")
    with pytest.raises(UnknownName, match=r"'tset' \(did you mean 'test'\?\)"):
        read(table(KARPATHY, split="tset"), "ref")


MISTAKES = {
    "empty": ("", ": is empty"),
    "empty array": ("[]", ": is an empty array"),
    "empty object": ("{}", ": is an empty object"),
    "number": ("3", ": expected an array or an object, got a number"),
    "text": ("a cat\nb\n", ":1: not valid JSON: Expecting value at character 1 of the line; if it is text, one segment per line, name it data.json:text"),  # noqa: E501
    "Python": ("{'a': 'b'}", ":1: not valid JSON: Expecting property name enclosed in double quotes at character 2 of the line; Python's notation is no JSON: write the file with json.dump"),  # noqa: E501
    "comma": ('[\n{"a": "b"}\n{"c": "d"}]', ":3: not valid JSON: Expecting ',' delimiter at character 1 of the line"),
    "several values": ('{\n"a": 1}\n{\n"a": 2}', ":3: not valid JSON: Extra data at character 1 of the line; for one value after the other: jq -c . FILE > NEW.jsonl"),  # noqa: E501
    "key twice": ('{"a": "x",\n"b": "y",\n"a": "z"}', ":3: the field 'a' occurs twice in an object"),
    "field twice": ('[{"a": 1}, {"a": 1, "a": 2}]', ": the field 'a' occurs twice in an object"),
    "deep": ("[" * 100_000, ": nested too deep"),
    "mixed array": ('[{"a": 1}, "b"]', ": item 2: expected an object, got a string"),
    "array of numbers": ("[1]", ": item 1: expected a text, got a number"),
    "instances": ({"annotations": [{"image_id": 1, "bbox": []}]}, ": annotation 1: no field 'caption'; its fields: image_id, bbox"),  # noqa: E501
    "tokens alone": ({"images": [{"sentences": [{"tokens": ["a"]}]}]}, ": image 1: its 'sentences' have no text: no field 'raw'; its fields: tokens"),  # noqa: E501
    "unequal columns": ({"hyp": ["a"], "ref": ["b", "c"]}, ": its columns must have the same number of rows: 'hyp' has 1, 'ref' has 2"),  # noqa: E501
    "unequal rows": ({"hyp": {"0": "a"}, "ref": {"1": "b"}}, ": the columns hyp, ref have different rows"),
    "other": ({"a": 1, "b": {}}, ": an object of a kind that is not known ('a': a number, 'b': an object); it may be an array of objects or texts, a dictionary from ids to texts, lists of texts or objects, COCO's annotations of captions, or Karpathy's splits"),  # noqa: E501
    "UTF-16": ("[]".encode("utf-16"), ":1: is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 < data.json > data.json.new"),  # noqa: E501
    "Latin-1": (b'["\xe9"]', ":1: byte 0xE9 at offset 2 is not UTF-8; if the file is Latin-1: iconv -f WINDOWS-1252 -t UTF-8 < data.json > data.json.new"),  # noqa: E501
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(table, name):
    """The message says what is wrong, where, and what to type."""
    value, message = MISTAKES[name]
    with pytest.raises(MeteorError) as caught:
        read(table(value), "ref")
    assert re.sub(r"(?<!\S)/\S*/", "", str(caught.value)) == f"data.json{message}"


def test_places(table):
    """A row is named by its item, key or image."""
    for value, place in (([{"a": 1}], "item 1"), ({"k": ["a"]}, "key 'k'"), (COCO, "image 7")):
        made = table(value)
        assert made.place(1) == f"{made.name}: {place}"
    with pytest.raises(InvalidText, match=r"data.json: item 2: no field 'a' \(did you mean 'ab'\?\)"):
        [*table([{"a": 1}, {"ab": 2}]).rows(["a"])]


def test_largest(table, monkeypatch):
    """More than can be held is refused as it is unpacked."""
    monkeypatch.setattr(json_file, "LARGEST", 1 << 20)
    content = b'["' + b"a" * ((1 << 20) - 4) + b'"]'
    assert read(table(content, name="data.json"), "ref")
    bomb = gzip.compress(content + b" ")
    with pytest.raises(InputMismatch, match="is JSON of more than 1 MB, which is held in memory; write it as JSONL"):
        read(table(bomb, name="data.json.gz"), "ref")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(('["a", "b"]', True), ('[\n  {"a": 1}\n]\n', True), ('{"1": "x"}', True), (' [["a"]]', True)),
        *(('{"a": "x", "a": "y"}', True), ('["a"] he said', False), ("[Music]\n", False), ("[1]\n[2]\n", False)),
        *(('"quoted"', False), ("3", False), ('["a"]\n["b"]\n', False), ("", False), ("{x}\n", False)),
    ],
)
def test_what_is_json(tmp_path, text, expected):
    """Only a whole array or object is JSON; a line in brackets is text."""
    path = tmp_path / "data"
    path.write_text(text)
    assert is_json(Source.open(str(path))) is expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "hyp", "images", "annotations", "sentences", "columns", "data", "caption", "a", "1"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from(["hyp", "ref", "src"]))
def test_any_value(tmp_path_factory, value, role):
    """Any value is rows of equal length, or an error that names the file."""
    path = tmp_path_factory.mktemp("json") / "data.json"
    path.write_text(json.dumps(value))
    try:
        made = open_table(str(path), Dialect(), role, columns=False)
        for number, cells in made.rows(made.columns):
            assert len(cells) == len(made.columns)
            assert made.place(number).startswith(f"{path}: ")
    except MeteorError as error:
        assert str(path) in str(error)  # noqa: PT017 – an error is as good as rows
