"""`python -m abuse_gate.cli`, for where scripts are not on the path."""

import sys

from abuse_gate.cli.main import main

sys.exit(main())
