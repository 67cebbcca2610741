#!/usr/bin/env bash
# Measures the requests per CPU-second of metronome, of latte and of a plain generator on the scylla driver, each on one
# core against `metronome null-server` on another, with the same records; then a million writes a second on two cores.
# bench/metronome/median.py prints the medians of several rounds.
#
#   bench/metronome/run.sh [SECONDS]
#
#   LATTE=path/to/latte              latte (cargo install latte-cli)
#   METRONOME=path DRIVER=path       programs to use instead of building them
#   RATES="200000 ..."               offered rates of metronome
#   TASKS="128 ..."                  numbers of tasks of the other generators
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
seconds=${1:-10}
latte=${LATTE:-$(command -v latte || true)}   # writes its logs to the current directory
metronome=${METRONOME:-$root/metronome/target/release/metronome}
driver=${DRIVER:-$root/metronome/target/release/driver-generator}
address=127.0.0.1:19042
dir=$(mktemp -d)
server_pid=
trap '[ -z "$server_pid" ] || kill "$server_pid" 2>/dev/null; rm -rf "$dir"' EXIT

if [ -z "${METRONOME:-}" ]; then
    (cd "$root/metronome" && nice -n 5 cargo build --release --quiet)
    cp "$root/metronome/Cargo.lock" "$here/driver-generator/Cargo.lock"
    (cd "$here/driver-generator" && CARGO_TARGET_DIR=$root/metronome/target nice -n 5 cargo build --release --quiet)
fi

# server CPUS THREADS: starts a null server.
server() {
    taskset -c "$1" "$metronome" null-server --listen "$address" --threads "$2" >"$dir/server" &
    server_pid=$!
    until grep -q listening "$dir/server"; do sleep 0.05; done
}

# measure NAME COMMAND...: runs a generator against the started server, stops the server, prints one row.
measure() {
    local name=$1 user system kib requests served
    shift
    if ! /usr/bin/time -f '%U %S %M' -o "$dir/time" timeout 180 "$@" >"$dir/out" 2>&1 && [ ! -s "$dir/time" ]; then
        tail -3 "$dir/out" >&2
    fi
    kill -INT "$server_pid"
    wait "$server_pid" || true
    server_pid=
    read -r user system kib < <(tail -1 "$dir/time")
    requests=$(awk '/ requests, /{print $1}' "$dir/server")
    served=$(awk '/ requests, /{print $3}' "$dir/server")
    awk -v n="$name" -v r="$requests" -v u="$user" -v s="$system" -v k="$kib" -v c="$served" -v d="$seconds" 'BEGIN {
        printf "| %s | %d | %.0f | %.2f | %.0f | %.2f | %.2f | %.0f |\n", n, r, r/d, u+s, r/(u+s), (u+s)/r*1e6, c/r*1e6, k/1024 }'
}

echo "$(date -u +%FT%TZ), $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)," \
    "load $(cut -d' ' -f1 /proc/loadavg), $seconds s each"
echo
echo '| generator, on one core | requests | per s | CPU-s | requests per CPU-s | CPU-s per million' \
    '| server CPU-s per million | peak MB |'
echo '|---|---|---|---|---|---|---|---|'
for tasks in ${TASKS:-64 128 256 512}; do
    server 1 1
    measure "scylla driver, $tasks tasks" taskset -c 0 "$driver" "$address" "$seconds" "$tasks"
done
if [ -n "$latte" ]; then
    for tasks in ${TASKS:-64 128 256 512}; do
        server 1 1
        env -C "$dir" "$latte" schema "$here/writes.rn" "$address" >"$dir/schema" 2>&1 || tail -3 "$dir/schema" >&2
        measure "latte, $tasks concurrent" taskset -c 0 env -C "$dir" "$latte" run "$here/writes.rn" "$address" \
            -d "${seconds}s" -t 1 -p "$tasks" -q -o "$dir/latte.json"
    done
else
    echo '| latte | not installed | | | | | | |'
fi
# offered RATE VERSION: measures metronome. The other generators use protocol version 4; version 5 adds checksums.
offered() {
    server 1 1
    measure "metronome, $1/s offered, protocol $2" taskset -c 0 "$metronome" run writes --rate "$1" \
        --duration "${seconds}s" --hosts "$address" --protocol "$2" -q -o "$dir/r.json" --max-behind 1s
    sed -n '/INVALID/p; /generator:/,$ { /result:/!p }' "$dir/out" >&2
}
for rate in ${RATES:-200000 500000 800000 1500000 2000000}; do
    offered "$rate" 4
done
offered 1500000 5
echo
echo "a million writes a second, generator and server on the same two cores:"
server 0,1 2
measure "metronome, 1000000/s, 2 threads" "$metronome" run writes --rate 1000000 --threads 2 --duration "${seconds}s" \
    --hosts "$address" --protocol 4 -q -o "$dir/r.json" --max-behind 1s
sed -n '/INVALID/p; /generator:/,$p' "$dir/out"
