"""Verdicts in, decisions out. Every law here is a table; nothing here knows a clock or a wire."""
