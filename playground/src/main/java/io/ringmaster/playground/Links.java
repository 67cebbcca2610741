package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.playground.wan.LinkSetting;
import io.ringmaster.playground.wan.WanReport;
import io.ringmaster.playground.wan.WanSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads and changes the links of a running playground. */
final class Links {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Path directory;
    private final WanOptions wan;

    /** @throws Failure the playground was started without {@code --wan} */
    Links(Path home, @Nullable WanOptions wan, String verb) {
        if (wan == null) {
            throw new Failure(
                    ExitCode.REFUSED,
                    "this playground has no links to " + verb + ": its datacenters share this computer's loopback",
                    "start it with " + PROGRAM
                            + " playground --wan 77.8ms; kill, revive and slow of a machine work without links");
        }
        this.directory = WanStart.directory(home);
        this.wan = wan;
    }

    /** The current state. */
    WanReport report() throws IOException {
        return WanReport.read(directory);
    }

    /**
     * Changes one link. Returns once the change is in force, with the measured round trip unless the link is cut.
     *
     * @throws Failure no such link
     */
    WanReport.Traffic change(String a, String b, UnaryOperator<LinkSetting> change)
            throws IOException, InterruptedException {
        WanSettings now = WanSettings.read(directory);
        if (now.links().stream().noneMatch(l -> l.joins(a, b))) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no link joins '" + a + "' and '" + b + "'",
                    "one of "
                            + String.join(
                                    ", ",
                                    now.links().stream()
                                            .map(l -> l.a() + " " + l.b())
                                            .toList()));
        }
        WanSettings wanted = now.change(l -> l.joins(a, b) ? change.apply(l) : l);
        wanted.write(directory);
        WanReport report = await(r -> r.revision() >= wanted.revision()
                && r.links().stream()
                        .filter(l -> l.setting().joins(a, b))
                        .allMatch(l -> !l.setting().up() || l.measuredMicros() != null));
        return report.links().stream()
                .filter(l -> l.setting().joins(a, b))
                .findFirst()
                .orElseThrow();
    }

    /** The setting of the link at the start. */
    LinkSetting healed(LinkSetting link) {
        return link.withUp(true).withRoundTripMicros(wan.link().roundTripMicros());
    }

    private WanReport await(Predicate<WanReport> wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            WanReport report = report();
            if (wanted.test(report)) {
                return report;
            }
            Thread.sleep(POLL.toMillis());
        }
        throw new Failure(
                ExitCode.FAILED,
                "the wan process has not applied the change within " + LIMIT.toSeconds() + " s",
                "look at " + directory.resolve("wan.log") + ", or restart the playground");
    }
}
