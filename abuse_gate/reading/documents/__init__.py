"""PURE · a document's bytes to its texts, shown and hidden. Runs in worker processes only."""
