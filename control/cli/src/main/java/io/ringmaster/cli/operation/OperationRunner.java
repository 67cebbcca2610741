package io.ringmaster.cli.operation;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.cli.follow.Display;
import io.ringmaster.cli.follow.Follower;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Requests an operation from the server, and follows it to its end if the user wants to wait. */
public final class OperationRunner {
    private final Session session;
    private final RingmasterClient client;
    private final ClusterName cluster;
    private final Duration timeout;
    private @Nullable RequestId request;

    /** @param timeout limit of the wait */
    public OperationRunner(Session session, RingmasterClient client, ClusterName cluster, Duration timeout) {
        this.session = session;
        this.client = client;
        this.cluster = cluster;
        this.timeout = timeout;
    }

    /** @throws io.ringmaster.cli.session.Failure when a part fails, or the wait is over */
    public void run(String operation, OperationAsk ask, ChangeOptions options, boolean wait)
            throws InterruptedException {
        OperationAnswer answer = client.operate(cluster, operation, ask, options);
        RequestId id = answer.request().id();
        request = id;
        if (session.format() != Format.TABLE) {
            session.print(answer, List::of);
        }
        if (wait) {
            try (Display display = new Display(session.console())) {
                new Follower(client, cluster, timeout).untilOver(id, display);
            }
        }
        if (session.format() == Format.TABLE) {
            session.console()
                    .print(
                            wait
                                    ? Line.of(Style.GOOD, "done")
                                    : Line.of("requested as " + id + "; follow with: " + PROGRAM + " operation status "
                                            + cluster));
        }
    }

    /** The plans of all datacenters that have drafted theirs. */
    List<PlanId> plans() {
        return client.operations(cluster).stream()
                .filter(s -> s.request().id().equals(request))
                .flatMap(s -> s.parts().stream())
                .flatMap(p -> Stream.ofNullable(p.part()))
                .flatMap(p -> Stream.ofNullable(p.plan()))
                .toList();
    }
}
