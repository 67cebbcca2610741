package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** A subscribed scheduler: writes its events as RecordIO. */
final class StandInScheduler {
    final String framework;
    final String streamId = UUID.randomUUID().toString();
    final CountDownLatch ended = new CountDownLatch(1);
    volatile boolean suppressed;
    private final OutputStream out;

    StandInScheduler(String framework, OutputStream out) {
        this.framework = framework;
        this.out = out;
    }

    synchronized void send(ObjectNode event) {
        byte[] json = Json.bytes(event);
        try {
            out.write((json.length + "\n").getBytes(StandardCharsets.US_ASCII));
            out.write(json);
            out.flush();
        } catch (IOException e) {
            end();
        }
    }

    boolean isConnected() {
        return ended.getCount() > 0;
    }

    void end() {
        ended.countDown();
    }
}
