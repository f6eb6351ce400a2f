"""`python -m abuse_gate.cli`, for where scripts are not on the path."""

import sys

from abuse_gate.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
