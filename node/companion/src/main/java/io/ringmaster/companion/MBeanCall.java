package io.ringmaster.companion;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.companion.ManagementServer.Refusal;
import io.ringmaster.companion.cassandra.FailureText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/**
 * Gives access to Cassandra's MBeans without a JMX port. The body of a request is one of:
 *
 * <pre>
 * {"query": "org.apache.cassandra.db:*"}                                             names
 * {"mbean": "...:type=StorageService", "attribute": "LiveNodes"}                     value
 * {"mbean": "...", "operation": "drain", "signature": [], "arguments": []}           value
 * {"mbean": "...", "operation": "repairAsync", ..., "watch": true, "timeoutSeconds": 600}  progress, then value
 * </pre>
 */
final class MBeanCall {
    /**
     * The ordinal of COMPLETE in {@code org.apache.cassandra.utils.progress.ProgressEventType}; it always comes last.
     */
    private static final int PROGRESS_COMPLETE = 5;

    private static final Map<String, Class<?>> PRIMITIVES = Map.of(
            "int",
            int.class,
            "long",
            long.class,
            "boolean",
            boolean.class,
            "double",
            double.class,
            "float",
            float.class);

    private MBeanCall() {}

    static void answer(JsonNode body, Reply reply) throws IOException, JMException, Refusal, InterruptedException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        if (body.has("query")) {
            Set<ObjectName> names = server.queryNames(name(body, "query"), null);
            reply.json(Map.of(
                    "names", names.stream().map(ObjectName::toString).sorted().toList()));
            return;
        }
        ObjectName mbean = name(body, "mbean");
        if (!server.isRegistered(mbean)) {
            throw new Refusal(
                    404,
                    "mbean '" + mbean + "' does not exist; list them with {\"query\": \"org.apache.cassandra.*:*\"}");
        }
        if (body.has("attribute")) {
            reply.json(value(server.getAttribute(mbean, text(body, "attribute"))));
        } else if (body.path("watch").asBoolean()) {
            watch(server, mbean, body, reply);
        } else {
            reply.json(value(invoke(server, mbean, body)));
        }
    }

    private static Object invoke(MBeanServer server, ObjectName mbean, JsonNode body) throws JMException, Refusal {
        JsonNode signature = body.path("signature");
        JsonNode arguments = body.path("arguments");
        if (signature.size() != arguments.size()) {
            throw new Refusal(
                    400, "signature has " + signature.size() + " types, arguments has " + arguments.size() + " values");
        }
        String[] types = new String[signature.size()];
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = signature.get(i).asText();
            values[i] = argument(types[i], arguments.get(i), i);
        }
        return server.invoke(mbean, text(body, "operation"), values, types);
    }

    private static Object argument(String type, JsonNode value, int index) throws Refusal {
        try {
            Class<?> target = PRIMITIVES.containsKey(type) ? PRIMITIVES.get(type) : Class.forName(type);
            return Jackson.MAPPER.convertValue(value, target);
        } catch (ClassNotFoundException | IllegalArgumentException e) {
            throw new Refusal(400, "arguments[" + index + "] is not a " + type + ": " + value);
        }
    }

    /**
     * Runs an operation that returns a number and notifies under it, such as repairAsync, and follows it to its end.
     */
    private static void watch(MBeanServer server, ObjectName mbean, JsonNode body, Reply reply)
            throws IOException, JMException, Refusal, InterruptedException {
        long deadline = System.nanoTime()
                + TimeUnit.SECONDS.toNanos(body.path("timeoutSeconds").asLong(600));
        BlockingQueue<Notification> notifications = new LinkedBlockingQueue<>();
        NotificationListener listener = (notification, handback) -> notifications.add(notification);
        server.addNotificationListener(mbean, listener, null, null);
        try {
            Object started = invoke(server, mbean, body);
            reply.event(Map.of("started", JmxValues.toJson(started)));
            boolean over = Integer.valueOf(0).equals(started); // nothing to do
            while (!over) {
                Notification next = notifications.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw new Refusal(504, "the operation did not end within the timeout and still runs");
                }
                if (String.valueOf(next.getSource()).endsWith(":" + started)) {
                    reply.event(event(next));
                    over = next.getUserData() instanceof Map<?, ?> data
                            && Integer.valueOf(PROGRESS_COMPLETE).equals(data.get("type"));
                }
            }
            reply.event(value(started));
        } finally {
            server.removeNotificationListener(mbean, listener);
        }
    }

    private static Map<String, Object> event(Notification notification) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("message", String.valueOf(notification.getMessage()));
        event.put("progress", JmxValues.toJson(notification.getUserData()));
        return event;
    }

    private static Map<String, Object> value(Object value) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("value", JmxValues.toJson(value));
        return answer;
    }

    private static ObjectName name(JsonNode body, String field) throws Refusal {
        String text = text(body, field);
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new Refusal(400, field + " '" + text + "' is not an object name: " + FailureText.of(e));
        }
    }

    private static String text(JsonNode body, String field) throws Refusal {
        if (!body.path(field).isTextual()) {
            throw new Refusal(
                    400,
                    field + " is missing: give one of "
                            + List.of("query", "mbean and attribute", "mbean and operation"));
        }
        return body.get(field).asText();
    }
}
