"""Request bytes in, Extract out: pure, total, and silent about nothing that it could not read."""
