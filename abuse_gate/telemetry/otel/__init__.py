"""Traces and metrics through the OpenTelemetry API. Imported only where the API is installed."""
