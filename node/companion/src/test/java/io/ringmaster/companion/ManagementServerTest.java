package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ManagementServerTest {
    @TempDir
    Path directory;

    private Path socket;
    private final CountDownLatch hang = new CountDownLatch(1);
    private final AtomicInteger atWork = new AtomicInteger();
    private ManagementServer server;

    @BeforeEach
    void open() throws IOException {
        socket = directory.resolve("mgmt.sock");
        server = ManagementServer.open(
                socket,
                Map.of(
                        "POST /mbean", MBeanCall::answer,
                        "GET /broken",
                                (body, reply) -> {
                                    throw new IllegalStateException("outer", new IOException("inner"));
                                },
                        "GET /asserted",
                                (body, reply) -> {
                                    throw new AssertionError();
                                },
                        "GET /exhausted",
                                (body, reply) -> {
                                    throw new OutOfMemoryError("unable to create native thread");
                                },
                        "GET /hanging",
                                (body, reply) -> {
                                    atWork.incrementAndGet();
                                    hang.await();
                                    reply.json(Map.of());
                                }));
    }

    @AfterEach
    void close() throws IOException {
        hang.countDown();
        server.close();
    }

    private String ask(String request, String body) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            String whole = request + " HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
            channel.write(ByteBuffer.wrap(whole.getBytes(StandardCharsets.UTF_8)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void onlyTheNodesUserMayUseTheSocket() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
    }

    @Test
    void aSocketLeftByADeadProcessIsReplaced() throws IOException {
        server.close();
        assertThat(socket).exists();
        open();
        assertThat(ask("POST /mbean", "{\"query\":\"java.lang:type=Runtime\"}")).contains("java.lang:type=Runtime");
    }

    @Test
    void aSocketThatAProcessListensOnStaysItsOwn() throws IOException {
        assertThatThrownBy(() -> ManagementServer.open(socket, Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("another process listens on " + socket
                        + ", so a daemon of this node runs already -> end it first, or leave it running");
        assertThat(ask("POST /mbean", "{\"query\":\"java.lang:type=Runtime\"}")).startsWith("HTTP/1.1 200");
    }

    @Test
    void theDoorStaysOpenAfterFailuresToAccept() throws IOException {
        server.close();
        socket = directory.resolve("failing.sock");
        AtomicInteger failures = new AtomicInteger(2);
        FailingChannel channel = new FailingChannel(socket, () -> {
            if (failures.getAndDecrement() > 0) {
                if (failures.get() > 0) {
                    throw new IOException("Too many open files");
                }
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        server = ManagementServer.open(
                channel, Map.of("GET /node", (body, reply) -> reply.json(Map.of())), Duration.ofSeconds(10));
        assertThat(ask("GET /node", "")).startsWith("HTTP/1.1 200");
        assertThat(failures).hasNegativeValue();
    }

    @Test
    void connectionsThatSendNoWholeRequestAreClosedAndHoldNoThread() throws IOException {
        server.close();
        server = ManagementServer.open(
                directory.resolve("short.sock"),
                Map.of("GET /node", (body, reply) -> reply.json(Map.of()), "GET /slow", (body, reply) -> {
                    Thread.sleep(2100); // an answer may take longer than a request
                    reply.json(Map.of());
                }),
                Duration.ofSeconds(2));
        socket = directory.resolve("short.sock");
        List<SocketChannel> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) { // as many as there are threads
                if (i == 10) { // the threads are at work: fewer wait than are refused
                    assertThat(ask("GET /node", "")).startsWith("HTTP/1.1 200");
                }
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                idle.add(channel);
                String part = List.of("", "GET /no", "GET /slow HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
                        .get(i % 3);
                channel.write(ByteBuffer.wrap(part.getBytes(StandardCharsets.UTF_8)));
            }
            assertThat(ask("GET /slow", "")).startsWith("HTTP/1.1 200");
            for (SocketChannel channel : idle) {
                assertThat(Channels.newInputStream(channel).read()).isEqualTo(-1);
            }
        } finally {
            for (SocketChannel channel : idle) {
                channel.close();
            }
        }
    }

    @Test
    void requestsThatHangKeepTheDoorOpenForOthers() throws Exception {
        List<FutureTask<String>> hanging = Stream.generate(() -> new FutureTask<>(() -> ask("GET /hanging", "")))
                .limit(5)
                .toList();
        hanging.forEach(request -> new Thread(request).start());
        while (atWork.get() < 5) {
            Thread.sleep(5);
        }
        for (int i = 0; i < 50; i++) {
            assertThat(ask("GET /hanging", ""))
                    .startsWith("HTTP/1.1 503")
                    .contains("5 requests GET /hanging are at work: ask again later");
        }
        assertThat(ask("POST /mbean", "{\"query\":\"java.lang:type=Runtime\"}")).startsWith("HTTP/1.1 200");
        hang.countDown();
        for (FutureTask<String> request : hanging) {
            assertThat(request.get()).startsWith("HTTP/1.1 200");
        }
        assertThat(ask("GET /hanging", "")).startsWith("HTTP/1.1 200");
    }

    @Test
    void anErrorOfTheJvmIsAnsweredAndTheServerKeepsServing() throws IOException {
        for (int i = 0; i < 25; i++) { // more than there are threads
            assertThat(ask("GET /exhausted", ""))
                    .startsWith("HTTP/1.1 500")
                    .contains("java.lang.OutOfMemoryError: unable to create native thread");
        }
        assertThat(ask("POST /mbean", "{\"query\":\"java.lang:type=Runtime\"}")).startsWith("HTTP/1.1 200");
    }

    @Test
    void anAssertionOfCassandraIsAnswered() throws IOException {
        assertThat(ask("GET /asserted", ""))
                .startsWith("HTTP/1.1 500")
                .contains("java.lang.AssertionError at ManagementServerTest.");
    }

    @Test
    void attributesAreAnsweredAsPlainJson() throws IOException {
        assertThat(ask("POST /mbean", "{\"mbean\":\"java.lang:type=Memory\",\"attribute\":\"HeapMemoryUsage\"}"))
                .startsWith("HTTP/1.1 200")
                .contains("\"used\":");
    }

    @Test
    void operationsTakeTypedArguments() throws IOException {
        String call = "{\"mbean\":\"java.lang:type=Threading\",\"operation\":\"getThreadCpuTime\","
                + "\"signature\":[\"long\"],\"arguments\":[1]}";
        assertThat(ask("POST /mbean", call)).startsWith("HTTP/1.1 200").contains("\"value\":");
    }

    @Test
    void aWrongArgumentIsNamed() throws IOException {
        String call = "{\"mbean\":\"java.lang:type=Threading\",\"operation\":\"getThreadCpuTime\","
                + "\"signature\":[\"long\"],\"arguments\":[\"one\"]}";
        assertThat(ask("POST /mbean", call)).startsWith("HTTP/1.1 400").contains("arguments[0] is not a long");
    }

    @Test
    void anUnknownMBeanOrRouteIsNamedWithTheAlternatives() throws IOException {
        assertThat(ask("POST /mbean", "{\"mbean\":\"a:b=c\",\"attribute\":\"x\"}"))
                .startsWith("HTTP/1.1 404")
                .contains("a:b=c");
        assertThat(ask("GET /nothing", "")).startsWith("HTTP/1.1 404").contains("POST /mbean");
    }

    @Test
    void malformedRequestsAreRefusedAndTheServerKeepsServing() throws IOException {
        assertThat(ask("POST /mbean", "{")).startsWith("HTTP/1.1 400").contains("not JSON");
        assertThat(ask("POST /mbean", "{}")).startsWith("HTTP/1.1 400").contains("mbean is missing");
        assertThat(ask("GET /" + "x".repeat(10_000), ""))
                .startsWith("HTTP/1.1 400")
                .contains("longer than");
        assertThat(ask("GET /broken", "")).startsWith("HTTP/1.1 500").contains("inner");
    }

    /** Sends notifications as Cassandra's StorageService does. */
    public interface WorkMBean {
        int workAsync(int events);
    }

    public static final class Work extends NotificationBroadcasterSupport implements WorkMBean {
        @Override
        public int workAsync(int events) {
            if (events == 0) {
                return 0;
            }
            Thread worker = new Thread(() -> {
                for (int i = 1; i <= events; i++) {
                    Notification event = new Notification("progress", "repair:7", i, "event " + i);
                    event.setUserData(Map.of("type", i == events ? 5 : 1, "progressCount", i, "total", events));
                    sendNotification(event);
                    sendNotification(new Notification("progress", "repair:8", i, "another repair's"));
                }
            });
            worker.start();
            return 7;
        }
    }

    @Test
    void aWatchedOperationStreamsItsOwnProgressToTheEnd() throws Exception {
        ObjectName name = new ObjectName("test:type=Work");
        ManagementFactory.getPlatformMBeanServer().registerMBean(new Work(), name);
        try {
            String call = "{\"mbean\":\"test:type=Work\",\"operation\":\"workAsync\",\"signature\":[\"int\"],"
                    + "\"arguments\":[%d],\"watch\":true,\"timeoutSeconds\":10}";
            String answer = ask("POST /mbean", call.formatted(3));
            assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4).lines().toList())
                    .hasSize(5)
                    .first()
                    .isEqualTo("{\"started\":7}");
            assertThat(answer).contains("event 3").doesNotContain("another repair's");
            assertThat(ask("POST /mbean", call.formatted(0))).endsWith("{\"started\":0}\n{\"value\":0}\n");
        } finally {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
    }
}
