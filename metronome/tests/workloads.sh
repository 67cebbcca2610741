# Functions that write workload files into the current directory.

# write_every_type FILE: every type, static columns, counters, vectors, both kinds of batches, a conditional write.
write_every_type() {
    cat >"$1" <<'YAML'
name: every
keyspace: metronome
types:
  phone: { country: smallint, number: text }
tables:
  things:
    columns:
      id: varint
      at: timeuuid
      owner: { type: text, static: true }
      a: ascii
      b: bigint
      c: blob
      d: boolean
      e: date
      f: { type: decimal, generate: { uniform: { min: -100, max: 100 } } }
      g: double
      h: duration
      i: float
      j: inet
      k: int
      l: smallint
      m: time
      n: timestamp
      o: tinyint
      p: uuid
      home: frozen<phone>
      work: phone
      tags: { type: set<int>, generate: { elements: { size: 5, of: { uniform: { min: -50, max: 50 } } } } }
      notes: { type: list<text>, generate: { elements: { size: { min: 0, max: 3 } } } }
      scores: { type: "map<text, decimal>", generate: { elements: { size: 3, keys: { text: { size: 12 } } } } }
      nested: frozen<map<int, frozen<list<varint>>>>
      embedding: vector<float, 8>
    primary_key: [id, at]
    partitions: 100
    clustering_rows: 40
  hits:
    columns: { id: int, total: counter }
    primary_key: [id]
    partitions: 50
  locks:
    columns: { id: bigint, holder: text }
    primary_key: [id]
    partitions: 500
statements:
  write: { insert: things, pick: sequence, weight: 4 }
  within: { insert: things, batch: { rows: 4 }, weight: 1 }
  across: { insert: things, batch: { rows: 3, kind: logged, within: row }, weight: 1 }
  hit: { update: hits, weight: 1 }
  claim: { insert: locks, if: not exists, weight: 1 }
  read: { select: things, pick: written, weight: 2 }
  page: { select: things, by: partition, page_size: 5, weight: 1 }
  total: { select: hits, weight: 1 }
YAML
}

# write_paged FILE: results of many pages.
write_paged() {
    cat >"$1" <<'YAML'
name: paged
keyspace: metronome
tables:
  events:
    columns: { device: bigint, at: bigint, note: { type: text, generate: { text: { size: 20 } } } }
    primary_key: [device, at]
    partitions: 20
    clustering_rows: 100
statements:
  write: { insert: events, pick: sequence, weight: 1 }
  page: { select: events, by: partition, weight: 1, page_size: 10, pick: uniform }
YAML
}

# write_change FILE CQL: one statement that alters the table of write_paged during a run.
write_change() {
    cat >"$1" <<YAML
name: change
keyspace: metronome
tables:
  events: { columns: { device: bigint }, primary_key: [device], partitions: 1 }
statements:
  change: { cql: "$2", table: events }
YAML
}
