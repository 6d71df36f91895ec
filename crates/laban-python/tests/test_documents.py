"""What docs/python.md shows is so."""

import doctest
import re
from pathlib import Path

import pytest

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
GUIDE = Path(__file__).resolve().parents[3] / "docs" / "python.md"


def blocks(text: str) -> list[tuple[int, str]]:
    """The sessions in a page, with their lines."""
    found = re.finditer(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, match.start()) + 1, match.group(1)) for match in found]


def test_the_sessions_of_the_guide_run() -> None:
    pytest.importorskip("pandas")
    names: dict[str, object] = {}
    sessions = blocks(GUIDE.read_text())
    assert len(sessions) > 5
    for line, session in sessions:
        examples = doctest.DocTestParser().get_doctest(session, names, GUIDE.name, str(GUIDE), line)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        runner.run(examples, clear_globs=False)
        names = examples.globs
        assert runner.summarize(verbose=False).failed == 0
