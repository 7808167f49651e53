"""Files that are one JSON value, read as a table: arrays, dictionaries by id, COCO's captions, Karpathy's splits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from shlex import quote
from typing import Any

from attrs import frozen

from meteorlib.errors import InputMismatch, InvalidText, UnknownName
from meteorlib.inputs.byte_source import Source
from meteorlib.inputs.cells import BadCell, nested_value, plain_id
from meteorlib.inputs.columns import USUAL_NAMES, Row, Table, normalized_names, path_of
from meteorlib.inputs.table_files import DECODER, KINDS, JsonLines
from meteorlib.inputs.text_file import TEXT, TextFile

LARGEST = 1 << 30
"""Most bytes of a file, unpacked: it is held in memory as a whole."""

_HEAD = 1 << 20
_OPENED = re.compile(r"\s*(?:\[\s*[\[{\"]|\{\s*\")")
_COLUMN_NAMES = {
    *normalized_names([*USUAL_NAMES["hyp"], *USUAL_NAMES["ref"], "hypotheses", "predictions", "prediction"])
}


@frozen
class _Rows:
    """Rows as objects, what they are called in messages, and the column with their texts, if it need not be named.

    `key` is the column of ids of a dictionary. Of a `pool`, whose rows are those of a whole data set, some may be left.
    """

    rows: Sequence[Mapping[str, Any]]
    places: Callable[[int], str] = "item {}".format
    texts: str = ""
    key: str = ""
    is_pool: bool = False


@frozen(slots=False)
class Json(Table):
    """A JSON file, in memory. Its `role` decides whether an image has one row for each caption, or one for all.

    `split` is the part of Karpathy's JSON to read.
    """

    role: str
    split: str

    nested = True

    @classmethod
    def or_lines(cls, source: Source, role: str, split: str) -> Table:
        """The file as a table; as JSONL if its first line is an object and another line follows."""
        first, _, rest = source.beginning(_HEAD).partition(b"\n")
        if rest.strip():
            try:
                if isinstance(json.loads(first), dict):
                    return JsonLines(source)
            except (ValueError, RecursionError):
                pass
        return cls(source, role, split)

    @cached_property
    def _read(self) -> _Rows:
        try:
            return _rows_of(read_json(self.source), self.role, self.split, self.name)
        except BadCell as error:
            raise InvalidText(self.name, str(error)) from None

    @cached_property
    def columns(self) -> Sequence[str]:
        """The fields of all objects; errors are those of `read_json`, and shapes that are not known."""
        found: dict[str, None] = {}
        for row in self._read.rows:
            if not row.keys() <= found.keys():
                found.update(dict.fromkeys(row))
        return list(found)

    @property
    def key(self) -> str:
        """The column of a dictionary's ids."""
        return self._read.key

    @property
    def is_pool(self) -> bool:
        """Whether it has the captions of a whole data set."""
        return self._read.is_pool

    def unnamed_texts(self, role: str) -> Sequence[str]:
        """The column of texts, for the role that the file was opened for."""
        return [self._read.texts] if role == self.role and self._read.texts else []

    def rows(self, columns: Sequence[str]) -> Iterator[Row]:
        """The values of some fields; a row that lacks one of them is an `InvalidText`."""
        paths = [path_of(self, column) for column in columns]
        for number, row in enumerate(self._read.rows, 1):
            try:
                yield number, [nested_value(row, path, column) for path, column in zip(paths, columns, strict=True)]
            except BadCell as error:
                raise InvalidText(self.place(number), str(error)) from None

    def place(self, number: int) -> str:
        """File and item, image or key."""
        return f"{self.name}: {self._read.places(number)}"


def read_json(source: Source) -> Any:
    """The value; an `InvalidText` says where the file is not valid JSON, or which key is twice in an object."""
    name, size = source.name, 0
    for block in source.unpacked():
        size += len(block)
        if size > LARGEST:
            more = f"is JSON of more than {LARGEST / 1e6:,.0f} MB, which is held in memory; write it as JSONL"
            raise InputMismatch(f"{name}: {more}: jq -c '.[]'")
    file = TextFile(source, longest=LARGEST)
    file.check_line_ends()
    text = "\n".join(file.lines())
    if not text.strip():
        raise InputMismatch(f"{name}: is empty")
    try:
        return DECODER.decode(text)
    except RecursionError:
        raise InvalidText(name, "nested too deep") from None
    except json.JSONDecodeError as error:
        reason = f"not valid JSON: {error.msg} at character {error.colno} of the line"
        raise InvalidText(f"{name}:{error.lineno}", f"{reason}{_hint(name, text, error)}") from None
    except ValueError as error:
        again = re.match(r"the field ('.*'|\".*\") occurs twice", str(error))
        lines = _lines_of(text, again[1]) if again else []
        raise InvalidText(f"{name}:{lines[1]}" if len(lines) == 2 else name, str(error)) from None


