package io.ringmaster.playground;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.playground.wan.LinkSetting;
import io.ringmaster.playground.wan.WanReport.Traffic;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One line about a link between two datacenters. */
final class LinkScreen {
    private LinkScreen() {}

    static Line started(Traffic link) {
        return Line.of(name(link.setting()) + "  round trip asked: "
                        + millis(link.setting().roundTripMicros()) + ", measured: ")
                .and(Style.GOOD, measured(link.measuredMicros()))
                .and(bandwidth(link.setting()));
    }

    static Line now(Traffic link) {
        if (!link.setting().up()) {
            return Line.of(name(link.setting()) + "  ").and(Style.BAD, "cut");
        }
        return started(link).and(Style.DIM, "  " + link.forwarded() + " packets");
    }

    static String name(LinkSetting link) {
        return link.a() + " - " + link.b();
    }

    static String millis(long micros) {
        return String.format(Locale.ROOT, "%.1f ms", micros / 1_000.0);
    }

    static String measured(@Nullable Long micros) {
        return micros == null ? "no answer" : millis(micros);
    }

    private static String bandwidth(LinkSetting link) {
        return link.bitsPerSecond() == null
                ? ""
                : String.format(Locale.ROOT, "  at most %.1f Mbit/s each way", link.bitsPerSecond() / 1e6);
    }
}
