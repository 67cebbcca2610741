#!/usr/bin/env bash
# machine.sh STATE I [start]     starts what does not run of machine nI (I: 1 to 99), and waits until its node is Ready
# machine.sh STATE I stop        power loss: kills every process of the machine at once; its disks and images stay
# machine.sh STATE I cut         takes the machine, with its pods, off the network
# machine.sh STATE I join        puts it back
# machine.sh STATE I run CMD...  runs a command inside, for example: ctr -n k8s.io images ls
#
# IMAGES="A.tar B.tar"  image archives to import; those that the machine has are skipped
# LABELS=key=v,key=v    labels of the node at its first start; by default topology.kubernetes.io/zone=rackI
# TIMEOUT_S=60          how long each stage may take
#
# A machine is a set of namespaces with containerd, a kubelet and kube-proxy. STATE/pid/ has the process ids of its
# first process (nI), of nI-containerd, nI-kubelet and nI-proxy: kill one alone, and `start` brings it back.

set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/lib.sh"
use_state "${1:-}"
[[ ${2:-} =~ ^[1-9][0-9]?$ ]] || usage
number=$2 name=n$2 command=${3:-start}
folder=$state/$name ip=$network.0.$((10 + $2)) link=kt$2

# Joins all namespaces of the machine.
inside() { nsenter --all --target "$(cat "$state/pid/$name")" "$@"; }

# start_inside NAME COMMAND...: like `start`. The process is a child of nsenter; its id here differs from that inside.
start_inside() {
    local outer child
    start "$1" nsenter --all --target "$(cat "$state/pid/$name")" "${@:2}"
    outer=$(cat "$state/pid/$1")
    child=$(child_of "$outer") || fail "$1 did not start" "$1"
    echo "$child" >"$state/pid/$1"
}

child_of() {
    local child end=$((SECONDS + timeout_s))
    until child=$(cat "/proc/$1/task/$1/children" 2>/dev/null) && [ -n "$child" ]; do
        [ -e "/proc/$1" ] && [ $SECONDS -lt $end ] || return 1
        sleep 0.02
    done
    echo "${child%% *}"
}

prepare() {
    local disk
    mkdir -p "$folder"/{sysctl,run,var/lib,var/log,cni,disks}
    if [ ! -f "$folder/labels" ]; then
        for disk in 1 2 3; do
            mkdir -p "$folder/disks/$disk"
            # User 999 is cassandra in its images.
            chown 999:999 "$folder/disks/$disk"
            chmod 770 "$folder/disks/$disk"
        done
        certificate "$name" "/O=system:nodes/CN=system:node:$name" "extendedKeyUsage=clientAuth,serverAuth
subjectAltName=IP:$ip,DNS:$name"
        kubeconfig "$name"
        touch "$folder/imported"
        echo "${LABELS:-topology.kubernetes.io/zone=rack$number}" >"$folder/labels"
    fi
    write_containerd_config
    write_network_config
    write_kubelet_config
}

write_containerd_config() {
    cat >"$folder/containerd.toml" <<TOML
version = 2
disabled_plugins = [
  "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.aufs", "io.containerd.internal.v1.tracing",
]
[plugins."io.containerd.internal.v1.opt"]
  path = "/var/lib/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/ringmaster/pause:1"
  # Containers of computers without the capability CAP_SYS_RESOURCE or the hugetlb controller.
  restrict_oom_score_adj = true
  disable_hugetlb_controller = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$(cni_folder)"
    conf_dir = "$folder/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
TOML
}

write_network_config() {
    cat >"$folder/cni/10-testbed.conflist" <<JSON
{"cniVersion": "1.0.0", "name": "testbed", "plugins": [{
  "type": "bridge", "bridge": "cni0",
  "ipam": {
    "type": "host-local",
    "ranges": [[{"subnet": "$network.0.0/16", "rangeStart": "$network.$number.2", "rangeEnd": "$network.$number.254",
      "gateway": "$api"}]],
    "routes": [{"dst": "0.0.0.0/0"}, {"dst": "$services", "gw": "$ip"}]
  }
}]}
JSON
}

write_kubelet_config() {
    # A name server that refuses at once: that of the computer may be out of reach, and lookups would wait.
    echo "nameserver 127.0.0.1" >"$folder/resolv.conf"
    cat >"$folder/kubelet.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $ip
port: 10250
healthzPort: 0
readOnlyPort: 0
tlsCertFile: $state/pki/$name.crt
tlsPrivateKeyFile: $state/pki/$name.key
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $state/pki/ca.crt}}
authorization: {mode: Webhook}
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
# Each kubelet removes the control groups that it does not know below its root.
cgroupRoot: /$cgroup/$name
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
enforceNodeAllocatable: [pods]
# Full disks are common on computers that run tests, and no reason to evict pods.
evictionHard: {memory.available: "64Mi", nodefs.available: "1%", nodefs.inodesFree: "1%", imagefs.available: "1%"}
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
makeIPTablesUtilChains: false
resolvConf: $folder/resolv.conf
clusterDNS: [$api]
clusterDomain: cluster.local
volumePluginDir: /var/lib/kubelet/volumeplugins
nodeStatusUpdateFrequency: 4s
nodeLeaseDurationSeconds: 16
syncFrequency: 10s
oomScoreAdj: 0
logging: {verbosity: 1}
YAML
}