def is_json(source: Source) -> bool:
    """Whether the whole of a file is one JSON array or object, which no text is."""
    if not _OPENED.match(source.beginning(_HEAD).decode(errors="replace")):
        return False
    try:
        read_json(source)
    except InvalidText as error:
        return "occurs twice" in str(error)
    return True


def _hint(name: str, text: str, error: json.JSONDecodeError) -> str:
    if not text.lstrip().startswith(("[", "{")):
        return f"; if it is text, one segment per line, name it {quote(name)}:text"
    following = text[error.pos : error.pos + 1]
    if following == "'":
        return "; Python's notation is no JSON: write the file with json.dump"
    is_next = error.msg == "Extra data" and following in {"[", "{"}
    return "; for one value after the other: jq -c . FILE > NEW.jsonl" if is_next else ""


def _lines_of(text: str, shown: str) -> list[int]:
    """The lines where a key, as Python shows it, stands."""
    key = re.escape(json.dumps(shown[1:-1], ensure_ascii=False, allow_nan=False))
    return [text.count("\n", 0, found.start()) + 1 for found in re.finditer(rf"{key}\s*:", text)]


def _rows_of(value: Any, role: str, split: str, name: str) -> _Rows:
    if isinstance(value, list):
        return _array(value, role)
    if not isinstance(value, dict):
        raise BadCell(f"expected an array or an object, got {KINDS[type(value)]}")
    images: Any = value.get("images")
    images = images if _are(dict, images) else []
    if _are(dict, value.get("annotations")):
        return _captions(value["annotations"], [image.get("id") for image in images], role)
    if images and "sentences" in images[0]:
        return _karpathy(images, split, name)
    if not value:
        raise BadCell("is an empty object")
    return _dictionary(value, role)


def _dictionary(value: dict[str, Any], role: str) -> _Rows:
    """Rows of an object by id, of columns, or of the one array of objects in it."""
    values = [*value.values()]
    lists = [key for key, entry in value.items() if _are(dict, entry)]
    of_captions = all(isinstance(entry, list) and _are_captions(entry) for entry in values)
    if (
        {"columns", "data"} <= value.keys() <= {"columns", "data", "index"}
        and _are(list, value["data"])
        and _are(str, value["columns"])
    ):  # pandas
        rows = _Rows([dict(zip(value["columns"], cells, strict=False)) for cells in value["data"]])
    elif not _COLUMN_NAMES.isdisjoint(normalized_names([*value])):
        rows = _columns(value)
    elif of_captions and not (len(value) == 1 and lists[0].isalpha()):
        captions = {key: [item["caption"] for item in items] for key, items in value.items()}
        rows = _keyed({key: {TEXT: _text(texts, role)} for key, texts in captions.items()}, TEXT)
    elif all(isinstance(entry, dict) for entry in values):
        rows = _keyed(value)
    elif len(lists) == 1:
        rows = _Rows(value[lists[0]], f"item {{}} of {lists[0]!r}".format)
    elif all(entry is None or isinstance(entry, str | list) for entry in values) and not lists:
        rows = _keyed({key: {TEXT: _text(texts, role)} for key, texts in value.items()}, TEXT)
    else:
        shown = ", ".join(f"{key[:40]!r}: {KINDS.get(type(entry), 'an object')}" for key, entry in [*value.items()][:5])
        raise BadCell(
            f"an object of a kind that is not known ({shown}{', …' if len(value) > 5 else ''}); it may be an array of "
            "objects or texts, a dictionary from ids to texts, lists of texts or objects, COCO's annotations of "
            "captions, or Karpathy's splits"
        )
    return rows


def _are_captions(items: Sequence[Any]) -> bool:
    return _are(dict, items) and all("caption" in item for item in items)


