package io.ringmaster.server.config;

import io.ringmaster.core.spec.Size;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.server.config.ServerConfig.ExternalZooKeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads {@code server.yaml}. Relative paths are relative to the file. */
public final class ConfigReader {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");
    private static final URI NOWHERE = URI.create("http://127.0.0.1");

    private final Path folder;

    private ConfigReader(Path folder) {
        this.folder = folder;
    }

    /** @throws ConfigException naming every wrong field */
    public static ServerConfig read(Path file) throws ConfigException {
        Object yaml;
        try {
            yaml = new Load(LoadSettings.builder().setLabel(file.toString()).build())
                    .loadFromString(Files.readString(file));
        } catch (IOException e) {
            throw new ConfigException(List.of("cannot read " + file + " (" + e + ")"));
        } catch (YamlEngineException e) {
            throw new ConfigException(List.of(file + " is not YAML: " + e.getMessage()));
        }
        if (!(yaml instanceof Map<?, ?> map)) {
            throw new ConfigException(List.of(file + " must be a YAML mapping that begins with datacenter:"));
        }
        var wrong = new ArrayList<String>();
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
        ServerConfig config = new ConfigReader(folder).config(Fields.root(map, wrong));
        if (!wrong.isEmpty()) {
            throw new ConfigException(wrong);
        }
        return config;
    }

    private ServerConfig config(Fields root) {
        DatacenterName datacenter =
                root.required("datacenter", "a datacenter name", DatacenterName::new, new DatacenterName("none"));
        InetSocketAddress listen = root.required(
                "listen",
                "address:port such as 127.0.0.1:8080",
                ConfigReader::address,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        Path state = root.required("state_directory", "a directory", this::path, folder);
        Path token = root.required("token_file", "a file", this::path, folder);
        Path dist = root.required("dist", "the directory of the built programs", this::path, folder);
        Path cache = root.required("cache", "a directory", this::path, folder);
        Path binaries =
                root.optional("binaries", "a directory or tarball", this::path).orElse(null);
        URI url = root.optional("url", "a base URL such as http://10.0.0.1:8080", ConfigReader::baseUrl)
                .orElse(URI.create("http://" + listen.getHostString() + ":" + listen.getPort()));
        if (listen.getAddress() != null && listen.getAddress().isAnyLocalAddress() && !root.has("url")) {
            root.complain("url", "missing; must say how others reach a server that listens on every address");
        }
        Map<DatacenterName, List<URI>> peers = peers(root, datacenter);
        ExternalZooKeeper zookeeper = zookeeper(root.map("zookeeper"));
        Fields pool = root.map("pool");
        Fields local = pool.map("local");
        List<Machine> machines = machines(local);
        int replacements = root.optional("automatic_replacements", "a whole number from 0 to 1000", ConfigReader::count)
                .orElse(1);
        List.of(local, pool, root).forEach(Fields::noOthers);
        return new ServerConfig(
                datacenter, listen, url, state, token, dist, cache, binaries, peers, zookeeper, machines, replacements);
    }

    private static Map<DatacenterName, List<URI>> peers(Fields root, DatacenterName own) {
        var peers = new TreeMap<DatacenterName, List<URI>>();
        for (Fields peer : root.list("peers")) {
            DatacenterName name = peer.required("datacenter", "a datacenter name", DatacenterName::new, own);
            URI url = peer.required("url", "a base URL such as http://127.0.0.1:8081", ConfigReader::baseUrl, NOWHERE);
            peer.noOthers();
            if (name.equals(own)) {
                peer.complain("datacenter", "'" + own + "' is this server's own");
            }
            peers.computeIfAbsent(name, n -> new ArrayList<>()).add(url);
        }
        return peers;
    }

    private @Nullable ExternalZooKeeper zookeeper(Fields zookeeper) {
        boolean embedded = zookeeper
                .optional("embedded", "true or false", ConfigReader::truth)
                .orElse(false);
        String connect = zookeeper
                .optional("connect", "host:port[,host:port]", text -> text)
                .orElse(null);
        Path secret = zookeeper.optional("secret_file", "a file", this::path).orElse(null);
        zookeeper.noOthers();
        if (embedded == (connect != null)) {
            zookeeper.complain("", "must be either {embedded: true} or {connect: \"host:2181\"}");
        }
        return connect == null ? null : new ExternalZooKeeper(connect, secret);
    }

    private static List<Machine> machines(Fields local) {
        var machines = new ArrayList<Machine>();
        var names = new HashSet<MachineName>();
        for (Fields m : local.list("machines")) {
            MachineName name = m.required("name", "a machine name", MachineName::new, new MachineName("none"));
            if (!names.add(name)) {
                m.complain("name", "'" + name + "' is given twice");
            }
            machines.add(new Machine(
                    name,
                    m.required("rack", "a rack name", RackName::new, new RackName("none")),
                    m.required("address", "an IP address", ConfigReader::ip, ""),
                    m.required("cpus", "a number of cores such as 2 or 1.5", ConfigReader::cpuMillis, 0),
                    m.required("memory", Size.FORM, ConfigReader::size, 0L),
                    m.required("disk", Size.FORM, ConfigReader::size, 0L),
                    m.required("ports", "a range such as 7000-9999", ConfigReader::ports, new PortRange(1, 1)),
                    false));
            m.noOthers();
        }
        if (machines.isEmpty()) {
            local.complain("machines", "must list at least one machine");
        }
        return machines;
    }

    private Path path(String text) {
        return folder.resolve(text).normalize();
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("no port");
        }
        return new InetSocketAddress(
                literal(ip(text.substring(0, colon))), Integer.parseInt(text.substring(colon + 1)));
    }

    private static String ip(String text) {
        String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        if (!bare.matches("[0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            throw new IllegalArgumentException("names are not looked up");
        }
        literal(bare);
        return bare;
    }

    private static InetAddress literal(String ip) {
        try {
            return InetAddress.getAllByName(ip)[0];
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address", e);
        }
    }

    private static URI baseUrl(String text) {
        URI url = URI.create(text);
        if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw new IllegalArgumentException("no http or https URL");
        }
        return url;
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

    private static int cpuMillis(String text) {
        double cpus = Double.parseDouble(text);
        if (!(cpus > 0 && cpus <= 1024)) {
            throw new IllegalArgumentException("more than 0, at most 1024");
        }
        return (int) Math.round(cpus * 1000);
    }

    private static long size(String text) {
        return Size.parse(text).orElseThrow(IllegalArgumentException::new);
    }

    private static PortRange ports(String text) {
        var m = RANGE.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException();
        }
        return new PortRange(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)));
    }
}
