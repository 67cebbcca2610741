package io.ringmaster.server.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.StoreUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RecentViewTest {
    private static final View VIEW = View.empty(Instant.EPOCH, 0, new DatacenterName("dc1"), List.of(), List.of());
    private static final int KEPT_MS = 1000;

    private final AtomicInteger loads = new AtomicInteger();

    private static StoreUnavailableException away() {
        return new StoreUnavailableException("load", new IllegalStateException("no quorum"));
    }

    @Test
    void a_view_and_a_failure_are_both_kept_for_a_second() {
        var good = new RecentView(() -> {
            loads.incrementAndGet();
            return VIEW;
        });
        assertThat(good.now()).isSameAs(VIEW);
        assertThat(good.now()).isSameAs(VIEW);
        assertThat(loads).hasValue(1);
        var bad = new RecentView(() -> {
            loads.incrementAndGet();
            throw away();
        });
        assertThatThrownBy(bad::now).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(bad::now).isInstanceOf(StoreUnavailableException.class);
        assertThat(loads).hasValue(2);
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void while_one_caller_waits_for_a_store_that_failed_the_others_fail_at_once() throws Exception {
        var asked = new CountDownLatch(1);
        var answers = new CountDownLatch(1);
        var view = new RecentView(() -> {
            if (loads.incrementAndGet() == 1) {
                throw away();
            }
            asked.countDown();
            await(answers);
            return VIEW;
        });
        assertThatThrownBy(view::now).isInstanceOf(StoreUnavailableException.class);
        TimeUnit.MILLISECONDS.sleep(KEPT_MS + 100);
        CompletableFuture<View> waiting = CompletableFuture.supplyAsync(view::now);
        await(asked);
        assertThatThrownBy(view::now).isInstanceOf(StoreUnavailableException.class);
        answers.countDown();
        assertThat(waiting.get()).isSameAs(VIEW);
        assertThat(view.now()).isSameAs(VIEW);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
