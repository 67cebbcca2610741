#!/usr/bin/env bash
# Runs metronome against a real Cassandra: every protocol mode, TLS, authentication, reads, paging, verify, sustain, probe,
# wrong input, and a server that dies mid-run. Skips, with the reason, where Cassandra cannot be started.
#
# With METRONOME_CONTACT_POINTS=host[,host] (and METRONOME_DATACENTERS=dc1:3,dc2:3) it also runs against that cluster,
# for example the two datacenters of `./ringmaster playground`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cassandra.sh"

if ! why=$(cassandra_available); then
    echo "skipped: $why"
    exit 0
fi
metronome=${METRONOME:-$here/../target/release/metronome}
[ -x "$metronome" ] || { echo "build it first: cargo build --release"; exit 1; }

dir=$(mktemp -d)
trap 'cassandra_stop; rm -rf "$dir"' EXIT
cd "$dir"
address=127.0.0.31
export METRONOME_PASSWORD=cassandra
login=(--hosts "$address" --user cassandra)
failures=0

# expect NAME EXIT_CODE PATTERN COMMAND...: runs a command and looks at its exit code and its output.
expect() {
    local name=$1 code=$2 pattern=$3 got=0
    shift 3
    timeout 180 "$@" >"$dir/out" 2>&1 || got=$?
    if [ "$got" = "$code" ] && grep -Eq "$pattern" "$dir/out"; then
        echo "ok      $name"
    else
        failures=$((failures + 1))
        echo "FAILED  $name: exit code $got, expected $code and output matching: $pattern"
        tail -25 "$dir/out" | sed 's/^/        /'
    fi
}

cassandra_start "$dir/node" "$address"
# The superuser is created a moment after the port opens.
for _ in $(seq 60); do
    timeout 20 "$metronome" run writes "${login[@]}" --rate 10 --duration 1s -q -o ready.json >/dev/null 2>&1 && break
    sleep 1
done

for mode in "--protocol 4" "--protocol 5" "--protocol 4 --lz4" "--protocol 5 --lz4" "--protocol 5 --tls-ca $dir/node/ca.pem" \
    "--protocol 4 --lz4 --tls-ca $dir/node/ca.pem"; do
    # shellcheck disable=SC2086
    expect "writes with $mode" 0 ' 0 failed' "$metronome" run writes "${login[@]}" $mode --rate 1000 --duration 2s -q -o w.json --seed 7
    expect "and every one of them is there" 0 'no acknowledged write is lost' "$metronome" verify w.json "${login[@]}" --read-consistency one
done

expect "half reads" 0 ' 0 failed' "$metronome" run emp "${login[@]}" --read 50% --rows 2000 --rate 500 --duration 4s -q
expect "a fleet sets its own rate" 0 ' 0 failed' "$metronome" run locations "${login[@]}" --drivers 3000 --riders 6000 --duration 3s -q
expect "and is verified with its time to live" 0 'no acknowledged write is lost' "$metronome" verify "${login[@]}" --read-consistency one

cat >paged.yaml <<'YAML'
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
expect "results of many pages" 0 ' 0 failed' "$metronome" run -f paged.yaml "${login[@]}" --rate 500 --duration 4s -q

sed 's/page: .*/page: { cql: "SELECT gadget FROM {table}", table: events, weight: 1 }/' paged.yaml >unknown.yaml
expect "an unknown column is named" 1 'gadget' "$metronome" run -f unknown.yaml "${login[@]}" --rate 10 --duration 1s -q
METRONOME_PASSWORD=wrong expect "a wrong password is refused" 1 'credentials|password|authentication' \
    "$metronome" run writes "${login[@]}" --rate 10 --duration 1s -q
expect "no password is asked for" 1 'uthentication' "$metronome" run writes --hosts "$address" --rate 10 --duration 1s -q
expect "a host that is down is named" 1 '127.0.0.99' "$metronome" run writes --hosts 127.0.0.99 --rate 10 --duration 1s -q
expect "an authority that did not sign is not trusted" 1 'certificate|InvalidCertificate|UnknownIssuer' \
    "$metronome" run writes "${login[@]}" --tls-ca /etc/ssl/certs/ca-certificates.crt --rate 10 --duration 1s -q
expect "sustain finds a rate or says that there is none" 0 'result: sustain.json' "$metronome" sustain writes "${login[@]}" \
    --slo 'p90<50ms' --from 500 --to 2000 --step 2s --warmup 1s --repeats 1 --max-behind 1s
expect "probe reports every second" 0 '"succeeded":[1-9]' "$metronome" probe "${login[@]}" --rate 50 --duration 3s

(sleep 6 && kill -9 "$cassandra_pid") &
expect "a server that dies mid-run is recorded" 0 'connection_lost|no_connection' \
    "$metronome" run writes "${login[@]}" --rate 1000 --duration 8s -q -o dies.json
cassandra_stop

if [ -n "${METRONOME_CONTACT_POINTS:-}" ]; then
    there=(--hosts "$METRONOME_CONTACT_POINTS")
    [ -z "${METRONOME_USER:-}" ] || there+=(--user "$METRONOME_USER")
    copies=${METRONOME_DATACENTERS:-dc1:3,dc2:3}
    expect "two datacenters: local quorum" 0 ' 0 failed' "$metronome" run writes "${there[@]}" --keyspace metronome_real \
        --replication "$copies" --consistency local_quorum --rate 500 --duration 5s -q -o far.json
    expect "two datacenters: every write is at every replica" 0 'no acknowledged write is lost' \
        "$metronome" verify far.json "${there[@]}" --read-consistency all
else
    echo "skipped two datacenters: METRONOME_CONTACT_POINTS is not set"
fi
[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
echo "all passed"
