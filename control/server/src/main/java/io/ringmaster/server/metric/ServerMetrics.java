package io.ringmaster.server.metric;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The server's metrics as Prometheus text. Gauges of the datacenter are read from the view at each scrape. */
public final class ServerMetrics implements AutoCloseable {
    private record NodesIn(ClusterName cluster, OperatingMode mode) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicInteger leads = new AtomicInteger();
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final MultiGauge nodes = MultiGauge.builder("ringmaster.nodes")
            .description("nodes of this datacenter by cluster and operating mode")
            .register(registry);
    private final MultiGauge plans = MultiGauge.builder("ringmaster.plans")
            .description("plans of this datacenter by status")
            .register(registry);
    private final MultiGauge peerAges = MultiGauge.builder("ringmaster.peer.age")
            .baseUnit("seconds")
            .description("time since the last report of a peer datacenter")
            .register(registry);
    private final MultiGauge machines = MultiGauge.builder("ringmaster.machines")
            .description("machines of this datacenter's pool")
            .register(registry);

    public ServerMetrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        gc.bindTo(registry);
        Gauge.builder("ringmaster.leads", leads, AtomicInteger::get)
                .description("1 while this server leads its datacenter")
                .register(registry);
    }

    /** @param route the template of the path, so that the number of series is bounded */
    public void request(String method, String route, int status, Duration took) {
        Timer.builder("ringmaster.http.requests")
                .description("answered requests")
                .tags("method", method, "route", route, "status", Integer.toString(status))
                .register(registry)
                .record(took);
    }

    /** The time for which a task waited for the controller's thread. */
    public void controllerDelay(Duration delay) {
        Timer.builder("ringmaster.controller.delay")
                .description("time that a task waits for the controller's thread")
                .publishPercentiles(0.5, 0.99)
                .register(registry)
                .record(delay);
    }

    /** @param again whether the same command was sent before */
    public void command(String type, boolean again) {
        registry.counter("ringmaster.commands", "type", type, "again", Boolean.toString(again))
                .increment();
    }

    /**
     * All metrics in the Prometheus text format.
     *
     * @param view the leader's view; empty on a standby, whose gauges of the datacenter keep their last values
     */
    public synchronized String scrape(Optional<View> view) {
        leads.set(view.isPresent() ? 1 : 0);
        view.ifPresent(this::updateGauges);
        return registry.scrape();
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }

    private void updateGauges(View view) {
        Map<NodesIn, Long> counts = view.nodes().keySet().stream()
                .collect(Collectors.groupingBy(
                        n -> new NodesIn(
                                n.cluster(), view.status(n).map(s -> s.mode()).orElse(OperatingMode.UNKNOWN)),
                        () -> new TreeMap<>(
                                Comparator.comparing(NodesIn::cluster).thenComparing(NodesIn::mode)),
                        Collectors.counting()));
        nodes.register(
                counts.entrySet().stream()
                        .map(e -> MultiGauge.Row.of(
                                Tags.of(
                                        "cluster", e.getKey().cluster().value(),
                                        "mode", e.getKey().mode().name()),
                                e.getValue()))
                        .collect(Collectors.toList()),
                true);
        Map<PlanStatus, Long> byStatus = view.plans().values().stream()
                .collect(Collectors.groupingBy(p -> p.status(), TreeMap::new, Collectors.counting()));
        plans.register(
                byStatus.entrySet().stream()
                        .map(e -> MultiGauge.Row.of(Tags.of("status", e.getKey().name()), e.getValue()))
                        .collect(Collectors.toList()),
                true);
        peerAges.register(
                view.peers().entrySet().stream()
                        .map(e -> MultiGauge.Row.of(
                                Tags.of("datacenter", e.getKey().value()),
                                Duration.between(e.getValue().at(), view.now()).toMillis() / 1000.0))
                        .collect(Collectors.toList()),
                true);
        machines.register(
                List.of(MultiGauge.Row.of(Tags.empty(), view.machines().size())), true);
    }
}
