package io.ringmaster.server.change;

import io.ringmaster.controller.Controller;
import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.controller.ControllerRequests;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.server.refusal.ProblemException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the controller on its own thread and waits for the result. A refusal becomes a {@link ProblemException}. */
public final class ControllerGateway {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerGateway.class);
    /** Longer than the 8 s for which the store retries a commit. */
    private static final long PATIENCE_S = 20;

    private final ControllerLoop loop;
    private final Supplier<Optional<Problem>> storeTrouble;

    /** @param storeTrouble why the store does not work, where this server knows that */
    public ControllerGateway(ControllerLoop loop, Supplier<Optional<Problem>> storeTrouble) {
        this.loop = loop;
        this.storeTrouble = storeTrouble;
    }

    /** @throws ProblemException the controller refused, or did not answer in time */
    public <T> T request(Function<Controller, Answer<T>> request) {
        Answer<T> answer = ask(request);
        if (answer instanceof Answer.Refused<T> refused) {
            throw ProblemException.of(refused.problems());
        }
        return ((Answer.Accepted<T>) answer).value();
    }

    /**
     * For a request of this caller, which the audit names.
     *
     * @throws ProblemException the controller refused, or did not answer in time
     */
    public <T> T request(Principal caller, Function<ControllerRequests, Answer<T>> request) {
        AuditOrigin origin = AuditOrigin.of(caller);
        return request(c -> request.apply(c.requests().from(origin)));
    }

    /** Runs an action on the controller's thread, without waiting for it. */
    public void later(Consumer<Controller> action) {
        CompletableFuture<Boolean> unused = loop.ask(c -> {
                    action.accept(c);
                    return true;
                })
                .exceptionally(failure -> {
                    LOG.warn("a request that nobody waits for failed", failure);
                    return false;
                });
    }

    public <T> T ask(Function<Controller, T> question) {
        try {
            return loop.ask(question).get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the controller failed", e.getCause());
        } catch (TimeoutException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.STORE_UNAVAILABLE,
                    "the controller did not answer within " + PATIENCE_S + " s"
                            + storeTrouble
                                    .get()
                                    .map(p -> " (" + p.message() + ")")
                                    .orElse("")
                            + "; it is not known whether the change was made",
                    "read the state before you try again"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
