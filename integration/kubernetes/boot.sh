#!/usr/bin/env bash
# Started by machine.sh, as the first process in the namespaces of a machine: boot.sh STATE/ NAME CGROUP.

set -euo pipefail
folder=$1$2
# As long as this process lives, up.sh of other testbeds leaves the control groups of this machine alone.
echo $$ >"$3/cgroup.procs" || true
hostname "$2"

# Sockets, network namespaces of pods and the state of containers are lost with the power.
mount -t tmpfs -o mode=755 tmpfs /run
# Images and volumes stay. Some of these paths are fixed in the programs.
mount --bind "$folder/var/lib" /var/lib
mount --bind "$folder/var/log" /var/log

# A kubelet changes these settings, which are those of the whole computer.
for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys \
    kernel/keys/root_maxbytes; do
    [ -e "/proc/sys/$setting" ] || continue
    cat "/proc/sys/$setting" >"$folder/sysctl/${setting//\//.}"
    mount --bind "$folder/sysctl/${setting//\//.}" "/proc/sys/$setting"
done
# Every start of a machine is a boot of its own.
cat /proc/sys/kernel/random/uuid >"$folder/sysctl/kernel.random.boot_id"
mount --bind "$folder/sysctl/kernel.random.boot_id" /proc/sys/kernel/random/boot_id
# Pods reach Services through the machine, and each other through its bridge alone.
echo 1 >/proc/sys/net/ipv4/ip_forward
for setting in all default; do echo 0 >/proc/sys/net/ipv4/conf/$setting/send_redirects; done
[ ! -e /proc/sys/net/bridge/bridge-nf-call-iptables ] || echo 0 >/proc/sys/net/bridge/bridge-nf-call-iptables
# A kubelet needs shared mounts. Last, so that the mounts above do not appear in a second place; outside of the machine
# none of them is visible.
mount --make-rshared /

touch "$folder/booted"
# Waits, and reaps the orphans of the machine.
exec "$1bin/pause" "$1" "$2"
