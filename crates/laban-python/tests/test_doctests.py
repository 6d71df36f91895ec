"""The examples in the documentation of every function and class."""

import doctest
import inspect
from types import ModuleType

import pytest

import laban
from laban import _errors, _frames, _functions

MODULES = [laban, _errors, _frames, _functions]
FLAGS = doctest.NORMALIZE_WHITESPACE


def public() -> list[str]:
    return [name for name in laban.__all__ if callable(getattr(laban, name))]


@pytest.mark.parametrize("name", public())
def test_everything_public_has_an_example_that_runs(name: str) -> None:
    if name in ("to_arrow", "to_arrow_batches"):
        pytest.importorskip("pyarrow")
    if name == "to_pandas":
        pytest.importorskip("pandas")
    thing = getattr(laban, name)
    examples = doctest.DocTestParser().get_doctest(
        inspect.cleandoc(thing.__doc__ or ""), {}, f"laban.{name}", None, None
    )
    assert examples.examples, f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_modules_run(module: ModuleType) -> None:
    examples = doctest.DocTestParser().get_doctest(module.__doc__ or "", {}, module.__name__, None, None)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0


def test_everything_says_what_it_is() -> None:
    classes = [getattr(laban, name) for name in public() if inspect.isclass(getattr(laban, name))]
    silent = [
        f"{one.__name__}.{name}"
        for one in classes
        for name, member in vars(one).items()
        if not name.startswith("_") and (callable(member) or inspect.isdatadescriptor(member))
        if not (getattr(member, "__doc__", None) or "").strip()
    ]
    assert silent == []
