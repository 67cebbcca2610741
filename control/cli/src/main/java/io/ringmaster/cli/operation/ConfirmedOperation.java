package io.ringmaster.cli.operation;

import io.ringmaster.cli.load.ProbeLoad;
import io.ringmaster.cli.screen.OperationScreen;
import io.ringmaster.cli.session.ConfirmAndWait;
import io.ringmaster.cli.session.Format;
import io.ringmaster.cli.session.Session;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import java.time.Instant;
import java.util.Optional;

/**
 * An operation whose plan the user sees before it is requested.
 *
 * @param operation its name in the server's catalogue
 */
public record ConfirmedOperation(Session session, ClusterName cluster, String operation, OperationAsk ask) {
    /**
     * Shows the plan and, unless this is a dry run, asks the user and requests it.
     *
     * @param allowSilentPeers whether to continue although a datacenter does not answer
     * @param load that runs meanwhile, which needs a wait
     */
    public void run(ConfirmAndWait options, boolean allowSilentPeers, Optional<ProbeLoad> load)
            throws InterruptedException {
        RingmasterClient client = session.client();
        OperationAnswer draft =
                client.operate(cluster, operation, ask, new ChangeOptions(true, false, allowSilentPeers, false));
        if (options.dryRun() || session.format() == Format.TABLE) {
            session.print(
                    draft,
                    () -> OperationScreen.draft(
                            draft, Instant.now(), session.console().width()));
        }
        if (options.dryRun()) {
            return;
        }
        session.confirm(Character.toUpperCase(operation.charAt(0)) + operation.substring(1) + "?", options.yes());
        var work = new OperationRunner(session, client, cluster, options.timeout());
        var change = new ChangeOptions(false, false, allowSilentPeers, false);
        if (load.isPresent()) {
            load.get().run(cluster, () -> work.run(operation, ask, change, true), work::plans);
        } else {
            work.run(operation, ask, change, options.waits());
        }
    }
}
