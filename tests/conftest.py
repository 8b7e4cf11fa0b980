"""Settings for all tests."""

from hypothesis import settings

# No timed assertions: shared machines are slow at times.
settings.register_profile("zarbiter", deadline=None)
settings.load_profile("zarbiter")
