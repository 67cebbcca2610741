package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.ring.JvmCollector.CMS;
import static io.ringmaster.lab.ring.JvmCollector.G1;
import static io.ringmaster.lab.ring.JvmCollector.GENERATIONAL_ZGC;
import static io.ringmaster.lab.ring.JvmCollector.SERIAL;
import static io.ringmaster.lab.ring.JvmCollector.SHENANDOAH;
import static io.ringmaster.lab.ring.JvmCollector.ZGC;

import io.ringmaster.lab.ring.GcLog;
import io.ringmaster.lab.ring.GcLog.Event;
import io.ringmaster.lab.ring.JvmCollector;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What the log of a JVM is searched for.
 *
 * @param end of the key of its count
 * @param title of a column
 * @param collectors those that know it
 */
record JvmEvent(String end, String title, Function<GcLog, List<Event>> find, Set<JvmCollector> collectors) {
    static final JvmEvent CYCLE = new JvmEvent(
            ".cycles", "concurrent cycles", GcLog::cycles, Set.of(G1, CMS, SHENANDOAH, ZGC, GENERATIONAL_ZGC));
    private static final JvmEvent YOUNG =
            new JvmEvent(".young", "young pauses", GcLog::youngPauses, Set.of(G1, CMS, SERIAL));
    /** What each collector does when it collects. */
    static final List<JvmEvent> WORK = List.of(YOUNG, CYCLE);

    static final List<JvmEvent> ALL = List.of(
            YOUNG,
            new JvmEvent(".full", "full pauses", GcLog::fullPauses, Set.of(G1, CMS, SERIAL, SHENANDOAH)),
            CYCLE,
            new JvmEvent(".stalls", "stalled threads", GcLog::stalls, Set.of(ZGC, GENERATIONAL_ZGC)),
            new JvmEvent(".degenerated", "degenerated", GcLog::degenerated, Set.of(SHENANDOAH)));

    JvmEvent {
        collectors = Set.copyOf(collectors);
    }

    boolean isOf(JvmCollector collector) {
        return collectors.contains(collector);
    }

    long count(List<CollectorWindow> windows) {
        return windows.stream()
                .mapToLong(window -> find.apply(window.log()).size())
                .sum();
    }
}
