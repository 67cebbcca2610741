package io.ringmaster.lab.experiment;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One way of a JVM up a ladder of rates, which is the same for all JVMs. Each window is judged by both service levels.
 * A rung that misses a level is offered once more, and has missed it only if both windows do. The lowest rung is
 * offered twice in any case. The climb ends when both levels have missed, or behind the highest rung.
 */
final class Climb {
    private final List<Integer> rates;
    private final Set<ServiceLevel> open = EnumSet.allOf(ServiceLevel.class);
    private final Map<ServiceLevel, Held> held = new EnumMap<>(ServiceLevel.class);
    private final List<CollectorWindow> windows = new ArrayList<>();
    private final List<CollectorWindow> here = new ArrayList<>();
    private int rung;

    /**
     * How far a level was kept.
     *
     * @param rate highest rung below the first that missed, in requests per second; 0 where the lowest missed
     * @param missed whether a rung missed: otherwise the rate is a lower bound
     * @param last windows of the rung that missed, or of the highest
     */
    record Held(double rate, boolean missed, List<CollectorWindow> last) {
        Held {
            last = List.copyOf(last);
        }

        /** Whether the rung missed on a full machine, which node and generator share. */
        boolean isFull() {
            return missed && last.stream().allMatch(CollectorWindow::isFull);
        }
    }

    /** @param rates in requests per second, ascending */
    Climb(List<Integer> rates) {
        this.rates = List.copyOf(rates);
    }

    boolean goesOn() {
        return rung < rates.size() && !open.isEmpty();
    }

    /** Rate of the next window. */
    int rate() {
        return rates.get(rung);
    }

    /** Takes what the window at {@link #rate} showed. */
    void take(CollectorWindow window) {
        windows.add(window);
        here.add(window);
        boolean first = here.size() == 1;
        if (first && (rung == 0 || !open.stream().allMatch(window::keeps))) {
            return;
        }
        for (ServiceLevel level : List.copyOf(open)) {
            boolean missed = here.stream().noneMatch(one -> one.keeps(level));
            double rate = !missed ? rates.get(rung) : rung == 0 ? 0 : rates.get(rung - 1);
            held.put(level, new Held(rate, missed, here));
            if (missed) {
                open.remove(level);
            }
        }
        here.clear();
        rung++;
    }

    /** How far a level was kept, when the climb has ended. */
    Held held(ServiceLevel level) {
        Held found = held.get(level);
        if (found == null || goesOn()) {
            throw new IllegalStateException("the climb has not ended");
        }
        return found;
    }

    /** All windows, in order. */
    List<CollectorWindow> windows() {
        return windows;
    }
}
