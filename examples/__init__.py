"""Complete little programs, each guarded by abuse-gate; every one says how to run it."""
