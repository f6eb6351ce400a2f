"""Extract in, hits out; Extract and hits in, Payload out. No clock, no file, no thread."""
