package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A master with agents, in this process: it answers what {@code shapes.jsonl} recorded of a real one. Tasks are only
 * noted, and volumes are texts.
 */
final class StandInMaster implements AutoCloseable {
    private static final int ALLOCATE_EVERY_MS = 10;
    private static final long REPEAT_AFTER_MS = 10_000;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, StandInAgent> agents = new LinkedHashMap<>();
    private final Map<String, StandInTask> tasks = new LinkedHashMap<>();
    private final Map<String, Offered> offers = new LinkedHashMap<>();
    /** The states in which the next operations of these types end, without being carried out. */
    private final Map<String, String> failures = new LinkedHashMap<>();
    /** Updates that no scheduler has acknowledged yet, by their uuid. */
    private final Map<String, Unacknowledged> unacknowledged = new LinkedHashMap<>();

    private final AtomicInteger numbers = new AtomicInteger();
    private @Nullable StandInScheduler scheduler;
    /** The number of offers that were made, for tests. */
    final AtomicInteger offersMade = new AtomicInteger();
    /** All that was asked and answered, for {@link StandInShapesTest}. */
    final List<Exchanged> exchanged = new CopyOnWriteArrayList<>();

    /** @param request of a client; otherwise an answer or an event */
    record Exchanged(boolean request, JsonNode body) {}

    /** Of the last request; null if it had none. */
    volatile @Nullable String authorization;

    final StandInFaults faults = new StandInFaults();

    /** Frameworks that were removed. */
    private final List<String> removed = new ArrayList<>();

    private record Offered(StandInAgent agent, ResourceBag resources) {}

    private record Unacknowledged(ObjectNode event, AtomicLong sentAt) {}

