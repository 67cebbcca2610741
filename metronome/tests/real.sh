#!/usr/bin/env bash
# Tests metronome against a real Cassandra: every protocol mode and type, TLS with and without client certificates,
# authentication, reads, paging, verify, sustain, probe, invalid input, altered and dropped tables, a server that
# restarts and one that dies during a run. Skips, with the reason, where Cassandra cannot be started.
#
# METRONOME_CONTACT_POINTS=host[,host] (and METRONOME_DATACENTERS=dc1:3,dc2:3) adds a run against that cluster, for
# example the two datacenters of `./ringmaster playground`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/cassandra.sh"
. "$here/workloads.sh"

passed=0 failed=0 skipped=0

# The last line has the format of cargo, so that ./dev counts both in the same way.
finish() {
    local verdict=ok
    [ "$failed" = 0 ] || verdict=FAILED
    echo "test result: $verdict. $passed passed; $failed failed; $skipped ignored"
    [ "$failed" = 0 ]
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

if ! why=$(cassandra_available); then
    skip "metronome on real Cassandra: $why"
    finish
    exit
fi
metronome=${METRONOME:-$here/../target/release/metronome}
[ -x "$metronome" ] || { echo "$metronome does not exist: run cargo build --release"; exit 1; }

# Uses memory if there is room: every write waits for its commit log, and a shared disk would decide the times.
[ "$(df -m --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 4000 ] 2>/dev/null && export TMPDIR=/dev/shm
dir=$(mktemp -d)
run_pid=
cleanup() {
    cassandra_stop KILL
    # timeout forwards the signal and kills after 5 s.
    local pid
    for pid in $run_pid ${beside_pids[@]+"${beside_pids[@]}"}; do
        { kill "$pid" 2>/dev/null && wait "$pid"; } || true
    done
    rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 143' INT TERM
cd "$dir"
address=127.8.1.1
export METRONOME_PASSWORD=cassandra
login=(--hosts "$address" --user cassandra)

# expect NAME EXIT_CODE PATTERN COMMAND...: runs a command and checks its exit code and its output.
expect() {
    local name=$1 code=$2 pattern=$3 got=0
    shift 3
    timeout -k 5 120 "$@" >"$dir/out" 2>&1 || got=$?
    judge "$name" "$code" "$pattern" "$got"
}

# judge NAME EXIT_CODE PATTERN GOT: checks the exit code GOT of a command and its output in the file out.
judge() {
    if [ "$4" = "$2" ] && grep -Eq "$3" "$dir/out"; then
        passed=$((passed + 1))
        echo "ok      $1"
    else
        failed=$((failed + 1))
        echo "FAILED  $1: exit code $4, expected $2 and output matching: $3"
        tail -25 "$dir/out" | sed 's/^/        /'
    fi
}

# start COMMAND...: starts a command in the background and waits for its first line of output; `ended` checks it.
start() {
    : >"$dir/started"
    timeout -k 5 120 "$@" >"$dir/started" 2>&1 &
    run_pid=$!
    for _ in $(seq 600); do
        [ ! -s "$dir/started" ] || return 0
        sleep 0.1
    done
}

# ended NAME EXIT_CODE PATTERN: waits for the started command and checks it.
ended() {
    local got=0
    wait "$run_pid" || got=$?
    run_pid=
    cp "$dir/started" "$dir/out"
    judge "$@" "$got"
}

# await_answers: waits for a second with answers, after one without, of the started run.
await_answers() {
    for _ in $(seq 200); do
        ! awk '/^ *[0-9]+s /{ if ($2 == 0) down = 1; else if (down) up = 1 } END { exit !up }' "$dir/started" ||
            return 0
        sleep 0.1
    done
}

# beside NAME EXIT_CODE PATTERN COMMAND...: as `expect`, at the same time as the other commands up to `joined`. These
# share no file and, if one of them changes tables, no keyspace.
beside_pids=() beside_names=() beside_codes=() beside_patterns=()
beside() {
    beside_names+=("$1") beside_codes+=("$2") beside_patterns+=("$3")
    shift 3
    timeout -k 5 120 "$@" >"$dir/out.${#beside_pids[@]}" 2>&1 &
    beside_pids+=($!)
}

# joined: waits for the commands of `beside` and checks them in their order.
joined() {
    local i got
    for i in "${!beside_pids[@]}"; do
        got=0
        wait "${beside_pids[$i]}" || got=$?
        mv "$dir/out.$i" "$dir/out"
        judge "${beside_names[$i]}" "${beside_codes[$i]}" "${beside_patterns[$i]}" "$got"
    done
    beside_pids=() beside_names=() beside_codes=() beside_patterns=()
}

# Periodic syncing, the default, loses up to a tenth of a second of acknowledged writes when Cassandra is killed.
export CASSANDRA_SYNC=$'commitlog_sync: group\ncommitlog_sync_group_window: 5ms'
# A loaded machine may stall for longer than the 2 s after which Cassandra times a write out.
export CASSANDRA_YAML='write_request_timeout: 9s
read_request_timeout: 9s
counter_write_request_timeout: 9s
cas_contention_timeout: 9s'
# The times of starts and logins: the estimate of a row's size from 1,000 rows instead of 100,000, and the cheapest hash
# of the password, which Cassandra computes for each connection.
export CASSANDRA_OPTIONS='-Dcassandra.memtable_row_overhead_computation_step=1000
-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4'
cassandra_start "$dir/node" "$address"
# Cassandra creates the superuser shortly after the port opens.
for _ in $(seq 60); do
    timeout 20 "$metronome" run writes "${login[@]}" --rate 10 --duration 100ms -q -o ready.json \
        >/dev/null 2>&1 && break
    sleep 0.5
done

# On a busy machine, and beside other commands, the generator may be late by more than the 100 ms that are valid by
# default. This script tests what the server is asked and answers; engine/tests/honesty.rs tests the times.
loaded=(--max-behind 5s)
tls=(--tls-ca "$dir/node/ca.pem")
modes=("--protocol 4" "--protocol 5" "--protocol 4 --lz4" "--protocol 5 --lz4" "--protocol 5 ${tls[*]}"
    "--protocol 4 --lz4 ${tls[*]}")
for first in 0 3; do
    for i in "$first" $((first + 1)) $((first + 2)); do
        # shellcheck disable=SC2086
        beside "writes with ${modes[$i]}" 0 ' 0 failed' "$metronome" run writes "${login[@]}" ${modes[$i]} \
            "${loaded[@]}" --keyspace "metronome_$i" --rate 1000 --duration 1s -q -o "w$i.json" --seed 7
    done
    joined
    for i in "$first" $((first + 1)) $((first + 2)); do
        beside "verify finds all writes with ${modes[$i]}" 0 'no acknowledged write is lost' \
            "$metronome" verify "w$i.json" "${login[@]}" --read-consistency one
    done
    joined
done

beside "emp with half reads" 0 ' 0 failed' "$metronome" run emp "${login[@]}" "${loaded[@]}" --keyspace metronome_emp \
    --read 50% --rows 2000 --rate 500 --duration 2s -q -o emp.json
beside "locations has its own rate" 0 ' 0 failed' \
    "$metronome" run locations "${login[@]}" "${loaded[@]}" --keyspace metronome_locations --drivers 3000 \
    --riders 6000 --duration 2s -q
joined
beside "verify finds the rows of locations, which have a time to live" 0 'no acknowledged write is lost' \
    "$metronome" verify "${login[@]}" --read-consistency one
write_every_type every.yaml
# One after the other: version 5 meets the rows and counters of version 4.
for protocol in 4 5; do
    beside "every type, counters, batches, transactions in version $protocol" 0 ' 0 failed' \
        "$metronome" run -f every.yaml "${login[@]}" "${loaded[@]}" --protocol "$protocol" --rate 300 --duration 3s \
        -q -o every.json
    joined
    expect "verify finds every value in version $protocol" 0 'no acknowledged write is lost' \
        "$metronome" verify every.json "${login[@]}" --read-consistency one
done

write_paged paged.yaml
expect "results of many pages" 0 ' 0 failed' \
    "$metronome" run -f paged.yaml "${login[@]}" "${loaded[@]}" --rate 500 --duration 2s -q -o paged.json
write_change truncate.yaml 'TRUNCATE {table}'
expect "a table is truncated" 0 ' 0 failed' timeout 60 "$metronome" run -f truncate.yaml "${login[@]}" --no-schema \
    --rate 1 --duration 1s -q -o change.json
expect "verify finds that its rows are lost" 4 'rows are wrong' \
    "$metronome" verify paged.json "${login[@]}" --read-consistency one

start "$metronome" run -f paged.yaml "${login[@]}" "${loaded[@]}" --rate 500 --duration 10s -o paged.json
write_change alter.yaml 'ALTER TABLE {table} ADD IF NOT EXISTS more int'
timeout 60 "$metronome" run -f alter.yaml "${login[@]}" --no-schema --rate 1 --duration 1s -q -o change.json \
    >alter.out 2>&1 || cat alter.out
ended "statements that the server has forgotten are prepared again" 0 'prepared again'
mv out again.out
expect "no request fails because of an altered table" 0 ' 0 failed' cat again.out

start "$metronome" run -f paged.yaml "${login[@]}" "${loaded[@]}" --rate 200 --duration 10s --timeout 2s -o paged.json
write_change drop.yaml 'DROP TABLE {table}'
timeout 60 "$metronome" run -f drop.yaml "${login[@]}" --no-schema --rate 1 --duration 1s -q -o change.json \
    >drop.out 2>&1 || cat drop.out
# in the rest of the 10 s: commands that end before they send a request, and probe
sed 's/page: .*/page: { cql: "SELECT gadget FROM {table}", table: events, weight: 1 }/' paged.yaml >unknown.yaml
short=(--rate 10 --duration 1s -q)
beside "an unknown column is named" 1 'gadget' \
    "$metronome" run -f unknown.yaml "${login[@]}" "${short[@]}" --keyspace metronome_unknown -o unknown.json
METRONOME_PASSWORD=wrong beside "a wrong password is refused" 1 'credentials|password|authentication' \
    "$metronome" run writes "${login[@]}" "${short[@]}" -o wrong.json
beside "a run without user is refused" 1 'uthentication' \
    "$metronome" run writes --hosts "$address" "${short[@]}" -o nobody.json
beside "a host that is down is named" 1 '127.8.1.99' \
    "$metronome" run writes --hosts 127.8.1.99 "${short[@]}" -o down.json
beside "an unknown certificate authority is refused" 1 'UnknownIssuer' \
    "$metronome" run writes "${login[@]}" --tls-ca "$dir/node/other.pem" "${short[@]}" -o other.json
beside "probe reports every second" 0 '"succeeded":[1-9]' \
    "$metronome" probe "${login[@]}" --rate 50 --duration 2s
joined
ended "a table dropped during a run shows as errors by code" 0 '(invalid .*0x2200|server_error .*Unknown CF)'

# alone: it judges times
expect "sustain ends with a result" 0 'result: sustain.json' "$metronome" sustain writes "${login[@]}" \
    --slo 'p90<50ms' --from 500 --to 1000 --step 2s --warmup 500ms --repeats 1 --max-behind 1s

start "$metronome" run writes "${login[@]}" --rate 200 --duration 100s -o restart.json --seed 8
cassandra_stop KILL
CASSANDRA_CLIENT_AUTH=true cassandra_start "$dir/node" "$address"
await_answers
kill "$run_pid"
ended "a run reconnects to a server that restarts" 3 'connected to 127.8.1.1'
expect "verify finds the writes around a restart" 0 'no acknowledged write is lost' \
    "$metronome" verify restart.json "${login[@]}" --read-consistency one

expect "a client without a certificate is refused" 1 'ertificate' \
    "$metronome" run writes "${login[@]}" "${tls[@]}" --rate 10 --duration 1s -q
certificate=("${tls[@]}" --tls-cert "$dir/node/client.pem" --tls-key "$dir/node/client.key")
for protocol in 4 5; do
    beside "a client with a certificate can write in version $protocol" 0 ' 0 failed' \
        "$metronome" run writes "${login[@]}" "${certificate[@]}" "${loaded[@]}" --keyspace "metronome_c$protocol" \
        --protocol "$protocol" --rate 500 --duration 1s -q -o "c$protocol.json"
done
beside "a certificate without its key is refused" 2 'tls-key' \
    "$metronome" run writes "${login[@]}" "${tls[@]}" --tls-cert "$dir/node/client.pem" --rate 10 --duration 1s \
    -q -o key.json
joined
expect "a client with a certificate can verify" 0 'no acknowledged write is lost' \
    "$metronome" verify c5.json "${login[@]}" "${certificate[@]}" --read-consistency one

start "$metronome" run writes "${login[@]}" "${loaded[@]}" --rate 1000 --duration 5s -o dies.json
cassandra_stop KILL
ended "the death of a server during a run is recorded" 0 'connection_lost|no_connection'

if [ -n "${METRONOME_CONTACT_POINTS:-}" ]; then
    there=(--hosts "$METRONOME_CONTACT_POINTS")
    [ -z "${METRONOME_USER:-}" ] || there+=(--user "$METRONOME_USER")
    replication=${METRONOME_DATACENTERS:-dc1:3,dc2:3}
    expect "two datacenters: local quorum" 0 ' 0 failed' \
        "$metronome" run writes "${there[@]}" --keyspace metronome_real --replication "$replication" \
        --consistency local_quorum --rate 500 --duration 5s -q -o far.json
    expect "two datacenters: every write is at every replica" 0 'no acknowledged write is lost' \
        "$metronome" verify far.json "${there[@]}" --read-consistency all
fi
finish
