package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.UnusableAuthorityException;
import io.ringmaster.wire.client.FailureReason;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Issues the certificates of nodes and sends them to their executors. What fails is logged and asked for again. */
final class CertificateDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateDelivery.class);

    private final HttpExecutorClient client;
    private final Authorities authorities;
    private final Executor signer;

    /** @param signer a signature takes milliseconds, so it must not hold up the polls */
    CertificateDelivery(HttpExecutorClient client, Authorities authorities, Executor signer) {
        this.client = client;
        this.authorities = authorities;
        this.signer = signer;
    }

    void make(Command.MakeAuthority command) {
        later(
                () -> client.report(new Fact.AuthorityMade(command.authority(), authorities.make(command.authority()))),
                command.authority());
    }

    void issue(Command.Certify command) {
        later(
                () -> send(
                        command,
                        new IdentityUpdate(
                                authorities.issue(command.profile(), command.publicKey()),
                                command.trust(),
                                cqlChain(command))),
                command.node());
    }

    /** With its authority, which the executor does not know otherwise. */
    private List<CertificatePem> cqlChain(Command.Certify command) {
        Command.Certify.CqlLeaf cql = command.cql();
        return cql == null
                ? List.of()
                : Stream.concat(
                                authorities.issue(cql.profile(), command.publicKey()).stream(),
                                Stream.of(cql.authority()))
                        .toList();
    }

    private void later(Runnable task, Object subject) {
        try {
            signer.execute(() -> {
                try {
                    task.run();
                } catch (UnusableAuthorityException | IllegalArgumentException e) {
                    LOG.warn("{}: no certificate: {}", subject, e.getMessage());
                }
            });
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    private void send(Command.Certify command, IdentityUpdate update) {
        Optional<ExecutorAccess> access = client.access(command.allocation());
        if (access.isEmpty()) {
            LOG.info("{}: certificate not delivered: {}", command.node(), HttpExecutorClient.NO_ACCESS);
            return;
        }
        HttpRequest request = client.request(
                        access.get(), "identity", client.timing().answer())
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArray(Json.bytes(update)))
                .build();
        var unused = client.send(access.get(), request).whenComplete((response, failure) -> {
            if (failure != null) {
                LOG.info("{}: certificate not delivered: {}", command.node(), FailureReason.of(failure));
            } else if (response.statusCode() != 200) {
                LOG.warn(
                        "{}: certificate refused with HTTP {}: {}",
                        command.node(),
                        response.statusCode(),
                        response.body());
            }
        });
    }
}
