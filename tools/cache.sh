# Keeps the results of builds outside the clone, so that a fresh clone does not repeat the build of another. Sourced by
# ./dev, which defines `say`.
#
#   cached NAME KEY FOLDER BUILD...
#       Fills FOLDER with the result of the command BUILD for the inputs that KEY is the hash of: from the cache if it
#       has the entry, otherwise by running BUILD in a subshell. A successful build becomes an entry; the newest three
#       of each NAME stay. The exit code is that of BUILD, and 0 for an entry.
#       - A KEY of two parts, A-B: without the entry, BUILD starts with FOLDER as in the newest entry A-*.
#       - All files from the cache get one modification time: $cached_at (seconds since 1970), by default that of the
#         call.
#       - Clones with the same KEY build one after another, so that the second finds the entry.
#       - An entry appears by rename, and its checksum is checked on use. A cache that cannot be read or written costs a
#         message and the time of the build.
#
#   cached_cargo NAME WORKSPACE BUILD...
#       The same for target/debug of a Cargo workspace, if there is none yet; BUILD runs in WORKSPACE. Cargo compares
#       the times of sources and results, so the results get the time before the sources were hashed. Sources that
#       differ from those of a former entry are touched: Cargo compiles them, and no dependency, again.

build_cache() { printf '%s\n' "${RINGMASTER_BUILD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster/builds}"; }

# Removes every entry; a folder that also holds other files stays.
clear_build_cache() {
    local cache
    cache=$(build_cache)
    rm -rf "$cache"/*.builds && { [ ! -d "$cache" ] || rmdir --ignore-fail-on-non-empty "$cache"; }
}

cached() (
    key=$2 folder=$3 entries=$(build_cache)/$1.builds at=${cached_at:-$(date +%s.%N)}
    shift 3
    { mkdir -p "$entries" && : >>"$entries/$key.lock"; } 2>/dev/null || {
        say "$entries is not writable: building without it"
        "$@"
        exit
    }
    exec 9>>"$entries/$key.lock"
    flock -n 9 || say "waiting for the same build in another clone"
    flock -w 900 9 || {
        say "still locked after 15 minutes: $entries/$key.lock; building without it"
        "$@" 9>&-
        exit
    }
    ! cache_restore "$entries/$key" || exit 0
    case $key in
    *-*)
        similar=$(ls -dt "$entries/${key%-*}"-*/ 2>/dev/null | head -1) || true
        [ -z "$similar" ] || cache_restore "${similar%/}" || true
        ;;
    esac
    "$@" 9>&- || exit
    cache_store
    exit 0
)

# Uses `folder` and `at` of `cached`. The copy is complete before it gets its name.
cache_restore() {
    [ -e "$1" ] || return 1
    rm -rf "$folder.restored"
    if mkdir -p "$(dirname "$folder")" && cp -a --reflink=auto "$1/files" "$folder.restored" &&
        [ "$(cache_checksum "$folder.restored")" = "$(cat "$1/checksum")" ] &&
        find "$folder.restored" -exec touch -h -d "@$at" {} + && rm -rf "$folder" &&
        mv -T "$folder.restored" "$folder"; then
        touch "$1" || true
        return 0
    fi 2>/dev/null
    rm -rf "$folder.restored" "$1" 2>/dev/null || true
    say "dropped the entry $1, which is not usable"
    return 1
}

# Uses `folder`, `entries` and `key` of `cached`.
cache_store() {
    local new old
    # what a killed build left
    find "$entries" -mindepth 1 -maxdepth 1 \( -name '.new-*' -o -name '*.lock' \) -mmin +1440 -exec rm -rf {} + || true
    if ! { new=$(mktemp -d "$entries/.new-XXXXXX") && cp -a --reflink=auto "$folder" "$new/files" &&
        cache_checksum "$new/files" >"$new/checksum" && mv -T "$new" "$entries/$key"; } 2>/dev/null; then
        rm -rf "${new:-/nonexistent}" || true
        say "cannot keep this build in $entries (is the disk full?); the build itself is complete"
        return 0
    fi
    ls -dt "$entries"/*/ | tail -n +4 | while read -r old; do rm -rf "$old"; done
}

cache_checksum() (
    set -o pipefail
    cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum | sha256sum
)

cached_cargo() {
    local workspace=$2 cached_at inputs setup sources
    [ ! -d "$workspace/target/debug" ] && [ -z "${CARGO_TARGET_DIR:-}" ] || return 0
    cached_at=$(date +%s.%N)
    # The scripts in tests are no input of Cargo.
    inputs=$(cd "$workspace" && find . \( -path ./target -o -path ./tests \) -prune -o -type f -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum)
    setup=$({
        cargo -V
        rustc -vV
        env | grep -E '^(CARGO_|RUSTFLAGS=|RUSTC|CC|CXX|CFLAGS|AR=)' | LC_ALL=C sort
        cat "${CARGO_HOME:-$HOME/.cargo}"/config* 2>/dev/null
        grep -E '/Cargo\.(toml|lock)$' <<<"$inputs"
    } | sha256sum)
    sources=$(sha256sum <<<"$inputs")
    cached "$1" "${setup:0:16}-${sources:0:16}" "$workspace/target/debug" cargo_build "${@:3}" || return
    # These compile in a path of the clone that built them, which Cargo does not check.
    grep -rlZE 'env!\("(CARGO_BIN_EXE_|CARGO_MANIFEST_DIR|CARGO_TARGET_TMPDIR|OUT_DIR)' --include='*.rs' \
        --exclude-dir=target "$workspace" | xargs -0r touch || true
}

# Uses `workspace` and `inputs` of `cached_cargo`.
cargo_build() (
    cd "$workspace" || exit
    if [ -f target/debug/.inputs ]; then
        # the name follows 64 digits and two spaces
        grep -vxFf target/debug/.inputs <<<"$inputs" | cut -c67- | xargs -r -d '\n' touch || true
    fi
    "$@" || exit
    # A third of the size; only the next edit of a crate would use it.
    rm -rf target/debug/incremental
    printf '%s\n' "$inputs" >target/debug/.inputs
)
