"""What a server loads before it answers.

Modules, the kernel and the reader's network are files. A server that has too many open files, or whose package is being
replaced, could not load them any more. The first request would also wait for them.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import numpy.fft as _fft  # noqa: F401 - NumPy loads these two when they are first used
import numpy.ma as _ma  # noqa: F401

from mineproof.base import extras
from mineproof.base.extras import ExtraMissing
from mineproof.decision.custom import strategies_json
from mineproof.engine.default import default_engine
from mineproof.errors import EngineMissing
from mineproof.screens import network, pixels
from mineproof.screens.lattice import LOOK


def warm_up() -> None:
    """Load what handlers need later. Missing extras are skipped; requests for them get an error."""
    with suppress(EngineMissing):
        default_engine()
    strategies_json()
    with suppress(ExtraMissing):
        _load_reader()


def _load_reader() -> None:
    image = extras.load("PIL.Image", pixels.INSTALL, "reading a picture")
    image.init()  # the readers of all formats
    network.log_probabilities(np.zeros((1, LOOK, LOOK, 3), np.float32))
