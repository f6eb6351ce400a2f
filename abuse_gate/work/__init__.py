"""The shell's hands: threads, engine scratch, rule packs off the disk, random ids."""
