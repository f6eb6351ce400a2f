"""Verifier adapters for OpenAI, Anthropic and Azure; each imports its own SDK and no other."""
