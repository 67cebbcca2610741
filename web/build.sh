# The page, for ./dev; uses its functions `say` and `die`, and its variable `build`.
#
#   build_web        the page into web/target/dist, a resource folder of the server; without Node, or if npm fails, the
#                    server is built without it
#   web_page         ./dev web: types, lint, sizes and tests, in Chromium too
#   web_needs        whether there is a Node that is new enough, for the page and for lab/plots
#   npm_packages DIR the packages that DIR/package-lock.json names
#
# npm installs only when the lock file has changed; Vite runs only when a source has.

# Says what is missing, and fails.
web_needs() {
    local program enough='install Node 20.19 or 22.12, or newer'
    for program in node npm; do
        command -v $program >/dev/null || {
            say "$program not found: building without the page and plots -> $enough, with npm"
            return 1
        }
    done
    node -e 'const [a, b] = process.versions.node.split(".").map(Number);
        process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)' || {
        say "node $(node --version) is too old for the page and plots: building without them -> $enough"
        return 1
    }
}

build_web() {
    local inputs
    mkdir -p web/target
    web_needs && inputs=$(web_inputs) || inputs=none
    [ "$(cat web/target/inputs 2>/dev/null)" != "$inputs" ] || return 0
    # Maven would leave the former files beside the new ones, and the page of a former build where there is none now
    rm -rf web/target/inputs control/server/target/classes/web
    if [ "$inputs" = none ]; then
        rm -rf web/target/dist
        return 0
    fi
    if web_packages && (cd web && npm run --silent build) >web/target/build.log 2>&1; then
        find web/target/dist -type f -size +1k ! -name '*.gz' -exec gzip -9nkf {} +
        printf '%s\n' "$inputs" >web/target/inputs
    else
        rm -rf web/target/dist
        say "npm cannot build web: building without the page -> see web/target/packages.log and web/target/build.log"
    fi
}

web_inputs() {
    {
        node --version
        find web api \( -name node_modules -o -name target -o -path web/test -o -name schema.d.ts \) -prune -o -type f -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
    } | sha256sum
}

web_packages() { npm_packages web; }

# No package may run a program of its own at its installation.
npm_packages() {
    local lock
    lock=$(sha256sum <"$1/package-lock.json")
    mkdir -p "$1/target"
    [ ! -d "$1/node_modules" ] || [ "$(cat "$1/target/packages" 2>/dev/null)" != "$lock" ] || return 0
    rm -f "$1/target/packages"
    (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund) >"$1/target/packages.log" 2>&1 || return 1
    printf '%s\n' "$lock" >"$1/target/packages"
}

web_page() {
    case ${1:-} in
    --check) web_check ;;
    --browser) web_browser browser "${@:2}" ;;
    --story) web_browser story "${@:2}" ;;
    serve) web_serve "${@:2}" ;;
    '') web_check && compile_tests >/dev/null && web_browser browser && web_browser story ;;
    *) die "unknown option '$1' -> ./dev help" ;;
    esac
}

# What needs no browser.
web_check() {
    web_required
    (cd web && npm run --silent types && npm run --silent check && web_vitest web) && build_web && web/sizes.sh &&
        plots_check
}

# In Debian's Chromium. browser: against real servers with played nodes, which needs ./dev compile-tests. story: against
# a playground with real Cassandra.
web_browser() {
    web_required
    command -v chromium >/dev/null || die "chromium not found -> ./dev setup"
    (cd web && web_vitest "web-$1" --config vitest.browser.ts --dir "test/$1" "${@:2}")
}

web_required() {
    web_needs || die "the page needs Node"
    web_packages || die "npm cannot install the packages of web -> see web/target/packages.log"
}

# web_vitest NAME [ARGUMENT ...]: with an XML report for the counts of ./dev test.
web_vitest() {
    npx vitest run --outputFile.junit="$build/reports/$1/TEST-$1.xml" "${@:2}"
}

# Vite before a running server, such as a playground's: what is saved is seen at once.
web_serve() {
    web_required
    (cd web && exec npm run --silent serve -- "$@")
}
