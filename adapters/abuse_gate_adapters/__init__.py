"""The shelf of verifier adapters; each imports its own SDK and no other."""
