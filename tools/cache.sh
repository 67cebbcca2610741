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
#       - $cached_touch COPY, if set, runs before the copy of an entry becomes FOLDER. If it fails, the entry is
#         not used.
#       - $cached_unchanged, if set, runs after BUILD. If it fails, the build becomes no entry.
#       - An entry appears by rename, and its checksum is checked on use. A cache that cannot be read or written costs a
#         message and the time of the build.
#
#   cached_cargo NAME WORKSPACE BUILD...
#       The same for target/debug of a Cargo workspace, if there is none yet; BUILD runs in WORKSPACE. Cargo compares
#       the times of sources and results, so the results get the time before the sources were hashed. Sources that
#       differ from those of a former entry are touched: Cargo compiles them, and no dependency, again. Sources that
#       change during the build leave no entry.

# Fails, and says why, if no variable names a folder.
build_cache() {
    if [ -z "${RINGMASTER_BUILD_CACHE:-${XDG_CACHE_HOME:-${HOME:-}}}" ]; then
        say "HOME is not set: using no cache of builds -> set HOME or RINGMASTER_BUILD_CACHE" >&2
        return 1
    fi
    printf '%s\n' "${RINGMASTER_BUILD_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/ringmaster/builds}"
}

# Removes every entry; a folder that also holds other files stays.
clear_build_cache() {
    local cache
    cache=$(build_cache) || return 0
    rm -rf "$cache"/*.builds && { [ ! -d "$cache" ] || rmdir --ignore-fail-on-non-empty "$cache"; }
}

cached() (
    name=$1 key=$2 folder=$3 at=${cached_at:-$(date +%s.%N)}
    shift 3
    entries=$(build_cache) || {
        "$@"
        exit
    }
    entries=$entries/$name.builds
    # The new time keeps a lock in use from `cache_store`, which removes old ones.
    { mkdir -p "$entries" && touch "$entries/$key.lock"; } 2>/dev/null || {
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
        # Where this entry could not be copied, no other can.
        [ -z "$similar" ] || [ -e "$entries/$key" ] || cache_restore "${similar%/}" || true
        ;;
    esac
    "$@" 9>&- || exit
    if ${cached_unchanged:-true}; then
        cache_store
    else
        say "not keeping this build: its sources changed meanwhile"
    fi
    exit 0
)

# Uses `folder`, `entries` and `at` of `cached`. Removes the entry only if its copy is complete and wrong.
cache_restore() {
    local why code=0
    [ -e "$1" ] || return 1
    why=$(cache_copy "$1" "$folder.restored" 2>&1) || code=$?
    if [ "$code" = 0 ]; then
        touch "$1" 2>/dev/null || true
        return 0
    fi
    rm -rf "$folder.restored" || true
    if [ "$code" = 2 ]; then
        cache_drop "$1" || true
        say "dropped the entry $1: its checksum is wrong"
    else
        say "building without the entry $1, which cannot be used: ${why%%$'\n'*}"
    fi
    return 1
}

# cache_copy ENTRY COPY: 2 means that the checksum is wrong. The copy is complete before it becomes FOLDER.
cache_copy() {
    local sum wanted
    { rm -rf "$2" && mkdir -p "$(dirname "$folder")" && cp -a --reflink=auto "$1/files" "$2" &&
        sum=$(cache_checksum "$2") && wanted=$(cat "$1/checksum"); } || return 1
    [ "$sum" = "$wanted" ] || return 2
    { find "$2" -exec touch -h -d "@$at" {} + && ${cached_touch:-true} "$2" && rm -rf "$folder" &&
        mv -T "$2" "$folder"; } || return 1
}

# Renames the entry first, so that a kill leaves no part of it under its name.
cache_drop() {
    local old
    old=$entries/.old-$(basename "$1")-$BASHPID
    mv -T "$1" "$old" && rm -rf "$old"
} 2>/dev/null

# Uses `folder`, `entries` and `key` of `cached`.
cache_store() {
    local new old
    # what a killed build left
    find "$entries" -mindepth 1 -maxdepth 1 \( -name '.new-*' -o -name '.old-*' -o -name '*.lock' \) -mmin +1440 \
        -exec rm -rf {} + || true
    if [ -e "$entries/$key" ]; then
        say "not keeping this build: the entry $entries/$key exists already"
        return 0
    fi
    if ! { new=$(mktemp -d "$entries/.new-XXXXXX") && cp -a --reflink=auto "$folder" "$new/files" &&
        cache_checksum "$new/files" >"$new/checksum" && mv -T "$new" "$entries/$key"; } 2>/dev/null; then
        rm -rf "${new:-/nonexistent}" || true
        say "cannot keep this build in $entries (is the disk full?); the build itself is complete"
        return 0
    fi
    ls -dt "$entries"/*/ | tail -n +4 | while read -r old; do cache_drop "${old%/}" || true; done
}

cache_checksum() (
    set -o pipefail
    cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum | sha256sum
)

cached_cargo() {
    local workspace=$2 cached_at cached_touch=cargo_touch cached_unchanged=cargo_unchanged inputs setup sources
    [ ! -d "$workspace/target/debug" ] && [ -z "${CARGO_TARGET_DIR:-}" ] || return 0
    cached_at=$(date +%s.%N)
    inputs=$(cargo_inputs)
    setup=$({
        cargo -V
        rustc -vV
        env | grep -E '^(CARGO_|RUSTFLAGS=|RUSTC|CC|CXX|CFLAGS|AR=)' | LC_ALL=C sort
        cat "${CARGO_HOME:-${HOME:-}/.cargo}"/config* 2>/dev/null
        grep -E '/Cargo\.(toml|lock)$' <<<"$inputs"
    } | sha256sum)
    sources=$(sha256sum <<<"$inputs")
    cached "$1" "${setup:0:16}-${sources:0:16}" "$workspace/target/debug" cargo_build "${@:3}"
}

# The functions below use `workspace` and `inputs` of `cached_cargo`.

# The scripts in tests are no input of Cargo.
cargo_inputs() (
    cd "$workspace" && find . \( -path ./target -o -path ./tests \) -prune -o -type f -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum
)

cargo_unchanged() { [ "$(cargo_inputs)" = "$inputs" ]; }

# cargo_touch COPY: before the copy becomes target/debug. Cargo would use stale results if a kill came between.
cargo_touch() {
    local changed
    changed=$(grep -vxFf "$1/.inputs" <<<"$inputs") || [ $? = 1 ] || return
    # the name follows 64 digits and two spaces
    [ -z "$changed" ] || cut -c67- <<<"$changed" | (cd "$workspace" && xargs -r -d '\n' touch -c)
}

cargo_build() (
    cd "$workspace" || exit
    "$@" || exit
    # A third of the size; only the next edit of a crate would use it.
    rm -rf target/debug/incremental
    printf '%s\n' "$inputs" >target/debug/.inputs
)
