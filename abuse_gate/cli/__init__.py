"""The command line `abuse-gate`: one module for each command, for people at a terminal."""
