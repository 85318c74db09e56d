"""interrupt.py DIRECTORY COMMAND...: SIGTERM once DIRECTORY has an entry; the
command must end at once, with code 130."""

import os
import signal
import subprocess
import sys
import time

child = subprocess.Popen(sys.argv[2:], stderr=subprocess.DEVNULL)
while not os.listdir(sys.argv[1]) and child.poll() is None:
    time.sleep(0.02)
time.sleep(0.2)
child.send_signal(signal.SIGTERM)
code = child.wait(timeout=20)
if code != 130:
    sys.exit(f"expected exit code 130, found {code}")
