# Functions that run one Cassandra 5.0.9 from Maven jars, with password authentication and optional TLS.
#
#   cassandra_available          fails, and prints the reason, if Java 17, mvn, openssl or the jars are missing
#   cassandra_start DIR ADDRESS  starts Cassandra on ADDRESS:9042 and sets cassandra_pid; DIR/ca.pem is the certificate
#                                authority. Variables:
#       CASSANDRA_CLIENT_AUTH    true: TLS requires a client certificate, DIR/client.pem and DIR/client.key
#       CASSANDRA_SYNC           commitlog_sync settings of cassandra.yaml
#       CASSANDRA_YAML           further settings of cassandra.yaml
#       CASSANDRA_JARS           further class path
#       CASSANDRA_MEMTABLES      memtable limit, on the heap and off the heap each (64MiB)
#       CASSANDRA_HEAP           heap (512m)
#       CASSANDRA_GC             options of the collector
#       CASSANDRA_OPTIONS        further options of the JVM
#       CASSANDRA_TIER           highest compilation tier (1)
#       CASSANDRA_MAIN           main class
#       CASSANDRA_SEED           address of the seed, to join another node
#       CASSANDRA_TOKEN          token of the node (0)
#       cassandra_under          array: a command that starts Cassandra, for example in a control group
#   cassandra_nodetool PORT ...  runs nodetool on the node started with -Dcassandra.jmx.local.port=PORT in CASSANDRA_GC
#   cassandra_stop [SIGNAL]      sends TERM or the given signal, and KILL after 10 s

cassandra_version=5.0.9
cassandra_pid=
cassandra_under=()

cassandra_java() {
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*17*; do
        if [ -x "$home/bin/java" ] && grep -qs '^JAVA_VERSION="17[."]' "$home/release"; then
            printf '%s\n' "$home/bin/java"
            return
        fi
    done
    return 1
}

cassandra_available() {
    cassandra_java >/dev/null || { echo "no JDK 17"; return 1; }
    command -v mvn >/dev/null || { echo "no mvn"; return 1; }
    command -v openssl >/dev/null || { echo "no openssl"; return 1; }
    cassandra_classpath >/dev/null 2>&1 || {
        echo "Maven does not provide cassandra-all $cassandra_version"
        return 1
    }
}

cassandra_classpath() {
    local cache=${XDG_CACHE_HOME:-$HOME/.cache}/metronome
    local file=$cache/cassandra-$cassandra_version.classpath
    # Maven keeps the jars in its own repository; the cache holds only their list.
    if [ ! -s "$file" ] || ! tr ':' '\0' <"$file" | xargs -0 ls >/dev/null 2>&1; then
        mkdir -p "$cache"
        cat >"$cache/pom.xml" <<POM
<project><modelVersion>4.0.0</modelVersion>
<groupId>metronome</groupId><artifactId>cassandra</artifactId><version>1</version>
<dependencies><dependency><groupId>org.apache.cassandra</groupId><artifactId>cassandra-all</artifactId>
<version>$cassandra_version</version></dependency></dependencies></project>
POM
        mvn -q -f "$cache/pom.xml" dependency:build-classpath -Dmdep.outputFile="$file" >&2
    fi
    cat "$file"
}

cassandra_certificates() {
    local dir=$1 address=$2 keytool
    [ ! -e "$dir/node.p12" ] || return 0
    keytool=$(dirname "$(cassandra_java)")/keytool
    (
        cd "$dir"
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=metronome-test -days 2
        openssl req -newkey rsa:2048 -nodes -keyout node.key -out node.csr -subj /CN=node
        printf 'subjectAltName=IP:%s\nbasicConstraints=CA:FALSE\n' "$address" >node.ext
        openssl x509 -req -in node.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out node.pem -days 2 -extfile node.ext
        printf 'basicConstraints=CA:FALSE\n' >client.ext
        openssl req -newkey rsa:2048 -nodes -keyout client.key -out client.csr -subj /CN=metronome
        openssl x509 -req -in client.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out client.pem -days 2 \
            -extfile client.ext
        openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -subj /CN=other -days 2
        "$keytool" -importcert -noprompt -alias ca -file ca.pem -keystore trusted.p12 -storetype PKCS12 \
            -storepass metronome
        openssl pkcs12 -export -inkey node.key -in node.pem -out node.p12 -password pass:metronome
    ) >"$dir/openssl.log" 2>&1
}

