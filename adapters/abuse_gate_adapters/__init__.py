"""Verifier adapters for OpenAI, Anthropic and Azure OpenAI; each imports its own SDK and no other."""
