#!/usr/bin/env bash
# Started by up.sh: names.sh STATE/. Keeps the names of all Services in STATE/services, which dnsmasq reads after a
# SIGHUP.

set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/lib.sh"
use_state "${1:-}"

write_names() {
    local name='{.metadata.name}.{.metadata.namespace}.svc.cluster.local'
    kubectl get services -A -o "jsonpath={range .items[*]}{.spec.clusterIP} $name{'\n'}{end}" >"$state/services.new"
    grep -v '^None ' "$state/services.new" >"$state/services" || true
    kill -HUP "$(cat "$state/pid/dns")"
}

# One line for each Service, and one more for each change.
watch() {
    "$state/bin/kubectl" --kubeconfig "$state/admin.kubeconfig" --cache-dir "$state/cache" \
        get services -A --watch --no-headers
}

while true; do
    watch | while read -r _; do write_names; done || true
    sleep 1
done
