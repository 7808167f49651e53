"""Memory-mapped arrays in files, for data larger than memory."""

from __future__ import annotations

from os import SEEK_END
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from numpy.lib.format import open_memmap

_BLOCK = 1 << 20
"""Bytes that are written at a time."""

Array = TypeVar("Array", bound=npt.NDArray[Any])


def write_array(numbers: Array, path: Path) -> Array:
    """Write an array to the file `path` and map it for reading.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    with path.open("wb") as file:
        header = np.lib.format.header_data_from_array_1_0(numbers)
        np.lib.format.write_array_header_1_0(file, header)
        file.write(np.ascontiguousarray(numbers).data)  # `numpy.save` would not tell why it failed
    mapped: Array = np.load(path, mmap_mode="r")
    return mapped


def zeros_on_disk(count: int, path: Path) -> npt.NDArray[np.int64]:
    """Map `count` zeros in the file `path` for reading and writing.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    zeros: npt.NDArray[np.int64] = open_memmap(path, "w+", np.int64, (count,))
    # Storing into a hole of a mapped file kills the process if the disk is full, so there must be none.
    with path.open("r+b") as file:
        file.seek(-zeros.nbytes, SEEK_END)
        for begin in range(0, zeros.nbytes, _BLOCK):
            file.write(bytes(min(_BLOCK, zeros.nbytes - begin)))
    return zeros
