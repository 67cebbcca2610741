# Builds the programs of the Kubernetes testbed into .build/kubernetes. Sourced by ./dev, which defines `say`, `die` and
# `build`, after tools/cache.sh.

kubernetes_sources=$root/integration/kubernetes
kubernetes_version=1.34.4
kubernetes_names="etcd kube-apiserver kube-controller-manager kube-scheduler kube-proxy kubelet kubectl"

build_kubernetes() {
    local key folder=$build/kubernetes started=$SECONDS
    command -v go >/dev/null || die "go not found -> install Go 1.24 or newer: https://go.dev/dl"
    command -v python3 >/dev/null || die "python3 not found -> apt-get install python3"
    key=$(kubernetes_key)
    [ "$(cat "$folder/.key" 2>/dev/null)" != "$key" ] || return 0
    cached kubernetes "$key" "$folder" compile_kubernetes "$key" "$folder" || die "cannot build Kubernetes in $folder"
    say "Kubernetes $kubernetes_version is in $folder ($((SECONDS - started)) s)"
}

# Without this script: a changed message shall not cost a build.
kubernetes_key() {
    (cd "$kubernetes_sources" && {
        cat image.py go/go.mod go/go.sum go/main.go go/pause/main.go
        echo $kubernetes_version $kubernetes_names
        go version
        uname -m
    } | sha256sum | cut -c1-16)
}

# compile_kubernetes KEY FOLDER: the key is written last and marks a complete folder. Bash ignores `set -e` in what
# `cached` runs, so that each step leads to the next.
compile_kubernetes() (
    work=$(mktemp -d) || exit
    # 3 GB of build results, which nothing else would use. The modules stay in Go's own cache.
    trap 'rm -rf "$work"' EXIT
    export GOCACHE=$work/cache GOFLAGS=-trimpath CGO_ENABLED=0
    component=k8s.io/component-base/version minor=${kubernetes_version#*.}
    version="-X $component.gitVersion=v$kubernetes_version -X $component.gitMajor=${kubernetes_version%%.*}"
    version="$version -X $component.gitMinor=${minor%%.*}"
    rm -rf "$2" && mkdir -p "$2" "$work/root" && cd "$kubernetes_sources/go" &&
        say "building Kubernetes $kubernetes_version: about 7 minutes on 2 idle cores, with a download of 600 MB" &&
        go build -o "$2/kubernetes" -ldflags "-s -w $version" . &&
        for name in $kubernetes_names; do ln -s kubernetes "$2/$name" || exit; done &&
        go build -o "$2/pause" -ldflags "-s -w" ./pause && cp "$2/pause" "$work/root/pause" &&
        python3 "$kubernetes_sources/image.py" "$2/pause.tar" localhost/ringmaster/pause:1 "$work/root" /pause >&2 &&
        printf '%s\n' "$1" >"$2/.key"
)
