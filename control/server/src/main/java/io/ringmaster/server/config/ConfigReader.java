package io.ringmaster.server.config;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import io.ringmaster.server.config.ServerConfig.ConfiguredPool;
import io.ringmaster.server.config.ServerConfig.ExternalZooKeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads {@code server.yaml}. Relative paths are relative to the file. The section {@code pool} is read by the pool's
 * own factory.
 */
public final class ConfigReader {
    /** Top-level fields of configurations written before each pool had its own section. */
    private static final List<String> MOVED_TO_LOCAL_POOL = List.of("dist", "cache", "binaries");

    private static final ConfiguredPool NO_POOL = new ConfiguredPool("none", () -> {
        throw new IllegalStateException("no pool is configured");
    });
    /** Pools whose nodes run on the server's computer. */
    private static final Set<String> LOCAL_POOLS = Set.of("local", NO_POOL.name());

    /** Pools that give executors no files of the servers' CA. */
    private static final Set<String> POOLS_WITHOUT_DOORS = Set.of("mesos");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
    private static final URI NOWHERE = URI.create("http://127.0.0.1");

    private ConfigReader() {}

    /** @throws ConfigException naming every wrong field */
    public static ServerConfig read(Path file) throws ConfigException {
        Object yaml;
        try {
            yaml = new Load(LoadSettings.builder().setLabel(file.toString()).build())
                    .loadFromString(Files.readString(file));
        } catch (IOException e) {
            throw new ConfigException(List.of("cannot read " + file + " (" + e + ")"));
        } catch (YamlEngineException e) {
            throw new ConfigException(List.of(file + " is not YAML: " + ThrowableText.of(e)));
        }
        if (!(yaml instanceof Map<?, ?> map)) {
            throw new ConfigException(List.of(file + (yaml == null ? " is empty, and" : "")
                    + " must be a YAML mapping that starts with datacenter: -> docs/server.md shows one"));
        }
        var wrong = new ArrayList<String>();
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
        ServerConfig config = config(ConfigSection.root(map, folder, wrong));
        if (!wrong.isEmpty()) {
            throw new ConfigException(wrong);
        }
        return config;
    }

