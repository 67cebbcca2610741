package io.ringmaster.cli.command;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.session.Durations;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.cli.session.SessionSource;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.client.EventFollower;
import io.ringmaster.wire.client.UnreachableException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ringmaster events}: the event stream of the server. */
@Command(
        name = "events",
        description = "Print changes as they happen, until Ctrl-C. With -o json, one object per line.",
        footer = {"", "Examples:", "  ringmaster events --cluster rides", "  ringmaster events --for 30s -o json"})
public final class EventsCommand implements Callable<Integer> {
    private static final Duration RECONNECT = Duration.ofSeconds(1);

    @ParentCommand
    private SessionSource root;

    @Option(names = "--cluster", paramLabel = "CLUSTER", description = "Only events of this cluster.")
    private @Nullable ClusterName cluster;

    @Option(names = "--after", paramLabel = "ID", description = "Start after this event.")
    private @Nullable String after;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Stop after this time; default: never.")
    private @Nullable Duration limit;

    @Override
    public Integer call() throws InterruptedException {
        Session session = root.session();
        long start = System.nanoTime();
        try (EventFollower events = session.client().follow(after)) {
            while (limit == null || System.nanoTime() - start < limit.toNanos()) {
                next(session, events)
                        .filter(e -> cluster == null || cluster.equals(e.cluster()))
                        .ifPresent(e -> print(session, e));
            }
        }
        return ExitCode.OK.number();
    }

    private static Optional<Event> next(Session session, EventFollower events) throws InterruptedException {
        try {
            return events.next(Duration.ofMillis(500));
        } catch (UnreachableException e) {
            session.console().note(Line.of("the event stream broke (" + ThrowableText.of(e) + "); reconnecting"));
            Thread.sleep(RECONNECT.toMillis());
            return Optional.empty();
        }
    }

    private static void print(Session session, Event e) {
        if (session.format() == Format.TABLE) {
            session.console().print(e.at().truncatedTo(ChronoUnit.MILLIS) + "  " + e.subject() + "  " + e.text());
        } else if (session.format() == Format.JSON) {
            session.console().print(Json.text(e));
        } else {
            session.print(e, java.util.List::of);
        }
    }
}
