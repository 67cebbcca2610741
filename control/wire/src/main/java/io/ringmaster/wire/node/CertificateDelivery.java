package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ThrowableText;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Issues the certificates of nodes and sends them to their executors. What fails is logged and asked for again. */
final class CertificateDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateDelivery.class);
    private static final String NONE = "{}: no certificate: {}";

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
                () -> {
                    AuthorityName wanted = command.authority();
                    AuthorityName name = command.isNew() ? authorities.unused(wanted) : authorities.newest(wanted);
                    client.report(new Fact.AuthorityMade(name, authorities.make(name)));
                },
                command.authority());
    }

    void issue(Command.Certify command) {
        later(
                () -> {
                    IdentityUpdate update =
                            new IdentityUpdate(chain(command, command.profile()), command.trust(), cqlChain(command));
                    boolean some = !update.chain().isEmpty() || !update.cql().isEmpty();
                    boolean both = !update.chain().isEmpty() && !update.cql().isEmpty();
                    if (command.together() ? both : some) {
                        send(command, update);
                    }
                },
                command.node());
    }

    /** With its authority, which the executor does not know otherwise. */
    private List<CertificatePem> cqlChain(Command.Certify command) {
        Command.Certify.CqlLeaf cql = command.cql();
        List<CertificatePem> chain = cql == null ? List.of() : chain(command, cql.profile());
        return cql == null || chain.isEmpty()
                ? List.of()
                : Stream.concat(chain.stream(), Stream.of(cql.authority())).toList();
    }

    /** Empty if it is not wanted or cannot be issued, which must not hold up the other certificate of the node. */
    private List<CertificatePem> chain(Command.Certify command, @Nullable LeafProfile profile) {
        try {
            return profile == null ? List.of() : authorities.issue(profile, command.publicKey());
        } catch (UnusableAuthorityException | IllegalArgumentException e) {
            LOG.warn(NONE, command.node(), ThrowableText.of(e));
            return List.of();
        }
    }

    private void later(Runnable task, Object subject) {
        try {
            signer.execute(() -> {
                try {
                    task.run();
                } catch (UnusableAuthorityException | IllegalArgumentException e) {
                    LOG.warn(NONE, subject, ThrowableText.of(e));
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
            } else if (response.statusCode() == HttpExecutorClient.CONFLICT) {
                LOG.info("{}: the executor does not take a certificate now: {}", command.node(), response.body());
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