    private static ServerConfig config(ConfigSection root) {
        DatacenterName datacenter =
                root.required("datacenter", "a datacenter name", DatacenterName::new, new DatacenterName("none"));
        InetSocketAddress listen = root.required(
                "listen",
                "address:port such as 127.0.0.1:8080",
                ConfigReader::address,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        Path state = root.requiredPath("state_directory", "a directory");
        Path token = root.requiredPath("token_file", "a file");
        TlsSettings tls = TlsSettings.read(root, token);
        String scheme = tls == null ? "http" : "https";
        URI url = root.optional("url", "a base URL such as " + scheme + "://10.0.0.1:8080", ConfigReader::baseUrl)
                .orElse(URI.create(scheme + "://" + authority(listen)));
        if (tls != null && !"https".equals(url.getScheme())) {
            root.error("url", "'" + url + "' must be an https URL, because tls is on");
        }
        if (listen.getAddress() != null && listen.getAddress().isAnyLocalAddress() && !root.has("url")) {
            root.error("url", "missing; must say how others reach a server that listens on every address");
        }
        List<URI> seedUrls = root.has("seed_urls")
                ? root.texts("seed_urls", "a base URL such as http://10.0.0.1:8080", ConfigReader::seedUrl)
                : List.of(seedUrl(url, tls));
        Map<DatacenterName, List<URI>> peers = peers(root, datacenter, tls != null);
        List<String> webHosts =
                root.texts("web_hosts", "a host name such as ringmaster.example.com", ConfigReader::host);
        ExternalZooKeeper zookeeper = zookeeper(root.section("zookeeper"));
        boolean openReads = root.optional("open_reads", "true or false", ConfigReader::truth)
                .orElse(false);
        if (openReads && listen.getAddress() != null && !listen.getAddress().isLoopbackAddress()) {
            root.error("open_reads", "may be true only with a loopback address such as 127.0.0.1:8080 in listen");
        }
        Path locations = root.optionalPath("backup_locations", "a directory").orElse(state.resolve("locations"));
        Path secrets = root.optionalPath("secrets_directory", "a directory").orElse(state.resolve("passwords"));
        ConfiguredPool pool = pool(root, poolContext(datacenter, state, locations, tls));
        if (tls != null) {
            checkSeeds(root, pool, tls, seedUrls, List.of(url.getAuthority(), authority(listen)));
        }
        int replacements = root.optional("automatic_replacements", "a whole number from 0 to 1000", ConfigReader::count)
                .orElse(1);
        for (String field : MOVED_TO_LOCAL_POOL) {
            if (root.has(field)) {
                root.error(field, "belongs to the pool now; write it as pool.local." + field);
            }
        }
        root.rejectUnknown();
        return new ServerConfig(
                datacenter,
                listen,
                url,
                seedUrls,
                state,
                token,
                peers,
                zookeeper,
                pool,
                replacements,
                locations,
                secrets,
                webHosts,
                openReads,
                tls);
    }

    /** Executors get doors where the server has TLS itself. */
    private static PoolContext poolContext(
            DatacenterName datacenter, Path state, Path locations, @Nullable TlsSettings tls) {
        var authorities = new Issuer(
                new AuthorityDirectory(state.resolve("authority")),
                AuthorityName.control(datacenter, 1),
                TlsSettings.lifeOf(tls),
                Instant::now);
        return new PoolContext(datacenter, state, locations, authorities, tls != null);
    }

    private static ConfiguredPool pool(ConfigSection root, PoolContext context) {
        Map<String, PoolFactory> factories = PoolFactory.all();
        String known = String.join(", ", factories.keySet());
        ConfigSection pools = root.section("pool");
        Set<String> named = pools.fields();
        named.stream()
                .filter(name -> !factories.containsKey(name))
                .forEach(name -> pools.error(name, "unknown pool; known are " + known));
        List<PoolFactory> chosen = named.stream()
                .filter(factories::containsKey)
                .map(factories::get)
                .toList();
        if (chosen.size() > 1 || named.isEmpty()) {
            pools.error("", "must hold one pool, one of " + known);
        }
        return chosen.stream()
                .findFirst()
                .map(f -> new ConfiguredPool(f.name(), f.configure(context, pools.section(f.name()))))
                .orElse(NO_POOL);
    }

    private static Map<DatacenterName, List<URI>> peers(ConfigSection root, DatacenterName own, boolean tls) {
        var peers = new TreeMap<DatacenterName, List<URI>>();
        for (ConfigSection peer : root.list("peers")) {
            DatacenterName name = peer.required("datacenter", "a datacenter name", DatacenterName::new, own);
            URI url = peer.required("url", "a base URL such as http://127.0.0.1:8081", ConfigReader::baseUrl, NOWHERE);
            peer.rejectUnknown();
            if (name.equals(own)) {
                peer.error("datacenter", "'" + own + "' is this server's own");
            }
            if (tls && !"https".equals(url.getScheme()) && !url.equals(NOWHERE)) {
                peer.error("url", "'" + url + "' must be an https URL, because tls is on");
            }
            peers.computeIfAbsent(name, n -> new ArrayList<>()).add(url);
        }
        return peers;
    }

    private static @Nullable ExternalZooKeeper zookeeper(ConfigSection zookeeper) {
        boolean embedded = zookeeper
                .optional("embedded", "true or false", ConfigReader::truth)
                .orElse(false);
        String connect = zookeeper
                .optional("connect", "host:port[,host:port]", text -> text)
                .orElse(null);
        Path secret = zookeeper.optionalPath("secret_file", "a file").orElse(null);
        zookeeper.rejectUnknown();
        if (embedded == (connect != null)) {
            zookeeper.error("", "must be either {embedded: true} or {connect: \"host:2181\"}");
        }
        return connect == null ? null : new ExternalZooKeeper(connect, secret);
    }

    private static String authority(InetSocketAddress address) {
        String host = address.getHostString();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("no port");
        }
        return new InetSocketAddress(
                ConfigSection.ip(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }

    private static URI baseUrl(String text) {
        URI url = URI.create(text);
        if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw new IllegalArgumentException("no http or https URL");
        }
        return url;
    }

    private static URI seedUrl(URI url, @Nullable TlsSettings tls) {
        return tls == null || tls.seedListen() == null ? url : URI.create("http://" + authority(tls.seedListen()));
    }

    /** @param secured addresses at which this server speaks TLS alone */
    private static void checkSeeds(
            ConfigSection root, ConfiguredPool pool, TlsSettings tls, List<URI> seedUrls, List<String> secured) {
        boolean named = root.has("seed_urls");
        if (!named && POOLS_WITHOUT_DOORS.contains(pool.name())) {
            root.error("seed_urls", "missing; tls is on, and nodes of this pool know no CA of servers: name http URLs");
        } else if (!named && tls.seedListen() != null && !LOCAL_POOLS.contains(pool.name())) {
            root.error("seed_urls", "missing; nodes of this pool cannot reach seed_listen");
        }
        seedUrls.stream()
                .filter(u -> named && "http".equals(u.getScheme()) && secured.contains(u.getAuthority()))
                .findFirst()
                .ifPresent(u -> root.error("seed_urls", "'" + u + "' must be an https URL, because tls is on"));
    }

    /** A path is appended to it. */
    private static URI seedUrl(String text) {
        URI url = baseUrl(text);
        if (url.getRawQuery() != null || url.getRawFragment() != null || text.endsWith("/")) {
            throw new IllegalArgumentException("must not end with /, a query or a fragment");
        }
        return url;
    }

    /** Without a port: the port says nothing about who asks. */
    private static String host(String text) {
        if (!HOST.matcher(text).matches()) {
            throw new IllegalArgumentException("letters, digits, - and . only; no port, no *");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException();
        }
        return text.equals("true");
    }

    private static int count(String text) {
        int count = Integer.parseInt(text);
        if (count < 0 || count > 1000) {
            throw new IllegalArgumentException("0 to 1000");
        }
        return count;
    }
}
