#!/usr/bin/env bash
# down.sh STATE: ends a testbed, also one that has started only in part. Its files stay below STATE.

set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/lib.sh"
use_state "${1:-}"

pids() { find "$state/pid" -mindepth 1 -maxdepth 1 -name "$1" -printf '%f\n' 2>/dev/null || true; }

# Machines first: with their first processes everything in them ends.
kill_and_wait $(pids 'n[0-9]' && pids 'n[0-9][0-9]')
kill_and_wait $(pids '*')
if [ "$(bridge_owner)" = "$state" ]; then
    # The kernel removes the link of a machine a moment after its processes, so that this may find one or none.
    ip -o link show master kt0 | sed -n 's/^[0-9]*: \(kt[0-9]*\)@.*/\1/p' | while read -r link; do
        ip link del "$link" 2>/dev/null || true
    done
    ip link del kt0
fi
remove_cgroups "$cgroup"
