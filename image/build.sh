# The image of a Cassandra node or of a server, for ./dev; uses its functions `say`, `die`, `maven` and `jdk17`, and its
# variable `build`.
#
#   build_image [cassandra|server] [--base IMAGE] [--java-home DIR] [--to IMAGE] [MAVEN OPTION ...]
#
# What is in .build/image: cassandra.tar and server.tar, and what makes the next build quick.

# In a subshell, so that the lock ends with it.
build_image() (
    what=cassandra base=scratch java_home=/opt/java to='' work=$build/image started=$SECONDS
    case ${1:-} in cassandra | server) what=$1 && shift ;; esac
    while [ $# -gt 0 ]; do
        case $1 in
        --base) base=${2:-} java_home=/opt/java/openjdk && shift 2 ;;
        --java-home) java_home=${2:-} && shift 2 ;;
        --to) to=${2:-} && shift 2 ;;
        -*) break ;;
        *) die "unknown argument '$1' -> ./dev help" ;;
        esac || die "$1 has no value -> ./dev help"
    done
    mkdir -p "$work/target/classes" "$work/none" # Jib wants directories, even with nothing for the image
    exec 7>"$work/lock"
    flock 7
    JAVA_HOME=$(jdk17)
    export JAVA_HOME
    dist=$(readlink -f "$build/dist")
    options=("-P$what" "-Dimage.base=$base" "-Dimage.java.home=$java_home" "-Dimage.dist=$dist" "-Dimage.work=$work")
    options+=("-Dimage.architecture=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')")
    rm -rf "$work/ringmaster"
    mkdir "$work/ringmaster"
    "image_of_$what" || exit
    if [ "$base" = scratch ]; then
        image_root
        options+=("-Dimage.root=$work/root")
    fi
    image_jib "$@"
)

# Executor and companion, with names that do not change, and the jars that the local pool uses, in the cache of the
# tests.
image_of_cassandra() {
    local version
    cp -pR "$dist/executor" "$work/ringmaster/"
    cp -p "$dist"/companion/companion-*.jar "$work/ringmaster/companion.jar"
    version=$(sed -n 's|.*<cassandra.version>\(.*\)</.*|\1|p' pom.xml)
    "$JAVA_HOME/bin/java" -cp "$dist/server/*" io.ringmaster.pool.local.PrepareMain --version "$version" \
        --cache "$build/test-cache" --jars-only >"$work/jars.log" || die "no jars of Cassandra $version"
    options+=("-Dimage.jars=$build/test-cache/cassandra/$version/lib")
}

image_of_server() {
    mkdir "$work/ringmaster/bin"
    cp image/ringmaster.sh "$work/ringmaster/bin/ringmaster"
    cp -pR "$dist/server" "$dist/cli" "$work/ringmaster/"
}

# Made again when the script, the JDK or this machine's programs and libraries have changed.
image_root() {
    local key
    key=$(cat image/rootfs.sh "$JAVA_HOME/release" && stat -Lc '%n %Y' /usr/bin /etc/ld.so.cache)
    [ "$(cat "$work/root.key" 2>/dev/null)" != "$key" ] || return 0
    say "making the root file system"
    rm -f "$work/root.key"
    image/rootfs.sh "$work/root.new" || die "cannot make the root file system"
    rm -rf "$work/root"
    mv "$work/root.new" "$work/root"
    printf '%s\n' "$key" >"$work/root.key"
}

# Jib finds out itself which layers have changed. Without an image to push it needs no network.
image_jib() {
    local goal=jib:buildTar tar=$work/$what.tar
    [ -z "$to" ] || { goal=jib:build && options+=("-Dimage.to=$to"); }
    maven -f image/pom.xml "$goal" -Djib.disableUpdateChecks=true -Djib.console=plain "${options[@]}" "$@" \
        >"$work/build.log" 2>&1 || {
        grep '^\[ERROR\]' "$work/build.log" | head -5 >&2
        die "the image cannot be built -> see $work/build.log"
    }
    if [ -n "$to" ]; then
        say "pushed $(image_field image), digest $(image_field imageDigest), in $((SECONDS - started)) s"
    else
        mv "$work/new.tar" "$tar"
        say "built $(image_field image) in $((SECONDS - started)) s"
        say "  $tar: $(($(stat -c %s "$tar") >> 20)) MiB, digest $(image_field imageDigest)"
    fi
}

image_field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$work/target/jib-image.json"; }
