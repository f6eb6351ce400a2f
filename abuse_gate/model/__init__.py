"""The nouns of the house: values, with no behaviour beyond their own invariants."""
