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

/** What the log of a JVM is searched for, with the collectors that know it. */
enum JvmEvent {
    YOUNG(".young", "young pauses", GcLog::youngPauses, Set.of(G1, CMS, SERIAL)),
    FULL(".full", "full pauses", GcLog::fullPauses, Set.of(G1, CMS, SERIAL, SHENANDOAH)),
    CYCLE(".cycles", "concurrent cycles", GcLog::cycles, Set.of(G1, CMS, SHENANDOAH, ZGC, GENERATIONAL_ZGC)),
    STALL(".stalls", "stalled threads", GcLog::stalls, Set.of(ZGC, GENERATIONAL_ZGC)),
    DEGENERATED(".degenerated", "degenerated", GcLog::degenerated, Set.of(SHENANDOAH));

    private final String end;
    private final String title;
    private final Function<GcLog, List<Event>> find;
    private final Set<JvmCollector> collectors;

    /** @param end of the key of its count */
    JvmEvent(String end, String title, Function<GcLog, List<Event>> find, Set<JvmCollector> collectors) {
        this.end = end;
        this.title = title;
        this.find = find;
        this.collectors = collectors;
    }

    String end() {
        return end;
    }

    /** Title of a column. */
    String title() {
        return title;
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
