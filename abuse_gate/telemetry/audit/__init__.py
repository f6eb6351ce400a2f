"""The audit trail: numbered, hash-chained, sealed records of every decision."""
