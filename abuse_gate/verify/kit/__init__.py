"""What adapters of providers share: prompts, strict replies, faults, one door to the network."""
