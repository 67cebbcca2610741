package io.ringmaster.wire.peer;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Peers;
import io.ringmaster.wire.client.PeerCredentials;
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
 * Exchanges reports with the servers of other datacenters: at each change and, to detect silence, at every interval.
 * Each peer has a thread, so that a hanging peer does not delay the others. A datacenter that is not configured
 * introduces itself by {@link #receive} and is forgotten after a long silence.
 */
public final class HttpPeers implements Peers {

    /**
     * @param interval the time between two exchanges when nothing changes
     * @param expiry the time without a report after which a peer is reported silent
     * @param memory the silence after which a peer that introduced itself is forgotten
     */
    public record Timing(Duration interval, Duration expiry, Duration memory) {
        public static final Timing USUAL =
                new Timing(Duration.ofSeconds(2), Duration.ofSeconds(6), Duration.ofHours(1));
    }

    private final DatacenterName here;
    private final PeerCredentials credentials;
    private final Timing timing;
    private final Map<DatacenterName, PeerLink> links = new ConcurrentHashMap<>();
    private volatile @Nullable FactSink facts;
    private volatile @Nullable DatacenterReport own;
    private volatile boolean closed;

    /** @param configured base URLs of the servers of each other datacenter */
    public HttpPeers(
            DatacenterName here,
            Map<DatacenterName, List<URI>> configured,
            PeerCredentials credentials,
            Timing timing) {
        this.here = here;
        this.credentials = credentials;
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

    /** Base URLs of a peer's servers; empty when the peer is not known. */
    public List<URI> servers(DatacenterName peer) {
        PeerLink link = links.get(peer);
        return link == null ? List.of() : link.servers();
    }

    @Override
    public void publish(DatacenterReport report) {
        DatacenterReport before = own;
        own = report;
        if (before == null || !equalsExceptTime(before, report)) {
            links.values().forEach(PeerLink::exchangeNow);
        }
    }

    /** Stops sending reports until the next {@link #publish}, because another server leads the datacenter now. */
    public void withdraw() {
        own = null;
    }

    /**
     * Takes the report that a peer sent. Returns this datacenter's own report, or empty before the first
     * {@link #publish}.
     *
     * @throws IllegalArgumentException the report names this datacenter as its origin, or contains an invalid URL
     */
    public Optional<DatacenterReport> receive(DatacenterReport report) {
        if (report.datacenter().equals(here)) {
            throw new IllegalArgumentException(
                    "datacenter '" + here + "' is this server's own: two datacenters have one name");
        }
        List<URI> urls = report.servers().stream().map(HttpPeers::baseUrl).toList();
        if (!closed) {
            PeerLink link = links.computeIfAbsent(report.datacenter(), name -> new PeerLink(this, name, urls, false));
            link.received(urls);
            link.start();
            report(new Fact.PeerReported(report));
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
        return credentials.client(server, timing.expiry().dividedBy(2));
    }

    void report(Fact fact) {
        FactSink sink = facts;
        if (sink != null && !closed) {
            sink.accept(fact);
        }
    }

    void forget(PeerLink link) {
        links.remove(link.datacenter(), link);
    }

    private static boolean equalsExceptTime(DatacenterReport a, DatacenterReport b) {
        return a.withTime(b.at()).equals(b);
    }
}
