package io.ringmaster.core.safety;

import io.ringmaster.core.spec.StoredParameters;
import io.ringmaster.core.spec.Yaml11;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * For how long others keep writes for a node that is away: the shortest time by the specs that nodes run and by the
 * newest one, since a spec that waits for a node has not reached the others.
 *
 * @param now counts for a node that was seen up since the newest spec
 * @param before counts for a node that was seen up before the newest spec, which has just come and shortens the time
 * @param changed when it came
 */
record HintWindow(Duration now, Duration before, Instant changed) {
    private static final Duration DEFAULT = Duration.ofHours(3);

    /** Within this time after a new spec, a node that is up was up when it came. No window is measured more exactly. */
    private static final Duration NEW = Duration.ofMinutes(2);

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(d|h|m|s|ms)");

    static HintWindow of(View view, NodeRecord node) {
        Optional<SpecRecord> target = view.targetSpec(node.cluster());
        Stream<SpecRecord> running = view.nodesOf(node.cluster()).stream()
                .mapToLong(NodeRecord::specVersion)
                .distinct()
                .filter(version -> target.isEmpty() || version != target.get().version())
                .boxed()
                .flatMap(version -> view.spec(node.cluster(), version).stream());
        Optional<Duration> former = running.map(s -> window(s, node)).min(Duration::compareTo);
        Duration newest = target.map(s -> window(s, node)).orElse(DEFAULT);
        Duration shortest = former.filter(f -> f.compareTo(newest) < 0).orElse(newest);
        Instant changed = target.map(SpecRecord::appliedAt).orElse(Instant.MIN);
        boolean isNew = target.isPresent()
                && Duration.between(changed, view.now()).abs().compareTo(NEW) <= 0;
        return new HintWindow(shortest, isNew ? former.orElse(shortest) : shortest, changed);
    }

    /** What was written for the node until the change, other nodes kept by the former window. */
    Duration since(Instant lastUp) {
        return isShortenedAfter(lastUp) ? before : now;
    }

    /** Whether the node must be seen up once more, so that the shorter window counts from the change on. */
    boolean isShortenedAfter(Instant lastUp) {
        return before.compareTo(now) > 0 && lastUp.isBefore(changed);
    }

    private static Duration window(SpecRecord spec, NodeRecord node) {
        Map<String, Object> yaml = spec.spec().cassandraYaml();
        if (isOff(yaml) || isOffFor(yaml, node.id().datacenter())) {
            return Duration.ZERO;
        }
        Matcher time =
                TIME.matcher(StoredParameters.text(yaml, "max_hint_window").orElse(""));
        if (!time.matches()) {
            return DEFAULT;
        }
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "d" -> Duration.ofDays(count);
            case "h" -> Duration.ofHours(count);
            case "m" -> Duration.ofMinutes(count);
            case "s" -> Duration.ofSeconds(count);
            default -> Duration.ofMillis(count);
        };
    }

    /** Also in a spec of an older release, which kept {@code no} as a text. */
    private static boolean isOff(Map<String, Object> yaml) {
        return Yaml11.truth(String.valueOf(yaml.get("hinted_handoff_enabled")))
                .map(enabled -> !enabled)
                .orElse(false);
    }

    private static boolean isOffFor(Map<String, Object> yaml, DatacenterName datacenter) {
        return yaml.get("hinted_handoff_disabled_datacenters") instanceof Collection<?> off
                && off.stream().map(String::valueOf).anyMatch(datacenter.value()::equals);
    }
}
