"""A host process without ROS: starts a control process, says its id, and watches it."""
from __future__ import annotations

import json
import sys
import time

from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.process import spawn_control
from id_controller.realtime.startup import write_startup
from id_controller.realtime.watch import Watch


def main() -> None:
    startup = json.loads(sys.argv[1])
    mailbox = Mailbox.create(n=1, terms=8, points_max=10)
    descriptor = write_startup(startup)
    process = spawn_control(*mailbox.descriptors, descriptor, main='control_child:main')
    mailbox.handed_over()
    watch = Watch(process, mailbox)
    print(process.pid, flush=True)
    while True:
        print(watch.poll(time.monotonic_ns()).name, flush=True)
        time.sleep(0.004)


if __name__ == '__main__':
    main()
