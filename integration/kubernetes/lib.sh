# Functions that the scripts of the Kubernetes testbed share.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(basename "$0")
# The host is .0.1, machine i is .0.(10+i), and its pods are .i.2 to .i.254: one flat network without routes or NAT.
network=10.77
services=10.78.0.0/16
machines=${MACHINES:-yes}
api=$network.0.1
[ "$machines" = yes ] || api=127.0.0.1
cgroups=/sys/fs/cgroup
timeout_s=${TIMEOUT_S:-60}
control_plane="etcd apiserver controller-manager scheduler"

# Debian's folder, and that of other distributions
cni_folders="/usr/lib/cni /opt/cni/bin"

cni_folder() {
    local folder
    for folder in $cni_folders; do
        [ ! -x "$folder/bridge" ] || [ ! -x "$folder/host-local" ] || {
            echo "$folder"
            return
        }
    done
}

say() { printf '%s\n' "$program: $*" >&2; }

die() {
    say "$*"
    exit 1
}

usage() {
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# Sets `state` and `cgroup`. The machines mount over some folders, and would not find a state below those.
use_state() {
    [ -n "${1:-}" ] || usage
    state=$(realpath -m "$1")
    case $state/ in
    /run/* | /var/lib/* | /var/log/* | /var/run/* | /proc/* | /sys/*)
        die "$state: a machine has its own /run, /var/lib and /var/log -> choose a folder outside of them"
        ;;
    esac
    # Cgroups are the only names that testbeds in different network namespaces share.
    cgroup=ringmaster-kubernetes-$(sha256sum <<<"$state" | cut -c1-8)
}

# stage NAME: reports the time since the script started.
stage() { printf '%6d ms  %s\n' $((($(date +%s%N) - script_started) / 1000000)) "$*"; }
script_started=$(date +%s%N)

# alive NAME: whether the process of a pid file runs. A zombie does not, and neither does another program that has got
# the number: every process of a testbed has the state directory in its command line.
alive() {
    local pid try
    pid=$(cat "$state/pid/$1" 2>/dev/null) || return 1
    for try in 1 2 3 4 5; do
        ! grep -qaF -- "$state/" "/proc/$pid/cmdline" 2>/dev/null || return 0
        grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$pid/status" || return 1
        # A process that starts another program in its place has no command line for a moment.
        sleep 0.1
    done
    return 1
}

# kill_and_wait NAME...
kill_and_wait() {
    local name
    for name in "$@"; do
        ! alive "$name" || kill -9 "$(cat "$state/pid/$name")" 2>/dev/null || true
    done
    for name in "$@"; do
        while alive "$name"; do sleep 0.05; done
        rm -f "$state/pid/$name"
    done
}

# start NAME COMMAND...: a daemon with log/NAME.log and pid/NAME, unless it runs.
start() {
    local name=$1
    shift
    ! alive "$name" || return 0
    setsid "$@" >>"$state/log/$name.log" 2>&1 </dev/null &
    echo $! >"$state/pid/$name"
    # Until then it is a copy of this script, which may have another command line than `alive` expects.
    while kill -0 $! 2>/dev/null && ! alive "$name"; do sleep 0.02; done
}

# The state directory of the testbed in this network namespace.
bridge_owner() { ip -o link show kt0 2>/dev/null | sed -n 's/.* alias //p'; }

# wait_for WHAT "NAME..." COMMAND...: until COMMAND succeeds; fails when one of the processes has ended. COMMAND sees
# the local variables, so that none is called `name`.
wait_for() {
    local what=$1 processes=$2 process ended end=$((SECONDS + timeout_s))
    shift 2
    until "$@" >/dev/null 2>&1; do
        ended=$(for process in $processes; do alive "$process" || echo "$process"; done)
        [ -z "$ended" ] || fail "$what: ended: ${ended//$'\n'/, }" $ended
        [ $SECONDS -lt $end ] || fail "$what: not after $timeout_s s" $processes
        sleep 0.1
    done
    stage "$what"
}

# fail MESSAGE NAME...: ends the script with the last lines of the logs.
fail() {
    local name
    say "$1"
    shift
    for name in "$@"; do
        say "the end of $state/log/$name.log:"
        tail -n 8 "$state/log/$name.log" >&2 || true
    done
    say "what has started still runs -> $here/down.sh $state"
    exit 1
}

# The cache of kubectl would otherwise be in the user's home.
kubectl() {
    "$state/bin/kubectl" --kubeconfig "$state/admin.kubeconfig" --cache-dir "$state/cache" --request-timeout=5s "$@"
}

# certificate NAME SUBJECT EXTENSIONS [KEY]: pki/NAME.key and pki/NAME.crt. KEY is rsa or ec, which is made faster.
certificate() {
    local file=$state/pki/$1
    private_key "$file.key" "${4:-ec}"
    openssl req -new -key "$file.key" -subj "$2" |
        openssl x509 -req -CA "$state/pki/ca.crt" -CAkey "$state/pki/ca.key" -set_serial "0x$(openssl rand -hex 8)" \
            -days 3650 -out "$file.crt" -extfile <(printf '%s\n' "$3") 2>/dev/null
}

private_key() {
    case $2 in
    rsa) openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$1" 2>/dev/null ;;
    ec) openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" ;;
    esac
}

# kubeconfig NAME: STATE/NAME.kubeconfig with the certificate NAME.
kubeconfig() {
    cat >"$state/$1.kubeconfig" <<YAML
apiVersion: v1
kind: Config
clusters:
- name: testbed
  cluster: {server: "https://$api:6443", certificate-authority-data: $(base64 -w0 "$state/pki/ca.crt")}
users:
- name: $1
  user:
    client-certificate-data: $(base64 -w0 "$state/pki/$1.crt")
    client-key-data: $(base64 -w0 "$state/pki/$1.key")
contexts:
- name: testbed
  context: {cluster: testbed, user: $1}
current-context: testbed
YAML
    chmod 600 "$state/$1.kubeconfig"
}

# make_cgroups NAME: in every hierarchy. A new cpuset is empty, and no process could join it.
make_cgroups() {
    local controller part file path
    for controller in "$cgroups"/*/; do mkdir -p "$controller/$1"; done
    path=$cgroups/cpuset
    for part in ${1//\// }; do
        for file in cpuset.cpus cpuset.mems; do cat "$path/$file" >"$path/$part/$file"; done
        path=$path/$part
    done
}

# remove_cgroups NAME: the kernel needs a moment after the last process of a group.
remove_cgroups() {
    local try
    for try in $(seq 50); do
        find "$cgroups"/*/"$1" -depth -type d -exec rmdir {} + 2>/dev/null || true
        ls -d "$cgroups"/*/"$1" >/dev/null 2>&1 || return 0
        sleep 0.1
    done
    say "cannot remove $(ls -d "$cgroups"/*/"$1" | head -1): it still has processes"
    return 1
}
