"""What all tests share."""

from hypothesis import settings

# A slow example is no failure: time is measured by benchmarks, on a quiet machine. The rest is hypothesis' default,
# which draws the same examples every time where CI is set.
settings.register_profile("mineproof", parent=settings(), deadline=None, print_blob=True)
settings.load_profile("mineproof")
