"""Print the figures of one module of this package: `python -m bench attention`."""

import importlib
import sys

from course_utils.stopping import stoppable

if __name__ == "__main__":
    with stoppable("Stopped."):
        importlib.import_module(f"bench.{sys.argv[1]}").main()
