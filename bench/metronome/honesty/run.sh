#!/usr/bin/env bash
# Runs load generators at 10,000 requests a second against a server that stalls for one second.
# docs/metronome-honesty.md explains the results.
#
#   bench/metronome/honesty/run.sh [OUTPUT_DIRECTORY]
#
# Missing tools are left out:
#   LATTE=latte               latte 0.29.0 (cargo install latte-cli --version 0.29.0)
#   LATTE_SCYLLA=.../latte    ScyllaDB's fork, built from its repository
# PRIORITY=-15 (as root) raises the priority on a busy machine.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=${1:-$root/.build/honesty}
metronome=${METRONOME:-$root/metronome/target/release/metronome}
address=127.0.0.1:19142
server=
trap '[ -z "$server" ] || kill "$server"' EXIT
mkdir -p "$out"
cd "$out"

# stalled NAME COMMAND...: runs a command against a new null server that stalls from second 5 to second 6
stalled() {
    local name=$1
    shift
    echo "$name"
    nice -n "${PRIORITY:-0}" "$metronome" null-server --listen $address --stall-after 5s --stall-for 1s \
        > "$name.server.log" 2>&1 &
    server=$!
    sleep 1
    timeout 120 nice -n "${PRIORITY:-0}" "$@" > "$name.log" 2>&1 || {
        echo "$name failed with exit code $?:"
        tail -5 "$name.log"
    }
    kill "$server"
    wait "$server" 2> /dev/null || true
    server=
}

run=("$metronome" run writes --rate 10000 --duration 10s --hosts $address)
stalled metronome "${run[@]}" --hlog metronome.hlog -o metronome.json
stalled metronome-blocking "${run[@]}" --connections 16 --in-flight 1 \
    --hlog metronome-blocking.hlog -o metronome-blocking.json
latte=("$here/writes.rn" $address -q -r 10000 -d 10s -t 1 -p 128)
if command -v "${LATTE:-latte}" > /dev/null; then
    stalled latte-0.29 "${LATTE:-latte}" run "${latte[@]}" -o latte-0.29.json
    "${LATTE:-latte}" hdr latte-0.29.json -o latte-0.29.hlog
fi
if command -v "${LATTE_SCYLLA:-latte-scylla}" > /dev/null; then
    stalled latte-scylla-0.49 "${LATTE_SCYLLA:-latte-scylla}" run "${latte[@]}" --hdrfile latte-scylla-0.49.hlog
fi
"$metronome" plot metronome.json metronome-blocking.json -o metronome.html
cargo run --quiet --release --manifest-path "$root/metronome/Cargo.toml" -p report --example spread -- *.hlog
