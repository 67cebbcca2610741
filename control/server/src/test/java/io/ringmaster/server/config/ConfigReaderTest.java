package io.ringmaster.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.name.DatacenterName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    private static final String GOOD =
            """
            datacenter: dc1
            listen: 127.0.0.1:8080
            state_directory: state
            token_file: /home/me/token
            peers:
              - {datacenter: dc2, url: "http://127.0.0.1:8081"}
              - {datacenter: dc2, url: "http://127.0.0.1:8082"}
            zookeeper: {embedded: true}
            pool:
              local:
                dist: ../dist
                cache: cache
                machines:
                  - {name: machine-1, rack: r1, address: 127.1.1.1, cpus: 1.5, memory: 4GiB, disk: 20GiB, ports: 7000-9999}
            """;

    @TempDir
    Path folder;

    @Test
    void every_setting_is_read_and_paths_are_relative_to_the_file() throws Exception {
        ServerConfig config = read(GOOD);
        assertThat(config.datacenter()).isEqualTo(new DatacenterName("dc1"));
        assertThat(config.loopbackOnly()).isTrue();
        assertThat(config.url()).isEqualTo(URI.create("http://127.0.0.1:8080"));
        assertThat(config.stateDirectory()).isEqualTo(folder.resolve("state"));
        assertThat(config.tokenFile()).isEqualTo(Path.of("/home/me/token"));
        assertThat(config.peers())
                .containsEntry(
                        new DatacenterName("dc2"),
                        List.of(URI.create("http://127.0.0.1:8081"), URI.create("http://127.0.0.1:8082")));
        assertThat(config.zookeeper()).isNull();
        assertThat(config.pool().name()).isEqualTo("local");
    }

    @Test
    void everything_wrong_is_said_at_once_by_field() {
        String bad = GOOD.replace("datacenter: dc1", "datacenter: DC 1")
                .replace("127.0.0.1:8080", "localhost")
                .replace("state_directory: state", "state_dir: state")
                .replace("url: \"http://127.0.0.1:8081\"", "url: 127.0.0.1:8081")
                .replace("cpus: 1.5", "cpus: many")
                .replace("memory: 4GiB", "memory: 4GB")
                .replace("7000-9999", "9999-7000");
        assertThat(lines(bad))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith("datacenter: 'DC 1' must be a datacenter name"),
                        line -> assertThat(line).startsWith("listen: 'localhost' must be address:port"),
                        line -> assertThat(line).startsWith("state_directory: missing"),
                        line -> assertThat(line)
                                .startsWith("state_dir: unknown field; known are automatic_replacements, "),
                        line -> assertThat(line).startsWith("peers[0].url: '127.0.0.1:8081' must be a base URL"),
                        line -> assertThat(line)
                                .startsWith("pool.local.machines[0].cpus: 'many' must be a number of cores"),
                        line -> assertThat(line).startsWith("pool.local.machines[0].memory: '4GB' must be a size"),
                        line -> assertThat(line)
                                .startsWith("pool.local.machines[0].ports: '9999-7000' must be a range"));
    }

    private static final String HTTPS_PEERS = GOOD.replace("http://", "https://");
    private static final String TLS = HTTPS_PEERS + "tls: on\nseed_listen: 127.0.0.1:8090\n";

    @Test
    void tls_is_off_unless_it_is_switched_on() throws Exception {
        assertThat(read(GOOD).tls()).isNull();
        assertThat(read(GOOD).certificateLife()).isEqualTo(Duration.ofDays(30));
        assertThat(read("tls: off\n" + GOOD).tls()).isNull();
        ServerConfig config = read(TLS);
        assertThat(config.url()).isEqualTo(URI.create("https://127.0.0.1:8080"));
        assertThat(config.seedUrls()).containsExactly(URI.create("http://127.0.0.1:8090"));
        assertThat(config.certificateLife()).isEqualTo(Duration.ofDays(30));
        assertThat(config.tls().trustDirectory()).isEqualTo(Path.of("/home/me/trust"));
        ServerConfig more = read(TLS + "certificate_life: 1m\ntrust_directory: cas\n");
        assertThat(more.certificateLife()).isEqualTo(Duration.ofMinutes(1));
        assertThat(more.tls().trustDirectory()).isEqualTo(folder.resolve("cas"));
    }

    @Test
    void wrong_settings_of_tls_are_named() {
        assertThat(lines("tls: maybe\n" + GOOD)).singleElement().satisfies(line -> assertThat(line)
                .startsWith("tls: 'maybe' must be on or off"));
        assertThat(lines("seed_listen: 127.0.0.1:8090\n" + GOOD))
                .containsExactly("seed_listen: needs tls: on; without TLS remove it");
        assertThat(lines("certificate_life: 1d\n" + GOOD))
                .containsExactly("certificate_life: needs tls: on; without TLS remove it");
        assertThat(lines(TLS.replace("https://127.0.0.1:8082", "http://127.0.0.1:8082")))
                .containsExactly("peers[1].url: 'http://127.0.0.1:8082' must be an https URL, because tls is on");
        assertThat(lines(TLS.replace("127.0.0.1:8090", "10.0.0.1:8090")
                        + "url: http://10.0.0.1:8080\ncertificate_life: 0d\n"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith("seed_listen: '10.0.0.1:8090' must be a loopback address"),
                        line -> assertThat(line).startsWith("url: 'http://10.0.0.1:8080' must be an https URL"),
                        line -> assertThat(line).startsWith("certificate_life: '0d' must be a time"));
    }

    @Test
    void nodes_ask_for_their_seeds_at_the_url_by_https_without_a_listener_of_their_own() throws Exception {
        ServerConfig config = read(HTTPS_PEERS + "tls: on\n");
        assertThat(config.tls().seedListen()).isNull();
        assertThat(config.seedUrls()).containsExactly(URI.create("https://127.0.0.1:8080"));
    }

    @Test
    void nodes_that_reach_no_listener_or_know_no_authority_need_seed_urls_beside_tls() {
        assertThat(seedProblems("tls: on\npool: {kubernetes: {}}\n")).isEmpty();
        assertThat(seedProblems("tls: on\nseed_listen: 127.0.0.1:8090\npool: {kubernetes: {}}\n"))
                .containsExactly("seed_urls: missing; nodes of this pool cannot reach seed_listen");
        String mesos = "tls: on\npool: {mesos: {}}\n";
        assertThat(seedProblems(mesos)).singleElement().asString().startsWith("seed_urls: missing; tls is on");
        assertThat(seedProblems(mesos + "seed_urls: [\"http://10.0.0.1:8090\"]\n"))
                .isEmpty();
        assertThat(seedProblems(mesos + "seed_urls: [\"http://127.0.0.1:8080\"]\n"))
                .containsExactly("seed_urls: 'http://127.0.0.1:8080' must be an https URL, because tls is on");
    }

    private List<String> seedProblems(String more) {
        return lines(HTTPS_PEERS.substring(0, HTTPS_PEERS.indexOf("pool:")) + more).stream()
                .filter(line -> line.startsWith("seed_urls"))
                .toList();
    }

    @Test
    void how_many_nodes_may_be_replaced_at_once_without_being_asked_is_one_unless_it_says_otherwise() throws Exception {
        assertThat(read(GOOD).automaticReplacements()).isEqualTo(1);
        assertThat(read("automatic_replacements: 3\n" + GOOD).automaticReplacements())
                .isEqualTo(3);
        assertThat(lines("automatic_replacements: -1\n" + GOOD)).singleElement().satisfies(line -> assertThat(line)
                .startsWith("automatic_replacements: '-1' must be a whole number from 0 to 1000"));
    }

    @Test
    void locations_of_backups_are_in_the_state_directory_unless_it_says_otherwise() throws Exception {
        assertThat(read(GOOD).backupLocations()).isEqualTo(folder.resolve("state/locations"));
        assertThat(read("backup_locations: where\n" + GOOD).backupLocations()).isEqualTo(folder.resolve("where"));
    }

    @Test
    void zookeeper_is_either_embedded_or_elsewhere() throws Exception {
        assertThat(lines(GOOD.replace("{embedded: true}", "{}")))
                .containsExactly("zookeeper: must be either {embedded: true} or {connect: \"host:2181\"}");
        assertThat(lines(GOOD.replace("{embedded: true}", "{embedded: true, connect: x}")))
                .hasSize(1);
        assertThat(read(GOOD.replace("{embedded: true}", "{connect: \"zk:2181\", secret_file: s}"))
                        .zookeeper())
                .isEqualTo(new ServerConfig.ExternalZooKeeper("zk:2181", folder.resolve("s")));
    }

    @Test
    void a_server_that_listens_everywhere_must_say_how_others_reach_it() throws Exception {
        assertThat(lines(GOOD.replace("127.0.0.1:8080", "0.0.0.0:8080")))
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("url: missing"));
        var config = read(GOOD.replace("127.0.0.1:8080", "0.0.0.0:8080\nurl: http://10.0.0.1:8080"));
        assertThat(config.loopbackOnly()).isFalse();
        assertThat(config.url()).isEqualTo(URI.create("http://10.0.0.1:8080"));
    }

    @Test
    void only_a_server_on_loopback_may_open_its_reads() throws Exception {
        assertThat(read(GOOD).openReads()).isFalse();
        assertThat(read(GOOD + "open_reads: true\n").openReads()).isTrue();
        assertThat(lines(GOOD.replace("127.0.0.1:8080", "10.0.0.1:8080\nopen_reads: true")))
                .containsExactly(
                        "open_reads: may be true only with a loopback address such as 127.0.0.1:8080 in listen");
        assertThat(read(GOOD.replace("127.0.0.1:8080", "10.0.0.1:8080")).openReads())
                .isFalse();
        assertThat(lines(GOOD + "open_reads: maybe\n")).singleElement().satisfies(line -> assertThat(line)
                .startsWith("open_reads: 'maybe' must be true or false"));
    }

    @Test
    void nodes_ask_the_seed_urls_for_their_seeds_or_else_the_url() throws Exception {
        assertThat(read(GOOD).seedUrls()).containsExactly(URI.create("http://127.0.0.1:8080"));
        assertThat(read(GOOD + "url: http://10.0.0.1:8080\n").seedUrls())
                .containsExactly(URI.create("http://10.0.0.1:8080"));
        assertThat(read(GOOD + "seed_urls: [http://ringmaster.db.svc:8080, https://10.0.0.2:8080]\n")
                        .seedUrls())
                .containsExactly(URI.create("http://ringmaster.db.svc:8080"), URI.create("https://10.0.0.2:8080"));
    }

    @Test
    void seed_urls_are_a_list_of_base_urls() {
        assertThat(lines(GOOD + "seed_urls: []\n"))
                .containsExactly(
                        "seed_urls: must be a list; each value must be a base URL such as http://10.0.0.1:8080");
        assertThat(lines(GOOD + "seed_urls: http://10.0.0.1:8080\n"))
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("seed_urls: must be a list"));
        assertThat(lines(GOOD + "seed_urls: [http://a:1, 10.0.0.1:8080, ftp://b, {c: d}, null, http://e?f]\n"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("seed_urls[1]: '10.0.0.1:8080' must be a base URL"),
                        line -> assertThat(line)
                                .isEqualTo("seed_urls[2]: 'ftp://b' must be a base URL such as http://10.0.0.1:8080"
                                        + " (no http or https URL)"),
                        line -> assertThat(line).startsWith("seed_urls[3]: must be a base URL"),
                        line -> assertThat(line).startsWith("seed_urls[4]: must be a base URL"),
                        line -> assertThat(line).startsWith("seed_urls[5]: 'http://e?f' must be a base URL"));
    }

    @Test
    void web_hosts_are_names_without_ports_and_seed_urls_are_known_too() throws Exception {
        assertThat(read(GOOD).webHosts()).isEmpty();
        assertThat(read(GOOD + "web_hosts: [Ringmaster.Example.com]\nseed_urls: [http://seeds.db:80]\n")
                        .hosts())
                .containsExactly("seeds.db", "ringmaster.example.com");
        assertThat(lines(GOOD + "web_hosts: [a.example:8080, '*.example', ok.example]\n"))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("web_hosts[0]: 'a.example:8080' must be a host name such as"),
                        line -> assertThat(line).startsWith("web_hosts[1]: '*.example' must be a host name such as"));
        assertThat(lines(GOOD + "web_hosts: a.example\n")).singleElement().satisfies(line -> assertThat(line)
                .startsWith("web_hosts: must be a list"));
    }

    @Test
    void two_machines_of_one_name_or_a_peer_of_this_datacenter_are_refused() {
        String twice = GOOD
                + "      - {name: machine-1, rack: r2, address: 127.1.1.2, cpus: 2, memory: 4GiB, disk: 20GiB, ports: 7000-9999}\n";
        assertThat(lines(twice)).containsExactly("pool.local.machines[1].name: 'machine-1' is given twice");
        assertThat(lines(GOOD.replace(
                        "datacenter: dc2, url: \"http://127.0.0.1:8081\"",
                        "datacenter: dc1, url: \"http://127.0.0.1:8081\"")))
                .containsExactly("peers[0].datacenter: 'dc1' is this server's own");
    }

    @Test
    void the_settings_of_the_pool_are_in_its_own_section() {
        String old = GOOD.replace("    dist: ../dist\n", "").replace("    cache: cache\n", "")
                + "dist: d\ncache: c\nbinaries: b\n";
        assertThat(lines(old))
                .contains(
                        "dist: belongs to the pool now; write it as pool.local.dist",
                        "cache: belongs to the pool now; write it as pool.local.cache",
                        "binaries: belongs to the pool now; write it as pool.local.binaries",
                        "pool.local.dist: missing; must be the directory of the built programs");
    }

    @Test
    void a_server_has_one_pool_of_a_known_kind() {
        String none = GOOD.substring(0, GOOD.indexOf("pool:"));
        assertThat(lines(none)).containsExactly("pool: must hold one pool, one of kubernetes, local, mesos");
        assertThat(lines(none + "pool: {nomad: {}}\n"))
                .containsExactly("pool.nomad: unknown pool; known are kubernetes, local, mesos");
        assertThat(lines(none + "pool: local\n"))
                .containsExactly(
                        "pool: must be a mapping", "pool: must hold one pool, one of kubernetes, local, mesos");
    }

    @Test
    void a_file_that_is_missing_or_no_yaml_is_named() {
        Path missing = folder.resolve("none.yaml");
        assertThat(catchThrowableOfType(ConfigException.class, () -> ConfigReader.read(missing)))
                .hasMessageContaining(missing.toString());
        assertThat(lines("datacenter: [")).singleElement().satisfies(line -> assertThat(line)
                .contains("server.yaml is not YAML"));
        assertThat(lines("just text")).singleElement().satisfies(line -> assertThat(line)
                .contains("must be a YAML mapping"));
    }

    @Test
    void the_example_in_the_documentation_is_valid() throws Exception {
        String page = Files.readString(Path.of("../../docs/server.md"));
        int from = page.indexOf("```yaml") + 7;
        ServerConfig config = read(page.substring(from, page.indexOf("```", from)));
        assertThat(config.pool().name()).isEqualTo("local");
    }

    private ServerConfig read(String yaml) throws IOException, ConfigException {
        return ConfigReader.read(Files.writeString(folder.resolve("server.yaml"), yaml));
    }

    private List<String> lines(String yaml) {
        var refused = catchThrowableOfType(ConfigException.class, () -> read(yaml));
        assertThat(refused).as("a refusal").isNotNull();
        return refused.lines();
    }
}
