package io.ringmaster.pool.mesos.picture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.ports.SampleRecords;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PictureTest {
    private static final Allocation NODE_0 = new Allocation(
            new AllocationId("rides-dc1-node-0"),
            new NodeId(SampleRecords.RIDES, SampleRecords.DC1, 0),
            new MachineName("m1"),
            new NodePorts(7000, 7001, 9042, 9500),
            SampleRecords.RESOURCES);

    private static final String PORTS =
            "{'name': 'ports', 'type': 'RANGES', 'ranges': {'range': [{'begin': 7000, 'end': 9999}]}, 'role': '*'}";

    private final ObjectNode agents = Json.mapper().createObjectNode();
    private final ObjectNode tasks = Json.mapper().createObjectNode();

    /** @param list such as completed_tasks */
    private ObjectNode task(String list, String state, long generation, long millis) {
        Claim claim = new Claim(NODE_0, new RackName("r1"), generation);
        ObjectNode task = tasks.withArray(list).addObject();
        task.set("task_id", SchedulerCalls.value(MesosTask.newId(claim, millis)));
        task.set("framework_id", SchedulerCalls.value("F"));
        task.set("agent_id", SchedulerCalls.value("S1"));
        task.put("state", state);
        task.set("labels", ClaimResources.labels(claim));
        return task;
    }

    /** The agent m1, with this much reserved for the allocation. */
    private void agent(String id, String role, String... names) {
        ObjectNode agent = agents.putArray("agents").addObject();
        agent.putObject("agent_info").put("hostname", "m1").set("id", SchedulerCalls.value(id));
        agent.put("pid", "slave(1)@127.0.0.11:5051");
        ArrayNode total = agent.putArray("total_resources");
        total.add(Json.parse(PORTS.replace('\'', '"'), JsonNode.class));
        ClaimResources resources = new ClaimResources(role, null);
        resources.room(new Claim(NODE_0, new RackName("r1"), 0)).stream()
                .filter(r -> List.of(names).contains(r.name()))
                .forEach(r -> total.add(r.json()));
    }

    private Picture picture() {
        return Picture.of(agents, tasks, "F", SampleRecords.DC1, "ringmaster", null);
    }

    private Optional<Status> status() {
        return AllocationStates.state(picture(), NODE_0, Instant.EPOCH).map(AllocationState::status);
    }

    private String last() {
        return picture()
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

    @Test
    void a_task_on_an_agent_that_is_back_as_another_one_is_not_live_but_counts_as_a_launch() {
        task("unreachable_tasks", "TASK_UNREACHABLE", 3, 1_000);
        agent("S1", "ringmaster", "cpus", "mem", "ports");
        assertThat(status()).contains(Status.UNREACHABLE);
        agent("S2", "ringmaster");
        assertThat(picture().liveTask(NODE_0.id())).isEmpty();
        assertThat(picture().launched(NODE_0.id())).isEqualTo(3);
        assertThat(status()).isEmpty();
    }

    @Test
    void a_live_task_on_its_registered_agent_is_never_gone() {
        task("tasks", "TASK_RUNNING", 1, 1_000);
        agent("S1", "ringmaster");
        assertThat(picture().holding(NODE_0.id())).isEmpty();
        assertThat(status()).contains(Status.RUNNING);
    }

    @Test
    void what_is_reserved_for_another_role_or_runs_on_it_belongs_to_another_server() {
        agent("S1", "other", "cpus", "mem", "ports");
        ObjectNode task = task("tasks", "TASK_RUNNING", 1, 1_000);
        task.set("framework_id", SchedulerCalls.value("G"));
        task.set("resources", agents.path("agents").path(0).path("total_resources"));
        assertThat(picture().allocations()).isEmpty();
        agent("S1", "ringmaster", "cpus", "mem", "ports");
        assertThat(picture().holding(NODE_0.id())).isPresent();
        assertThat(last()).isEmpty();
        task.set("resources", agents.path("agents").path(0).path("total_resources"));
        assertThat(last()).isEqualTo("TASK_RUNNING 1");
    }
}
