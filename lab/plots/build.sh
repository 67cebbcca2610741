# The program that draws the plots of the lab, for ./dev; uses its functions and those of web/build.sh.
#
#   build_plots      one JavaScript file in lab/plots/target/dist; none without Node, or if npm fails: the pages of the
#                    lab then have tables only
#   plots_check      types, format and tests
#
# npm installs only when the lock file has changed; the file is built only when a source has.

build_plots() {
    local inputs
    mkdir -p lab/plots/target
    web_needs 2>/dev/null && inputs=$(plots_inputs) || inputs=none
    [ "$(cat lab/plots/target/inputs 2>/dev/null)" != "$inputs" ] || return 0
    rm -rf lab/plots/target/inputs lab/plots/target/dist
    [ "$inputs" != none ] || return 0 # build_web says why
    if npm_packages lab/plots && (cd lab/plots && npm run --silent build) >lab/plots/target/build.log 2>&1; then
        printf '%s\n' "$inputs" >lab/plots/target/inputs
    else
        rm -rf lab/plots/target/dist
        say "npm cannot build lab/plots: building without plots -> see packages.log and build.log in lab/plots/target"
    fi
}

plots_inputs() {
    {
        node --version
        find lab/plots \( -name node_modules -o -name target -o -path lab/plots/test \) -prune -o -type f -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
    } | sha256sum
}

plots_check() {
    npm_packages lab/plots || die "npm cannot install the packages of lab/plots -> see lab/plots/target/packages.log"
    build_plots
    rm -rf lab/plots/target/js # a test that was renamed would run under both names
    mkdir -p "$build/reports/web" # of the job in ./dev test that this is a part of
    (cd lab/plots && npm run --silent check && npm run --silent test -- \
        --test-reporter=junit --test-reporter-destination="$build/reports/web/TEST-plots.xml" target/js/test/*.test.js)
}
