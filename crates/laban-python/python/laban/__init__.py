"""Extracts choreographies from networks of communicating processes, or shows why there are none.

>>> import laban
>>> extraction = laban.extract("p { main { q!<x>; stop } } | q { main { p?; stop } }")
>>> print(extraction.choreography)
main { p.x -> q; stop }

A network is what each process does, a choreography what all do together. `parse` and `read` make objects of texts in
any language that Laban knows, and all functions take texts as well. Networks, choreographies, failures and runs show
themselves in notebooks.
"""

from ._errors import Fault, IllFormed, Inexpressible, LabanError, Undecided, Unprojectable
from ._frames import COLUMNS, to_arrow, to_arrow_batches, to_dict, to_pandas, to_rows
from ._functions import (
    Amendment,
    Edited,
    Source,
    amend,
    check,
    convert,
    draw,
    equivalent,
    extract,
    extract_many,
    fuzz,
    generate,
    generate_many,
    networks,
    parse,
    project,
    read,
    run,
    unroll,
    verify,
)
from ._laban import (
    Certificate,
    Check,
    Choreography,
    Comparison,
    Diagnostic,
    Extraction,
    Extractions,
    Failure,
    Network,
    Place,
    Plan,
    Run,
    Verification,
    Waiting,
    __version__,
)

__all__ = [
    "COLUMNS",
    "Amendment",
    "Certificate",
    "Check",
    "Choreography",
    "Comparison",
    "Diagnostic",
    "Edited",
    "Extraction",
    "Extractions",
    "Failure",
    "Fault",
    "IllFormed",
    "Inexpressible",
    "LabanError",
    "Network",
    "Place",
    "Plan",
    "Run",
    "Source",
    "Undecided",
    "Unprojectable",
    "Verification",
    "Waiting",
    "__version__",
    "amend",
    "check",
    "convert",
    "draw",
    "equivalent",
    "extract",
    "extract_many",
    "fuzz",
    "generate",
    "generate_many",
    "networks",
    "parse",
    "project",
    "read",
    "run",
    "to_arrow",
    "to_arrow_batches",
    "to_dict",
    "to_pandas",
    "to_rows",
    "unroll",
    "verify",
]