# Sets opens: the --add-opens and --add-exports of Cassandra's own jvm17-server.options.
cassandra_opens() {
    local package
    opens=()
    for package in java.base/java.lang.module java.base/jdk.internal.loader java.base/jdk.internal.ref \
        java.base/jdk.internal.reflect java.base/jdk.internal.math java.base/jdk.internal.module \
        java.base/jdk.internal.util.jar jdk.management/com.sun.management.internal java.base/sun.nio.ch java.base/java.io \
        java.base/java.nio java.base/java.util.concurrent java.base/java.util java.base/java.util.concurrent.atomic \
        java.base/java.lang java.base/java.math java.base/java.lang.reflect java.base/java.net; do
        opens+=(--add-opens "$package=ALL-UNNAMED")
    done
    for package in java.base/jdk.internal.misc java.management.rmi/com.sun.jmx.remote.internal.rmi \
        java.rmi/sun.rmi.registry java.rmi/sun.rmi.server java.rmi/sun.rmi.transport.tcp java.sql/java.sql \
        java.base/java.lang.ref jdk.unsupported/sun.misc java.base/sun.nio.ch; do
        opens+=(--add-exports "$package=ALL-UNNAMED")
    done
}

cassandra_nodetool() {
    local port=$1 opens
    shift
    cassandra_opens
    "$(cassandra_java)" "${opens[@]}" -Dcassandra.storagedir="${TMPDIR:-/tmp}" -cp "$(cassandra_classpath)" \
        org.apache.cassandra.tools.NodeTool -h 127.0.0.1 -p "$port" "$@"
}

cassandra_start() {
    local dir=$1 address=$2 opens
    mkdir -p "$dir/data"
    cassandra_certificates "$dir" "$address"
    cat >"$dir/cassandra.yaml" <<YAML
cluster_name: metronome-test
initial_token: ${CASSANDRA_TOKEN:-0}
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters: [{seeds: "${CASSANDRA_SEED:-$address}"}]
listen_address: $address
rpc_address: $address
native_transport_port: 9042
authenticator: PasswordAuthenticator
endpoint_snitch: SimpleSnitch
${CASSANDRA_SYNC:-commitlog_sync: periodic
commitlog_sync_period: 10000ms}
data_file_directories: [$dir/data/files]
commitlog_directory: $dir/data/commitlog
saved_caches_directory: $dir/data/caches
hints_directory: $dir/data/hints
cdc_raw_directory: $dir/data/cdc
memtable_heap_space: ${CASSANDRA_MEMTABLES:-64MiB}
memtable_offheap_space: ${CASSANDRA_MEMTABLES:-64MiB}
file_cache_size: 32MiB
client_encryption_options:
  enabled: true
  optional: true
  keystore: $dir/node.p12
  keystore_password: metronome
  require_client_auth: ${CASSANDRA_CLIENT_AUTH:-false}
  truststore: $dir/trusted.p12
  truststore_password: metronome
  store_type: PKCS12
${CASSANDRA_YAML:-}
YAML
    cassandra_opens
    "${cassandra_under[@]}" "$(cassandra_java)" "${opens[@]}" -Djava.security.manager=allow \
        -Djdk.attach.allowAttachSelf=true -Dio.netty.tryReflectionSetAccessible=true \
        ${CASSANDRA_GC:--XX:+UseSerialGC} -XX:TieredStopAtLevel=${CASSANDRA_TIER:-1} -Xmx${CASSANDRA_HEAP:-512m} \
        ${CASSANDRA_OPTIONS:-} \
        -Dcassandra.config="file://$dir/cassandra.yaml" -Dcassandra.storagedir="$dir/data" \
        -Dcassandra-foreground=yes -Dcassandra.skip_wait_for_gossip_to_settle=0 -Dcassandra.ring_delay_ms=1000 \
        -Dcassandra.superuser_setup_delay_ms=0 -cp "$(cassandra_classpath)${CASSANDRA_JARS:+:$CASSANDRA_JARS}" \
        "${CASSANDRA_MAIN:-org.apache.cassandra.service.CassandraDaemon}" >"$dir/cassandra.log" 2>&1 &
    cassandra_pid=$!
    local i
    for i in $(seq 240); do
        if (exec 3<>"/dev/tcp/$address/9042") 2>/dev/null; then return; fi
        kill -0 "$cassandra_pid" 2>/dev/null || break
        sleep 0.5
    done
    echo "Cassandra did not start:" >&2
    tail -5 "$dir/cassandra.log" >&2
    return 1
}

cassandra_stop() {
    [ -n "$cassandra_pid" ] || return 0
    kill -"${1:-TERM}" "$cassandra_pid" || true
    local i
    for i in $(seq 40); do
        kill -0 "$cassandra_pid" || break
        sleep 0.25
    done
    kill -9 "$cassandra_pid" || true
    wait "$cassandra_pid" || true
    cassandra_pid=
} 2>/dev/null # drops the shell's messages about killed jobs
