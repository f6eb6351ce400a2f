"""Asking verifiers: whatever an adapter does, the caller gets an Assessment in time."""
