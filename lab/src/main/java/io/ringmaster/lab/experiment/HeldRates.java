package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.PER_SECOND;

import io.ringmaster.lab.experiment.Climb.Held;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Measured.Point;
import io.ringmaster.lab.page.Cells;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How far a JVM kept a level in all passes: the figure is the lowest, with all of them as its spread. */
record HeldRates(ServiceLevel level, List<Climb> climbs) {
    /** End of the key that says that the highest rung was kept, so that the rate is a lower bound. */
    static final String OPEN = ".open";
    /** End of the key that says that the rung above missed on a full machine. */
    static final String FULL = ".full";

    /** End of the key of a rate of 0: a pass kept no rung. The page has the reason in place of it. */
    static final String NONE = ".none";

    HeldRates {
        climbs = List.copyOf(climbs);
    }

    /** End of the key of the series with the windows of the rung that ended a pass: rate and milliseconds. */
    static String pass(int pass) {
        return ".pass" + pass;
    }

    void put(String key, Figures figures) {
        List<Held> held = climbs.stream().map(climb -> climb.held(level)).toList();
        Held lowest = held.stream().min(Comparator.comparingDouble(Held::rate)).orElseThrow();
        double highest = held.stream().mapToDouble(Held::rate).max().orElseThrow();
        Figure rate = new Figure(lowest.rate(), PER_SECOND, lowest.rate(), highest, held.size());
        if (lowest.rate() == 0) {
            figures.put(key + NONE, rate).missing(key, below(held));
        } else {
            figures.put(key, rate);
        }
        if (!lowest.missed()) {
            figures.count(key + OPEN, 1);
        }
        if (held.stream().anyMatch(one -> one.rate() == lowest.rate() && one.isFull())) {
            figures.count(key + FULL, 1);
        }
        for (int pass = 1; pass <= held.size(); pass++) {
            figures.series(key + pass(pass), points(held.get(pass - 1).last()));
        }
        figures.series(
                key + ".windows",
                points(climbs.stream()
                        .flatMap(climb -> climb.windows().stream())
                        .toList()));
    }

    /** Which rungs missed, with their percentiles. */
    private String below(List<Held> held) {
        List<String> passes = new ArrayList<>();
        for (int pass = 1; pass <= held.size(); pass++) {
            Held one = held.get(pass - 1);
            passes.add("pass " + pass + ": "
                    + (one.rate() > 0
                            ? Cells.value(one.rate(), "/s") + " kept"
                            : level.percentile() + " "
                                    + String.join(
                                            " and ",
                                            one.last().stream()
                                                    .map(window -> window.text(level))
                                                    .toList())));
        }
        return "below " + Cells.value(climbs.get(0).windows().get(0).rate(), "/s") + " (" + String.join("; ", passes)
                + ")";
    }

    private List<Point> points(List<CollectorWindow> windows) {
        return windows.stream()
                .filter(window -> window.response().count() > 0)
                .map(window -> new Point(window.rate(), level.ms(window.response())))
                .toList();
    }
}
