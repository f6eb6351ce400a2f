"""The edge: ASGI messages in and out, and nothing of what they mean."""
