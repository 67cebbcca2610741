#!/usr/bin/env bash
# needs.sh [BIN]: prints what the Kubernetes testbed lacks on this computer, one line each. Fails if it lacks anything.
#
# MACHINES=no  only what a testbed without machines needs

set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/lib.sh"
bin=${1:-$here/../../.build/kubernetes}
missing=0

lacks() {
    echo "$*"
    missing=1
}

# package:command
tools="openssl:openssl util-linux:setsid"
[ "$machines" = no ] ||
    tools="$tools iproute2:ip iptables:iptables dnsmasq-base:dnsmasq util-linux:nsenter util-linux:unshare containerd:containerd containerd:ctr runc:runc"
for tool in $tools; do
    command -v "${tool#*:}" >/dev/null || lacks "${tool#*:} not found -> apt-get install ${tool%:*}"
done
[ -x "$bin/kubelet" ] || lacks "no Kubernetes in $bin -> ./dev kubernetes"
[ "$machines" = yes ] || exit $missing
[ -n "$(cni_folder)" ] || lacks "no CNI plugins in $cni_folders -> apt-get install containernetworking-plugins"
if [ "$(stat -fc %T "$cgroups" 2>/dev/null)" = cgroup2fs ]; then
    lacks "only cgroup v2, and the testbed needs v1 -> boot with systemd.unified_cgroup_hierarchy=0"
fi
if [ "$(id -u)" != 0 ]; then
    lacks "not root -> run as root"
    exit 1
fi
for controller in cpu cpuacct cpuset memory pids; do
    [ -w "$cgroups/$controller/tasks" ] || lacks "no writable cgroup v1 in $cgroups/$controller -> mount it"
done
if ! why=$(unshare --mount --pid --net --uts --ipc --fork --mount-proc ip link add test0 type bridge 2>&1); then
    lacks "no namespaces or bridges (${why##*$'\n'}) -> run on a kernel that has them, in no unprivileged container"
elif ! why=$(unshare --net iptables -t nat -L 2>&1); then
    lacks "no address translation (${why##*$'\n'}) -> modprobe iptable_nat"
fi
grep -qw overlay /proc/filesystems || modprobe overlay 2>/dev/null ||
    lacks "no overlayfs in this kernel -> modprobe overlay"
exit $missing
