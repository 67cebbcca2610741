#!/usr/bin/env bash
# up.sh STATE [BIN]: starts what does not run of etcd, kube-apiserver, kube-controller-manager and kube-scheduler, and
# dnsmasq for the names of Services. Continues with the data of an earlier start. All files are below the folder STATE;
# BIN is what `./dev kubernetes` built.
#
# STATE/admin.kubeconfig is for clients in this network namespace. One testbed fits into a network namespace.
#
# TIMEOUT_S=60            how long each stage may take
# NODE_MONITOR_GRACE=40s  how long a machine may be silent before its node is Unknown
# MACHINES=no             only this, on 127.0.0.1, without root; the kubelets are the caller's

set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/lib.sh"
use_state "${1:-}"
bin=$(realpath "${2:-$here/../../.build/kubernetes}")
"$here/needs.sh" "$bin"
mkdir -p "$state"/{pki,log,pid}
ln -sfn "$bin" "$state/bin"

# Control groups of killed testbeds: the first process of a machine is in its group as long as the machine lives.
remove_abandoned_cgroups() {
    local old
    find "$cgroups/memory" -maxdepth 1 -name 'ringmaster-kubernetes-*' -mmin +10 | while read -r old; do
        [ -n "$(find "$old" -name cgroup.procs -exec cat {} +)" ] || remove_cgroups "$(basename "$old")" || true
    done
}

make_bridge() {
    local owner
    if ip link show kt0 >/dev/null 2>&1; then
        owner=$(bridge_owner)
        [ "$owner" = "$state" ] ||
            die "the bridge kt0 is in use by ${owner:-another program} -> $here/down.sh ${owner:-STATE}"
        return
    fi
    ip link set lo up
    ip link add kt0 type bridge
    ip link set kt0 alias "$state"
    ip addr add "$api/16" dev kt0
    ip link set kt0 up
}

make_certificates() {
    [ ! -f "$state/pki/complete" ] || return 0
    private_key "$state/pki/ca.key" ec
    openssl req -x509 -new -key "$state/pki/ca.key" -subj /CN=testbed -days 3650 -out "$state/pki/ca.crt" \
        -addext keyUsage=critical,keyCertSign,digitalSignature
    certificate apiserver /CN=kube-apiserver \
        "subjectAltName=DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:$api,IP:${services%.*}.1"
    # RSA, because fabric8 takes an EC key in PKCS#8 for an RSA key.
    certificate admin /O=system:masters/CN=admin extendedKeyUsage=clientAuth rsa
    certificate controller-manager /CN=system:kube-controller-manager extendedKeyUsage=clientAuth
    certificate scheduler /CN=system:kube-scheduler extendedKeyUsage=clientAuth
    certificate proxy /CN=system:kube-proxy extendedKeyUsage=clientAuth
    for name in admin controller-manager scheduler proxy; do kubeconfig $name; done
    private_key "$state/pki/accounts.key" ec
    openssl pkey -in "$state/pki/accounts.key" -pubout -out "$state/pki/accounts.pub"
    touch "$state/pki/complete"
    stage "certificates made"
}

start_etcd() {
    # A testbed survives no power loss of the computer, so that waiting for its disk would only slow tests down.
    start etcd "$bin/etcd" --data-dir "$state/etcd" --unsafe-no-fsync --log-level warn \
        --listen-client-urls http://127.0.0.1:23790 --advertise-client-urls http://127.0.0.1:23790 \
        --listen-peer-urls http://127.0.0.1:23800
}

start_apiserver() {
    start apiserver "$bin/kube-apiserver" --etcd-servers=http://127.0.0.1:23790 \
        --bind-address="$api" --advertise-address="$api" --secure-port=6443 --service-cluster-ip-range="$services" \
        --tls-cert-file="$state/pki/apiserver.crt" --tls-private-key-file="$state/pki/apiserver.key" \
        --client-ca-file="$state/pki/ca.crt" \
        --requestheader-client-ca-file="$state/pki/ca.crt" --requestheader-allowed-names=none \
        --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --allow-privileged=true \
        --kubelet-client-certificate="$state/pki/admin.crt" --kubelet-client-key="$state/pki/admin.key" \
        --kubelet-certificate-authority="$state/pki/ca.crt" --kubelet-preferred-address-types=InternalIP \
        --service-account-issuer=https://kubernetes.default.svc \
        --service-account-key-file="$state/pki/accounts.pub" \
        --service-account-signing-key-file="$state/pki/accounts.key" --profiling=false
}

# start_controllers NAME PROGRAM OPTION...
start_controllers() {
    local name=$1 config=$state/$1.kubeconfig
    start "$name" "$bin/$2" --kubeconfig="$config" --authentication-kubeconfig="$config" \
        --authorization-kubeconfig="$config" --bind-address=127.0.0.1 --leader-elect=false \
        --kube-api-qps=200 --kube-api-burst=400 --profiling=false "${@:3}"
}

# dnsmasq knows no Kubernetes: names.sh writes what it answers.
start_dns() {
    touch "$state/services"
    start dns dnsmasq --keep-in-foreground --conf-file=/dev/null --pid-file= --user=root --log-facility=- \
        --listen-address="$api" --bind-interfaces --no-hosts --no-resolv --local=/cluster.local/ \
        --addn-hosts="$state/services"
    start names "$here/names.sh" "$state/"
    wait_for "names of Services" "dns names" grep -q kubernetes "$state/services"
}

make_storage_class() {
    kubectl apply -f - <<'YAML'
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
reclaimPolicy: Retain
YAML
}

if [ "$machines" = yes ]; then
    remove_abandoned_cgroups
    make_bridge
fi
make_certificates
start_etcd
start_apiserver
wait_for "apiserver ready" "etcd apiserver" kubectl get --raw /readyz
start_controllers controller-manager kube-controller-manager --node-monitor-grace-period="${NODE_MONITOR_GRACE:-40s}" \
    --service-account-private-key-file="$state/pki/accounts.key" --root-ca-file="$state/pki/ca.crt" \
    --use-service-account-credentials=true --flex-volume-plugin-dir="$state/volumeplugins"
start_controllers scheduler kube-scheduler
wait_for "storage class present" "etcd apiserver" make_storage_class
wait_for "service accounts present" "$control_plane" kubectl -n default get serviceaccount default
[ "$machines" = no ] || start_dns
