"""Python imports this as it starts, where this folder is among those it imports from."""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from support.crash_points import arm

arm(os.environ.get("ARENA_FAULT", ""), os.environ.get("ARENA_FAULT_LOG", ""))
