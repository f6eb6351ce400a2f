"""What the gate costs, as ratios; nothing here passes or fails by a time."""
