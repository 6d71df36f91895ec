"""Answers as tables: dictionaries, Arrow tables or pandas frames. Neither Arrow nor pandas is required."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from ._laban import Extraction, Failure, Run

if TYPE_CHECKING:
    import pandas as _pandas
    import pyarrow as _pyarrow

__all__ = ["COLUMNS", "to_arrow", "to_arrow_batches", "to_dict", "to_pandas", "to_rows"]

#: The columns of a table of answers.
COLUMNS = ("file", "id", "outcome", "choreography", "reason", "components", "nodes", "bad_loops")


def to_dict(answer: Extraction | Failure | Run, *, witnesses: bool = True) -> dict[str, Any]:
    """An answer as a dictionary, as the command writes it with `--format json`.

    >>> import laban
    >>> answer = laban.extract("p { main { q!<x>; stop } } | q { main { p?; stop } }")
    >>> laban.to_dict(answer)["choreography"]
    'main { p.x -> q; stop }'
    """
    if isinstance(answer, Extraction):
        text = answer.to_json(witnesses)
    else:
        text = answer.to_json()
    record: dict[str, Any] = json.loads(text)
    return record


def to_rows(answers: Iterable[Extraction]) -> Iterator[dict[str, Any]]:
    """A row for each answer, one by one, with the same columns.

    >>> import laban
    >>> [row["outcome"] for row in laban.to_rows(laban.extract_many(["p { main { stop } }"]))]
    ['extracted']
    """
    for answer in answers:
        record = json.loads(answer.to_json(False))
        yield {column: record.get(column) for column in COLUMNS}


def _schema() -> _pyarrow.Schema:
    import pyarrow

    return pyarrow.schema(
        [
            ("file", pyarrow.string()),
            ("id", pyarrow.string()),
            ("outcome", pyarrow.string()),
            ("choreography", pyarrow.string()),
            ("reason", pyarrow.string()),
            ("components", pyarrow.int64()),
            ("nodes", pyarrow.int64()),
            ("bad_loops", pyarrow.int64()),
        ]
    )


def to_arrow_batches(answers: Iterable[Extraction], *, size: int = 4096) -> Iterator[_pyarrow.RecordBatch]:
    """Answers as Arrow record batches, one after the other, so that memory stays bounded. Needs `pyarrow`.

    >>> import laban
    >>> [batch.num_rows for batch in laban.to_arrow_batches(laban.extract_many(["p { main { stop } }"]))]
    [1]
    """
    import pyarrow

    rows = to_rows(answers)
    while some := list(islice(rows, size)):
        yield pyarrow.RecordBatch.from_pylist(some, schema=_schema())


def to_arrow(answers: Iterable[Extraction]) -> _pyarrow.Table:
    """Answers as an Arrow table. Needs `pyarrow`.

    >>> import laban
    >>> laban.to_arrow(laban.extract_many(["p { main { stop } }"])).num_rows
    1
    """
    import pyarrow

    return pyarrow.Table.from_batches(to_arrow_batches(answers), schema=_schema())


def to_pandas(answers: Iterable[Extraction]) -> _pandas.DataFrame:
    """Answers as a pandas frame. Needs `pandas`.

    >>> import laban
    >>> laban.to_pandas(laban.extract_many(["p { main { stop } }"])).outcome.tolist()
    ['extracted']
    """
    import pandas

    return pandas.DataFrame(list(to_rows(answers)), columns=list(COLUMNS))
