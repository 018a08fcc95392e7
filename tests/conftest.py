"""No test of properties measures time: a busy machine may take long over any example."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
