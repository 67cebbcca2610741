package io.ringmaster.pool.mesos.picture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.ports.SampleRecords;
import org.junit.jupiter.api.Test;

class PictureTest {
    private static final Allocation NODE_0 = new Allocation(
            new AllocationId("rides-dc1-node-0"),
            new NodeId(SampleRecords.RIDES, SampleRecords.DC1, 0),
            new MachineName("m1"),
            new NodePorts(7000, 7001, 9042, 9500),
            SampleRecords.RESOURCES);

    private final ObjectNode tasks = Json.mapper().createObjectNode();

    /** @param list such as completed_tasks */
    private void task(String list, String state, long generation, long millis) {
        Claim claim = new Claim(NODE_0, new RackName("r1"), generation);
        ObjectNode task = tasks.withArray(list).addObject();
        task.set("task_id", SchedulerCalls.value(MesosTask.newId(claim, millis)));
        task.set("framework_id", SchedulerCalls.value("F"));
        task.set("agent_id", SchedulerCalls.value("S1"));
        task.put("state", state);
        task.set("labels", ClaimResources.labels(claim));
    }

    private String last() {
        JsonNode agents = Json.mapper().createObjectNode();
        return Picture.of(agents, tasks, "F", SampleRecords.DC1, "ringmaster", null)
                .task(NODE_0.id())
                .map(task -> task.state() + " " + task.claim().launched())
                .orElse("");
    }

    @Test
    void the_last_task_is_that_of_the_last_launch_also_when_the_clock_was_set_back() {
        task("completed_tasks", "TASK_KILLED", 2, 1_000);
        task("completed_tasks", "TASK_FAILED", 1, 5_000);
        assertThat(last()).isEqualTo("TASK_KILLED 2");
    }

    @Test
    void a_task_that_may_run_goes_before_all_that_have_ended() {
        task("tasks", "TASK_RUNNING", 1, 1_000);
        task("completed_tasks", "TASK_ERROR", 2, 5_000);
        assertThat(last()).isEqualTo("TASK_RUNNING 1");
        task("unreachable_tasks", "TASK_UNREACHABLE", 2, 500);
        assertThat(last()).isEqualTo("TASK_UNREACHABLE 2");
    }

    @Test
    void of_one_generation_the_later_launch_is_the_last() {
        task("completed_tasks", "TASK_FAILED", 1, 5_000);
        task("completed_tasks", "TASK_DROPPED", 1, 1_000);
        assertThat(last()).isEqualTo("TASK_FAILED 1");
    }
}
