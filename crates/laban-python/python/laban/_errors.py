"""What goes wrong, as exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._laban import Diagnostic

__all__ = ["LabanError", "IllFormed", "Unprojectable", "Inexpressible", "Undecided", "Fault"]


class LabanError(Exception):
    """What all exceptions of Laban have in common: the message is what the command would show.

    >>> import laban
    >>> try:
    ...     laban.parse("p { main { q!<x>; stop } } | q { main { p?; stpo } }")
    ... except laban.LabanError as error:
    ...     print(error.diagnostics[0])
    <text>:1:45: error[unknown-procedure]: process `q` has no procedure `stpo`
    """

    #: What it is about, in the order of the text; may be empty.
    diagnostics: Sequence[Diagnostic]

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)

    def __reduce__(self) -> tuple[Any, ...]:
        # Diagnostics belong to a text that is not there any more when it is unpickled.
        return type(self), (str(self),)


class IllFormed(LabanError, ValueError):
    """A text has mistakes.

    >>> import laban
    >>> laban.Network("p { main { p!<x>; stop } }")
    Traceback (most recent call last):
        ...
    laban.IllFormed: error[self-communication]: process `p` sends to itself
     --> <text>:1:12
      |
    1 | p { main { p!<x>; stop } }
      |            ^ this is the process itself
      |
      = help: a process can only communicate with others; what happens inside it needs no action
    """


class Unprojectable(LabanError, ValueError):
    """A choreography has no projection: somebody must act on a decision and is not told of it.

    >>> import laban
    >>> unclear = laban.Choreography("main { if p.c then p.x -> q; stop else stop }")
    >>> try:
    ...     laban.project(unclear)
    ... except laban.Unprojectable as error:
    ...     print(error.diagnostics[0].message)
    `q` is not told what `p` decides: it must do `p?; …` if `c` is true, and `stop` if not
    """


class Inexpressible(LabanError, ValueError):
    """A language cannot say it, or there is no choreography to write.

    >>> import laban
    >>> network = laban.Network("p { main { q?; stop } } | q { main { p?; stop } }")
    >>> try:
    ...     laban.convert(network, "chor")
    ... except laban.Inexpressible as error:
    ...     print(error.diagnostics[0].message)
    `p` and `q` wait for each other: both want to receive
    """


class Undecided(LabanError):
    """There is no answer within the limits.

    >>> import laban
    >>> network = laban.generate(20, 4)
    >>> laban.extract(network, max_states=1)
    Traceback (most recent call last):
        ...
    laban.Undecided: gave up after 1 states
    """


class Fault(LabanError):
    """A fault of Laban itself, such as an answer that fails its own check. Please report it.

    >>> import laban
    >>> issubclass(laban.Fault, laban.LabanError)
    True
    """


for _class in (LabanError, IllFormed, Unprojectable, Inexpressible, Undecided, Fault):
    _class.__module__ = "laban"
