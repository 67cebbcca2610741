package io.ringmaster.playground.wan;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** One direction of a link. Packets keep their order; each leaves half a round trip after its arrival. */
final class Link {
    /** Twice the bytes of one TCP stream through a link in one second. */
    private static final long QUEUE_MAX_BYTES = 64L << 20;
    /** Queueing delay after which a router in front of a narrow line drops packets. */
    private static final long QUEUE_MAX_NANOS = 200_000_000;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final class Packet {
        private final byte[] bytes;
        private final long due;

        Packet(byte[] bytes, long due) {
            this.bytes = bytes;
            this.due = due;
        }
    }

    private final LongSupplier clock;
    private final Predicate<byte[]> exit;
    private final LinkedBlockingQueue<Packet> inFlight = new LinkedBlockingQueue<>();
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final AtomicLong forwarded = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private volatile LinkSetting setting;
    private long lineFree;

    /**
     * @param clock {@link System#nanoTime}
     * @param exit takes a packet at the other end; false when the device is down
     */
    Link(LinkSetting setting, LongSupplier clock, Predicate<byte[]> exit) {
        this.setting = setting;
        this.clock = clock;
        this.exit = exit;
        this.lineFree = clock.getAsLong();
    }

    void set(LinkSetting newSetting) {
        setting = newSetting;
    }

    long forwarded() {
        return forwarded.get();
    }

    long dropped() {
        return dropped.get();
    }

    /** Takes a packet at this end. Not thread-safe. */
    void enter(byte[] bytes) {
        LinkSetting now = setting;
        long time = clock.getAsLong();
        long sent = time;
        if (now.bitsPerSecond() != null) {
            long start = Math.max(time, lineFree);
            sent = start + bytes.length * 8L * NANOS_PER_SECOND / now.bitsPerSecond();
            if (start - time > QUEUE_MAX_NANOS) {
                dropped.incrementAndGet();
                return;
            }
            lineFree = sent;
        }
        if (!now.up() || bytesInFlight.get() + bytes.length > QUEUE_MAX_BYTES) {
            dropped.incrementAndGet();
            return;
        }
        bytesInFlight.addAndGet(bytes.length);
        inFlight.add(new Packet(bytes, sent + now.oneWayNanos()));
    }

    /** Forwards packets when they are due, until the thread is interrupted. */
    void carry() {
        Kernel.prctl(Kernel.PR_SET_TIMERSLACK, 1);
        try {
            while (true) {
                Packet packet = inFlight.take();
                for (long wait = packet.due - clock.getAsLong();
                        wait > 0 && !Thread.currentThread().isInterrupted();
                        wait = packet.due - clock.getAsLong()) {
                    LockSupport.parkNanos(wait);
                }
                leave(packet);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void leave(Packet packet) {
        bytesInFlight.addAndGet(-packet.bytes.length);
        boolean taken = setting.up() && exit.test(packet.bytes);
        (taken ? forwarded : dropped).incrementAndGet();
    }
}
