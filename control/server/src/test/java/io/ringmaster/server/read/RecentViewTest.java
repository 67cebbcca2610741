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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RecentViewTest {
    private static final View VIEW = View.empty(Instant.EPOCH, 0, new DatacenterName("dc1"), List.of(), List.of());
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger loads = new AtomicInteger();

    private static StoreUnavailableException away() {
        return new StoreUnavailableException("load", new IllegalStateException("no quorum"));
    }

    @Test
    void a_view_and_a_failure_are_both_kept_for_a_second() {
        var good = new RecentView(nanos::get, () -> {
            loads.incrementAndGet();
            return VIEW;
        });
        assertThat(good.now()).isSameAs(VIEW);
        nanos.addAndGet(SECOND - 1);
        assertThat(good.now()).isSameAs(VIEW);
        assertThat(loads).hasValue(1);
        nanos.addAndGet(1);
        assertThat(good.now()).isSameAs(VIEW);
        assertThat(loads).hasValue(2);
        var bad = new RecentView(nanos::get, () -> {
            loads.incrementAndGet();
            throw away();
        });
        assertThatThrownBy(bad::now).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(bad::now).isInstanceOf(StoreUnavailableException.class);
        assertThat(loads).hasValue(3);
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void while_one_caller_waits_for_a_store_that_failed_the_others_fail_at_once() throws Exception {
        var asked = new CountDownLatch(1);
        var answers = new CountDownLatch(1);
        var view = new RecentView(nanos::get, () -> {
            if (loads.incrementAndGet() == 1) {
                throw away();
            }
            asked.countDown();
            await(answers);
            return VIEW;
        });
        assertThatThrownBy(view::now).isInstanceOf(StoreUnavailableException.class);
        nanos.addAndGet(SECOND);
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
