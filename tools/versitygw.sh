# Builds versitygw, the S3 server of the tests, into .build/versitygw. Sourced by ./dev, which defines `say`, `die` and
# `build`, after tools/cache.sh.

versitygw_version=v1.8.0

build_versitygw() {
    local key=$versitygw_version folder=$build/versitygw
    [ "$(cat "$folder/.key" 2>/dev/null)" != "$key" ] || return 0
    command -v go >/dev/null || die "go not found -> install Go 1.24 or newer: https://go.dev/dl"
    cached versitygw "$key" "$folder" compile_versitygw "$key" "$folder" || die "cannot build versitygw in $folder"
}

# compile_versitygw VERSION FOLDER: the key is written last and marks a complete folder.
compile_versitygw() (
    work=$(mktemp -d) || exit
    # Build results, which nothing else would use. The modules stay in Go's own cache.
    trap 'rm -rf "$work"' EXIT
    export GOCACHE=$work/cache GOBIN=$2 GOFLAGS=-trimpath CGO_ENABLED=0
    say "building versitygw $1: about a minute"
    rm -rf "$2" && mkdir -p "$2" && go install -ldflags "-s -w" "github.com/versity/versitygw/cmd/versitygw@$1" &&
        printf '%s\n' "$1" >"$2/.key"
)
