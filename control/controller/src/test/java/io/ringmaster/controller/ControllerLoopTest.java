package io.ringmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.ApplyResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ControllerLoopTest {
    private final FakeDatacenter dc1 = new FakeFleet(1).dc(1);
    private final ControllerLoop loop = new ControllerLoop(dc1.controller);

    @AfterEach
    void stop() {
        loop.close();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }

    @Test
    void it_answers_on_its_own_thread_in_the_order_of_arrival() throws Exception {
        loop.onLost();
        loop.onElected(dc1.store.nextEpoch());
        loop.accept(dc1.pool.snapshot());
        CompletableFuture<String> asked = loop.ask(c -> Thread.currentThread().getName());
        CompletableFuture<Answer<ApplyResult>> applied =
                loop.ask(c -> c.requests().applySpec("yaml", Requests.oneDatacenter(), null, "alice", false, false));
        loop.start();
        assertThat(get(asked)).isEqualTo("controller");
        assertThat(get(applied)).isInstanceOf(Answer.Accepted.class);
        assertThat(loop.view().plans()).hasSize(1);
    }

    @Test
    void a_request_that_throws_fails_alone() throws Exception {
        loop.start();
        CompletableFuture<String> bad = loop.ask(c -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(() -> get(bad)).hasRootCauseMessage("no");
        assertThat(get(loop.ask(Controller::leads))).isTrue();
    }

    @Test
    void closing_it_fails_those_who_still_wait() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        loop.start();
        CompletableFuture<Boolean> first = loop.ask(c -> {
            busy.countDown();
            try {
                return new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return false;
            }
        });
        assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Boolean> second = loop.ask(Controller::leads);
        loop.close();
        assertThat(get(first)).isFalse();
        assertThatThrownBy(() -> get(second)).hasMessageContaining("closed");
        assertThatThrownBy(() -> get(loop.ask(Controller::leads))).hasMessageContaining("closed");
    }
}
