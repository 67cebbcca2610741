"""The effect of repair and cleanup of two datacenters of three nodes on a light load."""

import time

from load import Rows, measured
from ways import Ringmaster

GOAL = 1.5


def run(out, quick):
    quiet_s, count = (2, 2_000) if quick else (30, 200_000)
    with Ringmaster(out / "home", *(["--nodes", "1"] if quick else [])) as ringmaster:
        hosts = ringmaster.hosts()
        rows = Rows(hosts, count, out)
        ringmaster.await_no_hints()
        time.sleep(quiet_s)  # compactions of the new rows must not count as "before"
        works = {"repair": ("repair", "start", "rides"),
                 "repair at a tenth": ("repair", "start", "rides", "--intensity", "0.1"),
                 "cleanup": ("cluster", "cleanup", "rides")}
        results = [measured(what, "Ringmaster", hosts,
                            lambda command=command: ringmaster.do(*command, "--yes", "--wait"), quiet_s)
                   for what, command in works.items()]
        rows.verify(hosts)
    return results, [f"{count} rows of 170 bytes with three replicas in each datacenter."]
