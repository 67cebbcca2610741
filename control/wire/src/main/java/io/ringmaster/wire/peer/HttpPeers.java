package io.ringmaster.wire.peer;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import io.ringmaster.wire.client.RingmasterClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges reports with the servers of other datacenters: at each change and, so that silence is noticed, at every interval.
 * One thread for each peer, so that one that hangs delays no other. A datacenter that nobody configured may introduce itself
 * by {@link #receive}; it is forgotten when it has been silent for long.
 */
public final class HttpPeers implements Peers {

    /**
     * @param interval between two exchanges when nothing changes
     * @param expiry a peer not heard of for so long is reported silent
     * @param memory a peer that introduced itself and is silent for so long is forgotten
     */
    public record Timing(Duration interval, Duration expiry, Duration memory) {
        public static final Timing USUAL =
                new Timing(Duration.ofSeconds(2), Duration.ofSeconds(6), Duration.ofHours(1));
    }

    private final DatacenterName here;
    private final String token;
    private final Timing timing;
    private final Map<DatacenterName, PeerLink> links = new ConcurrentHashMap<>();
    private volatile @Nullable FactSink facts;
    private volatile @Nullable DatacenterReport own;
    private volatile boolean closed;

    /** @param configured base URLs of the servers of each other datacenter */
    public HttpPeers(DatacenterName here, Map<DatacenterName, List<URI>> configured, String token, Timing timing) {
        this.here = here;
        this.token = token;
        this.timing = timing;
        configured.forEach((name, urls) -> links.put(name, new PeerLink(this, name, urls, true)));
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        links.values().forEach(PeerLink::start);
    }

    @Override
    public Set<DatacenterName> known() {
        return new TreeSet<>(links.keySet());
    }

    /** Where a peer's servers are; empty when it is not known. */
    public List<URI> servers(DatacenterName peer) {
        PeerLink link = links.get(peer);
        return link == null ? List.of() : link.servers();
    }

    @Override
    public void publish(DatacenterReport report) {
        DatacenterReport before = own;
        own = report;
        if (before == null || !sameBut(before, report)) {
            links.values().forEach(PeerLink::hurry);
        }
    }

    /** This server speaks for its datacenter no more, until the next {@link #publish}. */
    public void withdraw() {
        own = null;
    }

    /**
     * A peer called; the answer is this datacenter's own report, or nothing before the first {@link #publish}.
     *
     * @throws IllegalArgumentException the caller claims to be this datacenter, or gives a URL that is none
     */
    public Optional<DatacenterReport> receive(DatacenterReport report) {
        if (report.datacenter().equals(here)) {
            throw new IllegalArgumentException(
                    "datacenter '" + here + "' is this server's own: two datacenters have one name");
        }
        List<URI> urls = report.servers().stream().map(HttpPeers::baseUrl).toList();
        if (!closed) {
            PeerLink link = links.computeIfAbsent(report.datacenter(), name -> new PeerLink(this, name, urls, false));
            link.heard(urls);
            link.start();
            tell(new Fact.PeerReported(report));
        }
        return Optional.ofNullable(own);
    }

    @Override
    public void close() {
        closed = true;
        links.values().forEach(PeerLink::close);
    }

    static URI baseUrl(String text) {
        URI url = URI.create(text);
        boolean usable = ("http".equals(url.getScheme()) || "https".equals(url.getScheme())) && url.getHost() != null;
        if (!usable || (url.getPath() != null && url.getPath().length() > 1)) {
            throw new IllegalArgumentException("'" + text + "' is not a base URL such as http://127.0.0.1:8080");
        }
        return url;
    }

    Timing timing() {
        return timing;
    }

    boolean started() {
        return facts != null && !closed;
    }

    @Nullable
    DatacenterReport own() {
        return own;
    }

    RingmasterClient client(URI server) {
        return new RingmasterClient(server, token, timing.expiry().dividedBy(2));
    }

    void tell(Fact fact) {
        FactSink sink = facts;
        if (sink != null && !closed) {
            sink.accept(fact);
        }
    }

    void forget(PeerLink link) {
        links.remove(link.datacenter(), link);
    }

    private static boolean sameBut(DatacenterReport a, DatacenterReport b) {
        return new DatacenterReport(a.datacenter(), a.servers(), a.machines(), b.at(), a.clusters()).equals(b);
    }
}
