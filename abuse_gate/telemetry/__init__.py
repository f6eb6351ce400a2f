"""What observers do with events. An observer's failure is counted, never raised."""