boot() {
    local outer
    # Groups from before a power loss would delay the kubelet by 3 seconds each.
    remove_cgroups "$cgroup/$name" || exit
    make_cgroups "$cgroup/$name"
    rm -f "$folder/booted"
    start "$name" unshare --mount --pid --net --uts --ipc --fork --kill-child --mount-proc \
        "$here/boot.sh" "$state/" "$name" "$cgroups/memory/$cgroup/$name"
    outer=$(cat "$state/pid/$name")
    child_of "$outer" >"$state/pid/$name" || fail "$name did not start" "$name"
    wait_for "$name: mounts" "$name" test -f "$folder/booted"
    # The kernel removes the link of a machine without power a moment after its processes.
    ip link del "$link" 2>/dev/null || true
    ip link add "$link" type veth peer name eth0 netns "$(cat "$state/pid/$name")"
    ip link set "$link" master kt0 up
    nsenter --net --target "$(cat "$state/pid/$name")" ip -batch - <<BATCH
link set lo up
link add cni0 type bridge
link set eth0 master cni0 up
addr add $ip/16 dev cni0
link set cni0 up
route add default via $api
BATCH
}

import_images() {
    local image entry
    for image in "$state/bin/pause.tar" ${IMAGES:-}; do
        entry="$(realpath "$image") $(stat -Lc '%Y %s' "$image")"
        ! grep -qxF "$entry" "$folder/imported" || continue
        inside ctr -n k8s.io images import --no-unpack "$(realpath "$image")" \
            >>"$state/log/$name-containerd.log" 2>&1 ||
            fail "cannot import the image $image" "$name-containerd"
        echo "$entry" >>"$folder/imported"
        stage "$name: imported $(basename "$image")"
    done
}

make_volumes() {
    local disk
    [ ! -f "$folder/volumes" ] || return 0
    for disk in 1 2 3; do
        cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: $name-disk$disk}
spec:
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: local
  local: {path: $folder/disks/$disk}
  nodeAffinity:
    required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [$name]}]}]}
YAML
    done | kubectl apply -f - >/dev/null
    touch "$folder/volumes"
}

# The boot id tells this start of the machine from the one before a power loss.
is_ready() {
    local status='{.status.nodeInfo.bootID} {.status.conditions[?(@.type=="Ready")].status}'
    [ "$(kubectl get node "$name" -o "jsonpath=$status")" = "$(cat "$folder/sysctl/kernel.random.boot_id") True" ]
}

start_machine() {
    local process
    for process in $control_plane; do
        alive "$process" || die "$process does not run -> $here/down.sh $state, then up.sh $state"
    done
    # containerd reads files again that change, also when they are half written.
    alive "$name" || {
        prepare
        boot
    }
    if ! alive "$name-containerd"; then
        start_inside "$name-containerd" containerd --config "$folder/containerd.toml"
        wait_for "$name: containerd up" "$name-containerd" inside ctr version
    fi
    import_images
    alive "$name-kubelet" || start_inside "$name-kubelet" "$state/bin/kubelet" --config="$folder/kubelet.yaml" \
        --kubeconfig="$state/$name.kubeconfig" --node-ip="$ip" --node-labels="$(cat "$folder/labels")"
    make_volumes
    wait_for "$name: Ready" "$control_plane $name $name-containerd $name-kubelet" is_ready
    # All packets to Services get the machine's address, so that the answers come back to it and not straight to a pod
    # that asked somebody else. Limits of connections are those of the whole computer.
    alive "$name-proxy" || start_inside "$name-proxy" "$state/bin/kube-proxy" --kubeconfig="$state/proxy.kubeconfig" \
        --hostname-override="$name" --proxy-mode=iptables --masquerade-all --conntrack-max-per-core=0 \
        --conntrack-tcp-timeout-established=0 --conntrack-tcp-timeout-close-wait=0
    wait_for "$name: Services" "$name-proxy" inside bash -c "echo >/dev/tcp/${services%.*}.1/443"
}

stop_machine() {
    # The kernel kills all processes of a pid namespace with its first one, and lets that one wait for them.
    kill_and_wait "$name"
    rm -f "$state/pid/$name-containerd" "$state/pid/$name-kubelet" "$state/pid/$name-proxy"
}

case $command in
start) start_machine ;;
stop) stop_machine ;;
cut) ip link set "$link" down ;;
join) ip link set "$link" up ;;
run) inside "${@:4}" ;;
*) usage ;;
esac
