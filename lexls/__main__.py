"""Run the command line as `python -m lexls`."""

import sys

from lexls.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