def _are(kind: type[Any], value: Any) -> bool:
    """Whether a value is a list of some values, all of this kind."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, kind) for item in value)


def _text(value: Any, role: str) -> Any:
    """A text; lists with one hypothesis each are how some programs write hypotheses."""
    return value[0] if role != "ref" and isinstance(value, list) and len(value) == 1 else value


def _array(items: Sequence[Any], role: str) -> _Rows:
    if not items:
        raise BadCell("is an empty array")
    kind = dict if isinstance(items[0], dict) else (str, list)
    for number, item in enumerate(items, 1):
        if not isinstance(item, kind):
            expected = "an object" if kind is dict else "a text"
            raise BadCell(f"item {number}: expected {expected}, got {KINDS.get(type(item), 'an object')}")
    if kind is not dict:
        return _Rows([{TEXT: _text(item, role)} for item in items], texts=TEXT)
    if {"image_id", "caption"} <= items[0].keys():
        return _captions(items, [], role) if role == "ref" else _Rows(items, texts="caption")
    return _Rows(items)


def _captions(items: Sequence[Mapping[str, Any]], images: Sequence[Any], role: str) -> _Rows:
    """COCO's annotations: for references a row for each image, in the order of `images`; otherwise one for each."""
    ids = [plain_id(image) for image in images]
    captions: dict[str, list[Any]] = {image: [] for image in ids}
    for number, item in enumerate(items, 1):
        try:
            image, caption = (nested_value(item, [name], name) for name in ("image_id", "caption"))
            captions.setdefault(plain_id(image), []).append(caption)
        except BadCell as error:
            raise BadCell(f"annotation {number}: {error}") from None
    if role != "ref":
        return _Rows(items, "annotation {}".format, "caption")
    rows = [{"image_id": image, "caption": found} for image, found in captions.items() if found]
    return _Rows(rows, lambda number: f"image {rows[number - 1]['image_id']}", "caption", is_pool=bool(images))


def _karpathy(images: Sequence[Mapping[str, Any]], split: str, name: str) -> _Rows:
    splits = dict.fromkeys(str(image.get("split")) for image in images)
    if split and split not in splits:
        raise UnknownName(f"split of {name}", split, splits)
    if not split and len(splits) > 1:
        raise InputMismatch(f"{name}: has the splits {', '.join(splits)}; add --split {'|'.join(splits)}")
    rows = []
    for number, image in enumerate(images, 1):
        if split in ("", str(image.get("split"))):
            try:
                sentences = [nested_value(sentence, ["raw"], "raw") for sentence in image["sentences"]]
            except (BadCell, KeyError, TypeError) as error:
                raise BadCell(f"image {number}: its 'sentences' have no text: {error}") from None
            ids = {"image_id": image.get("cocoid", image.get("imgid")), "image": image.get("filename")}
            rows.append({**ids, "split": image.get("split"), "sentences": sentences})
    return _Rows(rows, lambda number: f"image {rows[number - 1]['image_id']}", "sentences")


def _keyed(value: Mapping[str, Mapping[str, Any]], texts: str = "") -> _Rows:
    """A dictionary by id; the column of ids is called ``key`` if the objects have an ``id`` of their own."""
    column = "key" if any("id" in row for row in value.values()) else "id"
    keys = [*value]
    rows = [{column: key, **row} for key, row in value.items()]
    return _Rows(rows, lambda number: f"key {keys[number - 1]!r}", texts, key="" if column == "key" else column)


def _columns(value: Mapping[str, Any]) -> _Rows:
    """A dictionary of columns, as lists or, as pandas writes them, as objects by index; or else one row."""
    columns = [*value.values()]
    if all(isinstance(column, dict) for column in columns):
        if any(column.keys() != columns[0].keys() for column in columns):
            raise BadCell(f"the columns {', '.join(value)} have different rows")
        columns = [[*column.values()] for column in columns]
    elif not all(isinstance(column, list) for column in columns):
        return _Rows([value])
    if len({len(column) for column in columns}) > 1:
        sizes = ", ".join(f"{name!r} has {len(column)}" for name, column in zip(value, columns, strict=True))
        raise BadCell(f"its columns must have the same number of rows: {sizes}")
    return _Rows([dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)], "row {}".format)
