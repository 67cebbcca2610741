package io.ringmaster.playground.wan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The namespaces of all datacenters, and the links between them. */
final class Wan {
    private static final int IPV4_HEADER = 20;
    private static final int IPV4 = 4;
    private static final int DESTINATION = 16;

    /** A datacenter: its namespace, its tunnel, and its outgoing links by target datacenter. */
    private record End(Subnet subnet, NetworkNamespace namespace, Tunnel tunnel, Map<String, Link> links) {}

    private final Map<String, End> ends = new LinkedHashMap<>();
    private final RoundTrips roundTrips = new RoundTrips();
    private volatile WanSettings settings;

    /** @throws IOException this user or this kernel cannot create namespaces or tunnels */
    Wan(Map<String, Subnet> datacenters) throws IOException {
        for (Map.Entry<String, Subnet> datacenter : datacenters.entrySet()) {
            NetworkNamespace namespace = NetworkNamespace.make();
            ends.put(
                    datacenter.getKey(),
                    new End(datacenter.getValue(), namespace, Tunnel.open(namespace), new LinkedHashMap<>()));
        }
        settings = new WanSettings(
                0,
                WanSettings.mesh(List.copyOf(datacenters.keySet()), l -> l.withUp(false))
                        .links());
        for (LinkSetting link : settings.links()) {
            join(link, link.a(), link.b());
            join(link, link.b(), link.a());
        }
        ends.values().forEach(end -> daemon("read " + end.subnet(), () -> distribute(end)));
    }

    private void join(LinkSetting setting, String from, String to) {
        Tunnel exit = ends.get(to).tunnel();
        Link link = new Link(setting, System::nanoTime, exit::write);
        ends.get(from).links().put(to, link);
        daemon(from + " to " + to, link::carry);
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void distribute(End end) {
        try {
            while (true) {
                byte[] packet = end.tunnel().read();
                Link link = linkFor(end, packet);
                if (link != null) {
                    link.enter(packet);
                }
            }
        } catch (IOException e) {
            System.err.println("wan: " + e.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }

    /** Null for packets to no datacenter, such as the kernel's own IPv6 discovery. */
    private @Nullable Link linkFor(End end, byte[] packet) {
        if (packet.length < IPV4_HEADER || packet[0] >>> IPV4 != IPV4) {
            return null;
        }
        for (Map.Entry<String, Link> link : end.links().entrySet()) {
            if (ends.get(link.getKey()).subnet().holds(packet, DESTINATION)) {
                return link.getValue();
            }
        }
        return null;
    }

    /** Ignores settings of unknown links; links without a new setting keep theirs. */
    void apply(WanSettings newSettings) {
        for (LinkSetting link : newSettings.links()) {
            End a = ends.get(link.a());
            End b = ends.get(link.b());
            if (a != null && b != null) {
                a.links().get(link.b()).set(link);
                b.links().get(link.a()).set(link);
            }
        }
        settings = newSettings;
    }

    /** Measures all links at once; takes some seconds when no answer comes back. */
    void measure() throws InterruptedException {
        List<Thread> running = settings.links().stream()
                .filter(LinkSetting::up)
                .map(link -> daemon(
                        "measure " + link.a() + " " + link.b(),
                        () -> roundTrips.measure(
                                link,
                                ends.get(link.a()).namespace(),
                                ends.get(link.b()).subnet())))
                .toList();
        for (Thread thread : running) {
            thread.join();
        }
    }

    WanReport report() {
        List<WanReport.Place> places = new ArrayList<>();
        ends.forEach((name, end) ->
                places.add(new WanReport.Place(name, end.namespace().descriptor())));
        List<WanReport.Traffic> traffic = settings.links().stream()
                .map(l -> traffic(
                        l,
                        ends.get(l.a()).links().get(l.b()),
                        ends.get(l.b()).links().get(l.a())))
                .toList();
        return new WanReport(ProcessHandle.current().pid(), settings.revision(), places, traffic);
    }

    private WanReport.Traffic traffic(LinkSetting link, Link there, Link back) {
        return new WanReport.Traffic(
                link, roundTrips.median(link), there.forwarded() + back.forwarded(), there.dropped() + back.dropped());
    }
}
