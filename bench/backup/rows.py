"""Rows that no compression makes smaller, in sstables that no compaction replaces."""

import os

from cassandra.cluster import Cluster
from cassandra.concurrent import execute_concurrent_with_args

BYTES = 64 << 10
AT_ONCE = 12


def write(address, port, mib, replicas=1, datacenters=("dc1",)):
    """Writes `mib` MiB to the table bench.photos."""
    cluster = Cluster([address], port=port)
    session = cluster.connect()
    session.default_timeout = 60
    places = ", ".join(f"'{dc}': {replicas}" for dc in datacenters)
    session.execute(f"CREATE KEYSPACE bench WITH replication = {{'class': 'NetworkTopologyStrategy', {places}}}")
    session.execute("CREATE TABLE bench.photos (id int PRIMARY KEY, photo blob) WITH compression = {'enabled': false}"
                    " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': false}")
    insert = session.prepare("INSERT INTO bench.photos (id, photo) VALUES (?, ?)")
    rows = ((i, os.urandom(BYTES)) for i in range(mib * (1 << 20) // BYTES))
    execute_concurrent_with_args(session, insert, rows, concurrency=AT_ONCE, results_generator=False)
    cluster.shutdown()
