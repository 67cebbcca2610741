package io.ringmaster.pool.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.pool.mesos.api.FrameworkId;
import io.ringmaster.pool.mesos.api.FrameworkInfo;
import io.ringmaster.pool.mesos.api.MasterConnection;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.pool.mesos.api.SchedulerStream;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import io.ringmaster.ports.FakePoolRecords;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SchedulerStreamTest {
    private final CountDownLatch subscribed = new CountDownLatch(1);

    private final BlockingQueue<String> lost = new LinkedBlockingQueue<>();

    private final SchedulerStream.Listener listener = new SchedulerStream.Listener() {
        @Override
        public void subscribed() {
            subscribed.countDown();
        }

        @Override
        public void event(JsonNode event) {}

        @Override
        public void frameworkRemoved() {}

        @Override
        public void lost(String reason) {
            lost.add(reason);
        }
    };

    @Test
    void calls_go_to_the_master_of_the_stream_also_when_another_one_answers_operators()
            throws IOException, InterruptedException {
        try (StandInMaster first = new StandInMaster(MesosSamples.MACHINE);
                StandInMaster second = new StandInMaster(MesosSamples.MACHINE)) {
            MesosPoolSettings settings = MesosSamples.settings(List.of(first.address(), second.address()));
            MasterConnection masters = new MasterConnection(settings);
            FrameworkId id = new FrameworkId(new FakePoolRecords(), settings.datacenter());
            try (SchedulerStream stream = new SchedulerStream(masters, new FrameworkInfo(settings, id), listener)) {
                stream.start();
                assertThat(subscribed.await(10, TimeUnit.SECONDS)).isTrue();
                first.faults.operatorsCutOff = true;
                masters.ask("GET_AGENTS");
                assertThat(masters.master()).isEqualTo(second.address());
                stream.call(SchedulerCalls.reconcile());
                assertThat(first.calls("RECONCILE")).hasSize(1);
                assertThat(second.calls("RECONCILE")).isEmpty();
            }
        }
    }

    @Test
    void a_change_of_the_principal_is_named_with_a_way_out() throws InterruptedException {
        try (StandInMaster master = new StandInMaster(MesosSamples.MACHINE)) {
            master.faults.refusesSubscriptions = "Changing framework's principal is not allowed.";
            MesosPoolSettings settings = MesosSamples.settings(master.address());
            FrameworkId id = new FrameworkId(new FakePoolRecords(), settings.datacenter());
            try (SchedulerStream stream =
                    new SchedulerStream(new MasterConnection(settings), new FrameworkInfo(settings, id), listener)) {
                stream.start();
                assertThat(lost.poll(10, TimeUnit.SECONDS))
                        .startsWith("pool.mesos.principal: Changing")
                        .contains("former principal", "docs/mesos.md");
            }
        }
    }
}
