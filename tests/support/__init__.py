"""What several test folders share: brute force, random positions, checks that any counting engine must pass."""

import pytest

pytest.register_assert_rewrite("support.checks")  # so that a failing check shows the values it compared
