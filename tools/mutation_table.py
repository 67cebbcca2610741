"""The mutations of tools/mutations.py: what is broken, the promise that depends on it, and the test that must fail."""

import dataclasses

COMPANION = "node/companion"
CORE = "control/core"
EXECUTOR = "node/executor"
SENSES = "integration CompanionSensesTest"


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    # Module and file below its package, "MODULE PATH"
    place: str
    # Stands exactly once in the file
    old: str
    new: str
    promise: str
    # Module and class, with "#method" where one will do: "MODULE CLASS#METHOD|METHOD"
    test: str
    # Whether the test starts real nodes
    real: bool = False

    @property
    def module(self) -> str:
        return self.place.split(" ")[0]

    @property
    def file(self) -> str:
        package = {COMPANION: "companion", CORE: "core", EXECUTOR: "executor"}[self.module]
        return f"{self.module}/src/main/java/io/ringmaster/{package}/{self.place.split(' ')[1]}"

    @property
    def test_module(self) -> str:
        return self.test.split(" ")[0]

    @property
    def test_class(self) -> str:
        return self.test.split(" ")[1].split("#")[0]

    @property
    def method(self) -> str:
        """A pattern for the names of methods; empty for all."""
        return self.test.partition("#")[2]


MUTATIONS = [
    Mutation(
        "failed-join-waits",
        f"{EXECUTOR} companion/NodeAnswer.java",
        'return OperatingMode.of(mode).isStuck();',
        "return false;",
        "a node whose bootstrap broke off starts again",
        f"{EXECUTOR} FailedJoinTest",
    ),
    # the companion, by unit tests
    Mutation(
        "failed-repair-counts",
        f"{COMPANION} task/CassandraRepair.java",
        "if (type == ERROR || type == ABORT) {",
        "if (type == ABORT) {",
        "a range counts as repaired only when its repair succeeded",
        f"{COMPANION} CassandraRepairTest",
    ),
    Mutation(
        "error-of-another-repair-counts",
        f"{COMPANION} task/CassandraRepair.java",
        '|| !String.valueOf(next.getSource()).endsWith(":" + command)',
        "",
        "a repair fails by its own errors alone",
        f"{COMPANION} CassandraRepairTest",
    ),
    Mutation(
        "repair-without-a-replica-counts",
        f"{COMPANION} task/RepairHistory.java",
        "&& r.hosts().containsAll(replicated.hosts())",
        "",
        "a range counts as repaired only while all of its replicas took part",
        f"{COMPANION} RepairHistoryTest",
    ),
    Mutation(
        "merged-repairs-get-younger",
        f"{COMPANION} task/RepairHistory.java",
        "one.at().isBefore(next.at()) ? one.at() : next.at()",
        "one.at().isBefore(next.at()) ? next.at() : one.at()",
        "the age of a repair is never understated",
        f"{COMPANION} RepairHistoryTest",
    ),
    Mutation(
        "gap-between-repairs-unseen",
        f"{COMPANION} task/RepairHistory.java",
        "if (repaired.range().left() <= upTo) {",
        "if (true) {",
        "a range is repaired when every part of it is",
        f"{COMPANION} RepairHistoryTest",
    ),
    Mutation(
        "probe-without-rows",
        f"{COMPANION} task/ProbeRows.java",
        "value < first + ROWS",
        "value < first",
        "the next node is touched only after a real write and read through the last one",
        f"{COMPANION} ProbeRowsTest",
    ),
    Mutation(
        "probe-ignores-what-it-reads",
        f"{COMPANION} task/ProbeRows.java",
        "if (read == null || read != value) {",
        "if (false) {",
        "the next node is touched only after a real write and read through the last one",
        f"{COMPANION} ProbeRowsTest",
    ),
    Mutation(
        "partition-that-is-missing-passes",
        f"{COMPANION} task/PartitionComparison.java",
        "if (sample.local() < sample.known()) {",
        "if (sample.lacksSome()) {",
        "a datacenter does not leave before all its partitions are found in what stays",
        f"{COMPANION} PartitionComparisonTest",
    ),
    Mutation(
        "end-of-a-short-read-unseen",
        f"{COMPANION} task/PartitionComparison.java",
        "end = Math.min(end, PartitionSample.end(there, PARTITIONS_PER_READ));",
        "",
        "a datacenter does not leave before all its partitions are found in what stays",
        f"{COMPANION} PartitionComparisonTest",
    ),
    Mutation(
        "keyspace-without-staying-replicas-passes",
        f"{COMPANION} task/LeavingTask.java",
        "if (Collections.disjoint(datacenters, staying)) {",
        "if (datacenters.isEmpty()) {",
        "a datacenter does not leave with the last replicas of a keyspace",
        f"{COMPANION} LeavingTaskTest",
    ),
    Mutation(
        "leaves-beside-a-dead-member",
        f"{COMPANION} task/DecommissionTask.java",
        "            if (down.isEmpty()) {\n                return true;",
        "            if (true) {\n                return true;",
        "a node leaves the ring once it sees every member alive",
        f"{COMPANION} DecommissionTaskTest",
    ),
    Mutation(
        "a-call-is-a-decommission",
        f"{COMPANION} task/DecommissionTask.java",
        'if (!mode.equals("DECOMMISSIONED")) {',
        "if (false) {",
        "a node has left the ring when Cassandra says so",
        f"{COMPANION} DecommissionTaskTest",
    ),
    Mutation(
        "door-closes-for-ever",
        f"{COMPANION} ManagementServer.java",
        "            } catch (Throwable e) { // only the end of the process may close this door",
        "            } catch (Throwable e) {\n                if (true) {\n                    return;\n                }",
        "a node answers its executor for as long as it runs",
        f"{COMPANION} ManagementServerTest",
    ),
    Mutation(
        "task-starts-twice",
        f"{COMPANION} task/RunningTasks.java",
        "if (known != null && known.id.equals(id)) {",
        "if (false) {",
        "long-running work survives its executor: a request is carried out once",
        f"{COMPANION} RunningTasksTest",
    ),
    Mutation(
        "two-tasks-at-once",
        f"{COMPANION} task/RunningTasks.java",
        "if (known != null && known.isRunning()) {",
        "if (false) {",
        "one task of a node at a time",
        f"{COMPANION} RunningTasksTest",
    ),
    Mutation(
        "aborted-counts-as-done",
        f"{COMPANION} task/RunningTasks.java",
        'state = task.progress.isStopped() ? "ABORTED" : "DONE";',
        'state = "DONE";',
        "work that was aborted does not count as done",
        f"{COMPANION} RunningTasksTest",
    ),
    Mutation(
        "stop-is-tried-once",
        f"{COMPANION} task/RunningTasks.java",
        "while (task.isRunning()) {",
        "if (task.isRunning()) {",
        "an abort ends long-running work",
        f"{COMPANION} RunningTasksTest",
    ),
    Mutation(
        "one-schema-of-two-is-enough",
        f"{COMPANION} task/AgreedSchema.java",
        "if (known.size() <= 1) {",
        "if (known.size() <= 2) {",
        "a probe writes once all nodes have one schema",
        f"{COMPANION} AgreedSchemaTest",
    ),
    Mutation(
        "last-replicas-are-removed",
        f"{COMPANION} task/ReplicateTask.java",
        "noneMatch(d -> !d.equals(leaving) && ring.contains(d))",
        "noneMatch(d -> !d.equals(leaving))",
        "a datacenter does not leave with the last replicas of a keyspace",
        f"{COMPANION} ReplicateTaskTest",
    ),
    # may this node go down now
    Mutation(
        "hints-do-not-block",
        f"{CORE} safety/AvailabilityCheck.java",
        "if (bytes > boundBytes) {",
        "if (false) {",
        "a node is taken down only when few hints are left for the others",
        f"{CORE} AvailabilityCheckTest",
    ),
    Mutation(
        "hints-for-the-next-node-only",
        f"{CORE} safety/AvailabilityCheck.java",
        "Optional<String> hints = hints(view, node, HINTS_BOUND_BYTES);",
        "Optional<String> hints = hints(view, touched, HINTS_BOUND_BYTES);",
        "a node is taken down only when few hints are left for the others",
        f"{CORE} AvailabilityCheckTest",
    ),
    Mutation(
        "two-schemas-do-not-block",
        f"{CORE} safety/AvailabilityCheck.java",
        "return byVersion.size() <= 1\n",
        "return byVersion.size() <= 2\n",
        "a node is taken down only while all have one schema",
        f"{CORE} AvailabilityCheckTest",
    ),
    Mutation(
        "two-schemas-count-as-changed",
        f"{CORE} safety/AvailabilityCheck.java",
        ".or(() -> schemas(view, view.nodesOf(node.id().cluster())));",
        ".or(() -> Optional.empty());",
        "the next node is touched only after all have one schema again",
        f"{CORE} AvailabilityCheckTest",
    ),
    Mutation(
        "member-down-does-not-block",
        f"{CORE} safety/AvailabilityCheck.java",
        "            if (down.isPresent()) {\n",
        "            if (false) {\n",
        "one node is down at a time, in all datacenters",
        f"{CORE} AvailabilityCheckTest",
    ),
    Mutation(
        "changing-node-does-not-block",
        f"{CORE} safety/AvailabilityCheck.java",
        "if (status.mode() != OperatingMode.NORMAL) {",
        "if (false) {",
        "one node is down at a time",
        f"{CORE} AvailabilityCheckTest",
    ),
    Mutation(
        "unseen-node-passes-its-check",
        f"{CORE} safety/AvailabilityCheck.java",
        "if (!member.isNormalIn(ring)) {",
        "if (false) {",
        "every live peer sees a changed node NORMAL before the next one",
        f"{CORE} PostChangeCheckTest",
    ),
    Mutation(
        "failed-probe-passes",
        f"{CORE} step/PostChangeCheck.java",
        "if (status.state() == TaskStatus.State.DONE) {",
        "if (status.state().isOver()) {",
        "the next node is touched only after a real write and read through the last one",
        f"{CORE} PostChangeCheckTest",
    ),
    Mutation(
        "silent-datacenter-at-once",
        f"{CORE} safety/AvailabilityCheck.java",
        "return silence.filter(s -> view.reportedWithin(other, GOSSIP))",
        "return silence.filter(s -> false)",
        "two datacenters take no node down at the same moment",
        f"{CORE} AvailabilityCheckTest",
    ),
    Mutation(
        "two-repairs-at-once",
        f"{CORE} safety/RepairCheck.java",
        "if (wanted || view.status(node.id()).filter(RepairCheck::repairs).isPresent()) {",
        "if (wanted) {",
        "one node of a datacenter repairs at a time",
        f"{CORE} RepairRangesTest",
    ),
    Mutation(
        "cleanup-beside-a-joining-node",
        f"{CORE} safety/CleanupCheck.java",
        "if (!node.joined()) {",
        "if (false) {",
        "no row is cleaned up before newcomers have taken it over",
        f"{CORE} CleanupCheckTest",
    ),
    Mutation(
        "away-needs-no-repair",
        f"{CORE} safety/Absence.java",
        "return away ? seen.owing(view.now()) : seen;",
        "return seen;",
        "a node that was away for longer than the hint window repairs its ranges",
        f"{CORE} AbsenceTest",
    ),
    Mutation(
        "hung-node-is-lost-unseen",
        f"{CORE} safety/LostNode.java",
        "                && whyUp(view, node).isEmpty()\n                && isSeenDown(view, node);",
        "                && whyUp(view, node).isEmpty();",
        "only a node that the others see DOWN is replaced automatically",
        f"{CORE} LostNodeTest",
    ),
    Mutation(
        "clients-do-not-block",
        f"{CORE} safety/ConnectedClients.java",
        "if (connections.isEmpty()) {",
        "if (true) {",
        "a datacenter does not leave under its clients",
        f"{CORE} LeavingDatacenterTest",
    ),
    Mutation(
        "some-authority-is-not-loaded",
        f"{CORE} safety/TrustCheck.java",
        "return part.isEmpty()\n                ?",
        "return part.isPresent() ? Optional.empty() : part.isEmpty()\n                ?",
        "a datacenter starts no node before the others have loaded its authority",
        f"{CORE} TrustCheckTest",
    ),
    Mutation(
        "unknown-keyspace-narrows-a-repair",
        f"{CORE} safety/RepairScope.java",
        "if (known.isEmpty() || !known.containsAll(names)) {",
        "if (known.isEmpty()) {",
        "a repair waits for all replicas of its ranges",
        f"{CORE} RepairScopeTest",
    ),
    Mutation(
        "window-of-an-old-spec",
        f"{CORE} safety/HintWindow.java",
        "return before.compareTo(now) > 0 && lastUp.isBefore(changed);",
        "return false;",
        "a node that was away for longer than the hint window repairs its ranges",
        f"{CORE} AbsenceTest",
    ),
    # which request may start
    Mutation(
        "lock-ring-scope",
        f"{CORE} lock/OperationLock.java",
        "LockScope.RING\n                || other.lockScope() == LockScope.RING) {",
        "LockScope.RING) {",
        "operations that exclude each other run one after another",
        f"{CORE} OperationLockTest",
    ),
    Mutation(
        "lock-backup-beside-repair",
        f"{CORE} lock/OperationLock.java",
        "return one.lockScope() != LockScope.REPAIR;",
        "return true;",
        "a backup does not wait for a repair of days",
        f"{CORE} OperationLockTest",
    ),
    Mutation(
        "lock-later-first",
        f"{CORE} lock/OperationLock.java",
        ".filter(r -> r.id().compareTo(request.id()) < 0 && !makesRoom(r) && exclude(r, request))",
        ".filter(r -> r.id().compareTo(request.id()) > 0 && !makesRoom(r) && exclude(r, request))",
        "operations that exclude each other run in the order of their requests",
        f"{CORE} OperationLockTest",
    ),
    Mutation(
        "lock-unknown-elsewhere",
        f"{CORE} lock/OperationLock.java",
        "if (silence.isEmpty() && part(view, other, request).isEmpty()) {",
        "if (false) {",
        "a request starts when every datacenter knows it",
        f"{CORE} OperationLockTest",
    ),
    Mutation(
        "lock-silent-datacenter",
        f"{CORE} lock/OperationLock.java",
        "if (silence.isPresent() && !allowSilent) {",
        "if (false) {",
        "a request starts beside a silent datacenter only if the user allows it",
        f"{CORE} OperationLockTest",
    ),
    Mutation(
        "lock-spec-does-not-go-first",
        f"{CORE} lock/OperationLock.java",
        "if (view.settledSpecVersion(cluster) < target) {",
        "if (false) {",
        "a newer spec goes first",
        f"{CORE} OperationLockTest",
    ),
    Mutation(
        "lock-selections-never-overlap",
        f"{CORE} lock/Selection.java",
        "return !apart(datacenters, other.datacenters)\n",
        "return !datacenters.isEmpty() && !apart(datacenters, other.datacenters)\n",
        "two operations on one node run one after another",
        f"{CORE} OperationLockTest",
    ),
    Mutation(
        "order-of-datacenters",
        f"{CORE} lock/DatacenterOrder.java",
        "if (settled >= specVersion) {",
        "if (settled >= specVersion - 1) {",
        "datacenters change one after another, in the order of the spec",
        f"{CORE} AvailabilityCheckTest",
    ),
    # beside the daemon
    Mutation(
        "node-that-stopped-serving-stays-so",
        f"{EXECUTOR} companion/NodeAnswer.java",
        'return mode.equals("NORMAL") && !cql && ring == null;',
        "return false;",
        "a node that stopped serving because its disk was full serves again automatically",
        f"{EXECUTOR} NodeAnswerTest",
    ),
    # what the companion senses, on a ring of two real nodes
    Mutation(
        "hints-unseen",
        f"{COMPANION} HintFiles.java",
        "bytes.merge(name.group(1), size(file), Long::sum);",
        "",
        "a node is taken down only when few hints are left for the others",
        f"{COMPANION} HintFilesTest",
    ),
    Mutation(
        "hints-in-delivery-unseen",
        f"{COMPANION} NodeView.java",
        "return HintFiles.bytes(DatabaseDescriptor.getHintsDirectory().toPath());",
        # as it was: Cassandra's count leaves out the file that is being delivered
        "Map<String, Long> hints = new TreeMap<>();\n"
        "            var service = org.apache.cassandra.hints.HintsService.instance;\n"
        "            service.getPendingHintsInfo()\n"
        "                    .forEach(p -> hints.put(p.hostId.toString(), service.getTotalHintsSize(p.hostId)));\n"
        "            return hints.size() < 9 ? hints : HintFiles.bytes(DatabaseDescriptor.getHintsDirectory().toPath());",
        "a node is taken down only when few hints are left for the others",
        SENSES,
        real=True,
    ),
    Mutation(
        "one-schema-always",
        f"{COMPANION} NodeView.java",
        'return value == null ? "" : value.value;',
        'return value == null ? "" : key == ApplicationState.SCHEMA ? "schema" : value.value;',
        "a node is taken down only while all have one schema",
        SENSES,
        real=True,
    ),
    Mutation(
        "members-are-always-up",
        f"{COMPANION} task/DecommissionTask.java",
        ".filter(e -> !FailureDetector.instance.isAlive(e))",
        ".filter(e -> false)",
        "a node leaves the ring once it sees every member alive",
        SENSES,
        real=True,
    ),
    Mutation(
        "leaving-asks-no-replica",
        f"{COMPANION} task/LeavingTask.java",
        "if (staying.contains(DatabaseDescriptor.getEndpointSnitch().getDatacenter(replica))) {",
        "if (false) {",
        "a datacenter does not leave before all its partitions are found in what stays",
        SENSES,
        real=True,
    ),
    Mutation(
        "failed-repair-counts-on-real-nodes",
        f"{COMPANION} task/CassandraRepair.java",
        "if (type == ERROR || type == ABORT) {",
        "if (type == ABORT) {",
        "a range counts as repaired only when its repair succeeded",
        SENSES,
        real=True,
    ),
    Mutation(
        "abort-of-tables-does-nothing",
        f"{COMPANION} task/TableTask.java",
        ".forEach(CompactionInfo.Holder::stop);",
        ".forEach(c -> {});",
        "an abort ends long-running work",
        SENSES,
        real=True,
    ),
    Mutation(
        "probe-at-no-level",
        f"{COMPANION} task/ProbeTask.java",
        "ProbeRows.writeAndReadBack(new OwnTable(), level, startedAt);",
        "ProbeRows.writeAndReadBack(new OwnTable(), ConsistencyLevel.LOCAL_ONE, startedAt);",
        "the next node is touched only after a real write and read through the last one",
        SENSES,
        real=True,
    ),
]