    StandInMaster(String... hostnames) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (String hostname : hostnames) {
            agents.put(hostname, new StandInAgent("S" + numbers.incrementAndGet(), hostname));
        }
        server.setExecutor(threads);
        server.createContext("/api/v1/scheduler", exchange -> handle(exchange, this::schedule));
        server.createContext("/api/v1", exchange -> handle(exchange, this::operate));
        server.start();
        var unused =
                timer.scheduleWithFixedDelay(this::tick, ALLOCATE_EVERY_MS, ALLOCATE_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private interface Handler {
        void handle(HttpExchange exchange, JsonNode body) throws IOException;
    }

    private void handle(HttpExchange exchange, Handler handler) throws IOException {
        try (exchange) {
            JsonNode body = Json.parse(exchange.getRequestBody().readAllBytes(), JsonNode.class);
            exchanged.add(new Exchanged(true, body));
            authorization = exchange.getRequestHeaders().getFirst("Authorization");
            handler.handle(exchange, body);
        } catch (RuntimeException e) {
            e.printStackTrace();
            answer(exchange, 500, e.toString());
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    // ---- what operators ask

    private void operate(HttpExchange exchange, JsonNode body) throws IOException {
        if (faults.operatorsCutOff) {
            return;
        }
        String type = body.path("type").asText();
        ObjectNode answer = object().put("type", type);
        synchronized (this) {
            switch (type) {
                case "GET_AGENTS" -> {
                    ObjectNode content = answer.putObject("get_agents");
                    ArrayNode list = content.putArray("agents");
                    agents.values().stream().filter(a -> a.registered).forEach(a -> list.add(a.json()));
                    content.putArray("recovered_agents");
                }
                case "GET_TASKS" -> answer.set("get_tasks", taskLists());
                default -> throw new IllegalArgumentException("Failed to validate " + type);
            }
        }
        exchanged.add(new Exchanged(false, answer));
        answer(exchange, 200, Json.text(answer));
    }

    private ObjectNode taskLists() {
        ObjectNode lists = object();
        ArrayNode live = lists.putArray("tasks");
        ArrayNode unreachable = lists.putArray("unreachable_tasks");
        ArrayNode completed = lists.putArray("completed_tasks");
        for (StandInTask task : tasks.values()) {
            boolean away = task.state.equals("TASK_UNREACHABLE");
            (away ? unreachable : task.isLive() || !task.acknowledged ? live : completed).add(task.json());
        }
        return lists;
    }

    // ---- the scheduler's calls

    private void schedule(HttpExchange exchange, JsonNode call) throws IOException {
        if (call.path("type").asText().equals("SUBSCRIBE")) {
            subscribe(exchange, call);
            return;
        }
        StandInFaults.Fault fault = faults.take(call.path("type").asText());
        if (fault == StandInFaults.Fault.LOST) {
            return;
        }
        String stream = exchange.getRequestHeaders().getFirst("Mesos-Stream-Id");
        String refusal = "";
        synchronized (this) {
            if (fault == StandInFaults.Fault.VOID_OFFER) {
                offers.clear();
            }
            StandInScheduler current = scheduler;
            if (stream == null || current == null || !current.streamId.equals(stream)) {
                refusal = "The stream ID '" + stream + "' included in this request didn't match the stream ID currently"
                        + " associated with framework ID "
                        + call.path("framework_id").path("value").asText();
            } else {
                carryOut(current, call);
            }
        }
        if (fault != StandInFaults.Fault.NOT_ANSWERED) {
            answer(exchange, refusal.isEmpty() ? 202 : 400, refusal);
        }
    }

    private void subscribe(HttpExchange exchange, JsonNode call) throws IOException {
        String id = call.path("framework_id").path("value").asText();
        StandInScheduler next =
                new StandInScheduler(id.isEmpty() ? "F-" + numbers.incrementAndGet() : id, exchange.getResponseBody());
        exchange.getResponseHeaders().set("Mesos-Stream-Id", next.streamId);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        synchronized (this) {
            if (!faults.refusesSubscriptions.isEmpty()) {
                next.send(error(faults.refusesSubscriptions));
                return;
            }
            if (removed.contains(id)) {
                next.send(error("Framework has been removed"));
                return;
            }
            StandInScheduler before = scheduler;
            if (before != null && before.framework.equals(next.framework)) {
                before.send(error("Framework failed over"));
            }
            if (before != null) {
                before.end();
            }
            offers.clear();
            agents.values().forEach(a -> a.refusedUntil = 0);
            scheduler = next;
            ObjectNode event = object().put("type", "SUBSCRIBED");
            ObjectNode subscribed = event.putObject("subscribed");
            subscribed.putObject("framework_id").put("value", next.framework);
            subscribed.put("heartbeat_interval_seconds", 15.0);
            send(event);
            unacknowledged.values().forEach(u -> next.send(u.event()));
        }
        try {
            next.ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ObjectNode error(String message) {
        ObjectNode event = object().put("type", "ERROR");
        event.putObject("error").put("message", message);
        return event;
    }

    private void carryOut(StandInScheduler current, JsonNode call) {
        switch (call.path("type").asText()) {
            case "ACCEPT" -> accept(call.path("accept"));
            case "DECLINE" -> decline(call.path("decline"));
            case "SUPPRESS" -> current.suppressed = true;
            case "REVIVE" -> {
                current.suppressed = false;
                agents.values().forEach(a -> a.refusedUntil = 0);
            }
            case "KILL" -> kill(current, call.path("kill"));
            case "ACKNOWLEDGE" -> {
                unacknowledged.remove(call.path("acknowledge").path("uuid").asText());
                StandInTask task = tasks.get(
                        call.path("acknowledge").path("task_id").path("value").asText());
                if (task != null && !task.isLive()) {
                    task.acknowledged = true;
                }
            }
            case "ACKNOWLEDGE_OPERATION_STATUS" ->
                unacknowledged.remove(
                        call.path("acknowledge_operation_status").path("uuid").asText());
            case "RECONCILE" ->
                tasks.values().stream()
                        .filter(t -> t.isLive() && t.framework.equals(current.framework))
                        .forEach(t -> update(
                                t, t.state, "REASON_RECONCILIATION", "Reconciliation: Latest task state", false));
            default -> throw new IllegalArgumentException(call.toString());
        }
    }

    private void decline(JsonNode decline) {
        for (JsonNode id : decline.path("offer_ids")) {
            Offered offer = offers.remove(id.path("value").asText());
            if (offer != null) {
                double seconds = decline.path("filters").path("refuse_seconds").asDouble(5);
                offer.agent().refusedUntil = System.currentTimeMillis() + (long) (seconds * 1000);
            }
        }
    }

    private void accept(JsonNode accept) {
        String id = accept.path("offer_ids").path(0).path("value").asText();
        Offered offer = offers.remove(id);
        for (JsonNode operation : accept.path("operations")) {
            String type = operation.path("type").asText();
            if (type.equals("LAUNCH")) {
                operation.path("launch").path("task_infos").forEach(info -> launch(id, offer, info));
            } else {
                String operationId = operation.path("id").path("value").asText();
                String fault = failures.remove(type);
                if (fault != null) {
                    operationStatus(operationId, fault, "as the test wants it", null);
                } else if (offer == null) {
                    String error = "Operation attempted with invalid offers: Offer " + id + " is no longer valid";
                    operationStatus(operationId, "OPERATION_ERROR", error, null);
                } else {
                    String error = change(offer, type, operation.path(type.toLowerCase(Locale.ROOT)));
                    operationStatus(
                            operationId,
                            error.isEmpty() ? "OPERATION_FINISHED" : "OPERATION_ERROR",
                            error,
                            error.isEmpty() ? offer.agent() : null);
                }
            }
        }
    }

    /** @return why it is refused; empty if it was carried out */
    private static String change(Offered offer, String type, JsonNode content) {
        for (JsonNode resource :
                type.equals("CREATE") || type.equals("DESTROY") ? content.path("volumes") : content.path("resources")) {
            JsonNode other =
                    switch (type) {
                        case "RESERVE", "UNRESERVE" -> ResourceBag.unreserved(resource);
                        default -> ResourceBag.withoutVolume(resource);
                    };
            boolean makes = type.equals("RESERVE") || type.equals("CREATE");
            JsonNode from = makes ? other : resource;
            JsonNode to = makes ? resource : other;
            if (!offer.resources().remove(from) || !offer.agent().total.remove(from)) {
                return offer.resources().json(null) + " does not contain " + from;
            }
            offer.resources().add(to);
            offer.agent().total.add(to);
            String volume = resource.path("disk").path("persistence").path("id").asText();
            if (type.equals("CREATE")) {
                offer.agent().folders.putIfAbsent(volume, "");
            } else if (type.equals("DESTROY")) {
                offer.agent().folders.remove(volume);
            }
        }
        return "";
    }

    /** @param agent that says it; null for the master */
    private void operationStatus(String id, String state, String message, @Nullable StandInAgent agent) {
        ObjectNode event = object().put("type", "UPDATE_OPERATION_STATUS");
        ObjectNode status = event.putObject("update_operation_status").putObject("status");
        status.putObject("operation_id").put("value", id);
        status.put("state", state);
        if (agent == null) {
            status.put("message", message);
            send(event);
            return;
        }
        String uuid = uuid();
        status.putObject("uuid").put("value", uuid);
        status.putObject("agent_id").put("value", agent.id);
        sendUntilAcknowledged(uuid, event);
    }

    private void launch(String offerId, @Nullable Offered offer, JsonNode info) {
        String id = info.path("task_id").path("value").asText();
        StandInScheduler current = scheduler;
        if (offer == null || current == null) {
            refuse(id, "TASK_DROPPED", "REASON_INVALID_OFFERS", "Offer " + offerId + " is no longer valid");
            return;
        }
        String fault = failures.remove("LAUNCH");
        if (fault != null) {
            refuse(id, fault, "REASON_INVALID_OFFERS", "as the test wants it");
            return;
        }
        StandInTask same = tasks.get(id);
        if (same != null && same.isLive()) {
            refuse(id, "TASK_ERROR", "REASON_TASK_INVALID", "Task has duplicate ID: " + id);
            return;
        }
        for (JsonNode resource : info.path("resources")) {
            if (!offer.resources().remove(resource)) {
                refuse(
                        id,
                        "TASK_ERROR",
                        "REASON_TASK_INVALID",
                        resource + " is more than available "
                                + offer.resources().json(null));
                return;
            }
        }
        StandInTask task = new StandInTask(current.framework, offer.agent(), info);
        tasks.put(id, task);
        update(task, "TASK_STARTING", "", "", true);
        var unused = timer.schedule(() -> starts(task), ALLOCATE_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void starts(StandInTask task) {
        if (task.state.equals("TASK_STARTING")) {
            update(task, "TASK_RUNNING", "", "", true);
        }
    }

    private void refuse(String task, String state, String reason, String message) {
        ObjectNode event = object().put("type", "UPDATE");
        ObjectNode status = event.putObject("update").putObject("status");
        status.putObject("task_id").put("value", task);
        status.put("state", state).put("reason", reason).put("message", message).put("source", "SOURCE_MASTER");
        send(event);
    }

    private void kill(StandInScheduler current, JsonNode kill) {
        StandInTask task = tasks.get(kill.path("task_id").path("value").asText());
        if (task != null && task.framework.equals(current.framework) && task.isLive() && task.agent.registered) {
            update(task, "TASK_KILLED", "", "Command terminated with signal Terminated", true);
        }
    }

    private void update(StandInTask task, String state, String reason, String message, boolean byAgent) {
        task.state = state;
        ObjectNode event = object().put("type", "UPDATE");
        ObjectNode status = event.putObject("update").putObject("status");
        status.putObject("task_id").put("value", task.id);
        status.putObject("agent_id").put("value", task.agent.id);
        status.put("state", state).put("message", message).put("source", byAgent ? "SOURCE_EXECUTOR" : "SOURCE_MASTER");
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        status.put("timestamp", Instant.now().toEpochMilli() / 1000.0);
        if (byAgent) {
            String uuid = uuid();
            status.put("uuid", uuid);
            task.statuses.add(status.deepCopy());
            sendUntilAcknowledged(uuid, event);
        } else {
            send(event);
        }
    }

    // ---- offers and updates

    private synchronized void tick() {
        StandInScheduler current = scheduler;
        if (current == null || !current.isConnected()) {
            return;
        }
        long now = System.currentTimeMillis();
        unacknowledged.values().stream()
                .filter(u -> now - u.sentAt().get() > REPEAT_AFTER_MS)
                .forEach(u -> {
                    u.sentAt().set(now);
                    current.send(u.event());
                });
        if (!current.suppressed) {
            agents.values().stream()
                    .filter(a -> a.registered && !a.deactivated && a.refusedUntil <= now)
                    .filter(a ->
                            offers.values().stream().noneMatch(o -> o.agent().equals(a)))
                    .forEach(a -> offer(current, a));
        }
    }

    private void offer(StandInScheduler current, StandInAgent agent) {
        ResourceBag free = agent.total.copy();
        tasks.values().stream().filter(t -> t.agent.equals(agent) && t.isLive()).forEach(t -> t.info.path("resources")
                .forEach(free::remove));
        if (faults.volumesHeldBack) {
            StreamSupport.stream(free.json(null).spliterator(), false)
                    .filter(r -> r.has("disk"))
                    .forEach(free::remove);
        }
        String id = "O" + numbers.incrementAndGet();
        offers.put(id, new Offered(agent, free));
        offersMade.incrementAndGet();
        ObjectNode event = object().put("type", "OFFERS");
        ObjectNode offer = event.putObject("offers").putArray("offers").addObject();
        offer.putObject("id").put("value", id);
        offer.putObject("framework_id").put("value", current.framework);
        offer.putObject("agent_id").put("value", agent.id);
        offer.put("hostname", agent.hostname);
        offer.set("resources", free.json("ringmaster"));
        send(event);
    }

    private void send(ObjectNode event) {
        exchanged.add(new Exchanged(false, event));
        StandInScheduler current = scheduler;
        if (current != null) {
            current.send(event);
        }
    }

    private void sendUntilAcknowledged(String uuid, ObjectNode event) {
        unacknowledged.put(uuid, new Unacknowledged(event, new AtomicLong(System.currentTimeMillis())));
        send(event);
    }

    private static ObjectNode object() {
        return Json.mapper().createObjectNode();
    }

    private static String uuid() {
        return Base64.getEncoder()
                .encodeToString(UUID.randomUUID().toString().substring(0, 16).getBytes(StandardCharsets.US_ASCII));
    }

    // ---- what tests do and see

    private Optional<StandInTask> live(String allocation) {
        return tasks.values().stream()
                .filter(t -> t.label("allocation").equals(allocation) && t.isLive())
                .findFirst();
    }

    /** The container of what runs in an allocation. */
    synchronized Optional<String> run(String allocation) {
        return live(allocation).map(t -> t.container);
    }

    synchronized void crash(String allocation) {
        live(allocation).ifPresent(t -> update(t, "TASK_FAILED", "", "Command terminated with signal Killed", true));
    }

    synchronized void writeToVolume(String allocation, String text) {
        agents.values().forEach(a -> a.volumes(allocation).forEach(volume -> a.folders.put(volume, text)));
    }

    synchronized Optional<String> readFromVolume(String allocation) {
        return agents.values().stream()
                .flatMap(a -> a.volumes(allocation).map(volume -> a.folders.getOrDefault(volume, "")))
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    /**
     * Lets the next operation of a type end in this state, without being carried out.
     *
     * @param type such as CREATE or LAUNCH
     * @param state such as OPERATION_FAILED or TASK_DROPPED
     */
    synchronized void fail(String type, String state) {
        failures.put(type, state);
    }

    /** The names of the resources that are reserved for an allocation, such as cpus. */
    synchronized List<String> reserved(String allocation) {
        String label = "\"" + allocation + "\"";
        return agents.values().stream()
                .flatMap(a -> StreamSupport.stream(a.total.json(null).spliterator(), false))
                .filter(r -> r.path("reservations").toString().contains(label))
                .map(r -> r.path("name").asText())
                .sorted()
                .toList();
    }

    /** The master loses an agent, whose tasks run on. */
    synchronized void lose(String hostname) {
        StandInAgent agent = agent(hostname);
        agent.registered = false;
        offers.values().removeIf(o -> o.agent().equals(agent));
        tasks.values().stream()
                .filter(t -> t.agent.equals(agent) && t.isLive())
                .forEach(t -> update(t, "TASK_UNREACHABLE", "REASON_AGENT_REMOVED", "health check timed out", false));
        ObjectNode event = object().put("type", "FAILURE");
        event.putObject("failure").putObject("agent_id").put("value", agent.id);
        send(event);
    }

    /** The agent is back, with what ran on it. */
    synchronized void find(String hostname) {
        StandInAgent agent = agent(hostname);
        agent.registered = true;
        tasks.values().stream()
                .filter(t -> t.agent.equals(agent) && t.isLive())
                .forEach(t -> update(
                        t, "TASK_RUNNING", "REASON_AGENT_REREGISTERED", "Unreachable agent re-reregistered", false));
    }

    /** The agent is back without its state, as another one: what was reserved there is gone, but the folders stay. */
    synchronized void findEmpty(String hostname) {
        StandInAgent next = new StandInAgent("S" + numbers.incrementAndGet(), hostname);
        next.folders.putAll(agent(hostname).folders);
        agents.put(hostname, next);
    }

    /** The calls of one type that arrived. */
    List<JsonNode> calls(String type) {
        return exchanged.stream()
                .filter(e -> e.request() && e.body().path("type").asText().equals(type))
                .map(Exchanged::body)
                .toList();
    }

    private StandInAgent agent(String hostname) {
        return Optional.ofNullable(agents.get(hostname)).orElseThrow();
    }

    /** Removes the framework that is subscribed, with its tasks; reservations stay. */
    synchronized void removeFramework() {
        StandInScheduler current = scheduler;
        if (current != null) {
            removed.add(current.framework);
            tasks.values().removeIf(t -> t.framework.equals(current.framework));
            current.send(error("Framework has been removed"));
            current.end();
        }
    }

    /** Ends the stream of the scheduler, as a failure of the network does. */
    synchronized void dropStream() {
        if (scheduler != null) {
            scheduler.end();
            scheduler = null;
        }
    }

    /** Whether offers are suppressed. */
    synchronized boolean isSuppressed() {
        return scheduler != null && scheduler.suppressed;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        dropStream();
        server.stop(0);
        threads.shutdownNow();
    }
}
