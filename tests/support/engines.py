"""Both engines, to be handed in, and a mark for tests of what only the kernel does."""

import pytest

from mineproof.engine.default import default_engine
from mineproof.engine.kernel import KernelEngine
from mineproof.engine.reference_engine import ReferenceEngine

KERNEL = KernelEngine()
REFERENCE = ReferenceEngine()

needs_kernel = pytest.mark.skipif(not default_engine().plays, reason="strategies with a name are played by the kernel")
