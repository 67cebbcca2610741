package io.ringmaster.playground.wan;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** One direction of a link. Packets keep their order; each leaves half a round trip after it has come, behind those before it. */
final class Link {
    /** Twice what one TCP stream sends through here in a second. */
    private static final long QUEUE_MAX_BYTES = 64L << 20;
    /** What a router in front of a narrow line holds back before it drops. */
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
    private final LinkedBlockingQueue<Packet> underWay = new LinkedBlockingQueue<>();
    private final AtomicLong bytesUnderWay = new AtomicLong();
    private final AtomicLong forwarded = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private volatile LinkSetting setting;
    private long lineFree;

    /**
     * @param clock {@link System#nanoTime}
     * @param exit takes a packet at the other end; false when it cannot
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

    /** Takes a packet at this end. For one thread. */
    void enter(byte[] bytes) {
        LinkSetting now = setting;
        long time = clock.getAsLong();
        long sent = time;
        if (now.bitsPerSecond() != null) {
            long begins = Math.max(time, lineFree);
            sent = begins + bytes.length * 8L * NANOS_PER_SECOND / now.bitsPerSecond();
            if (begins - time > QUEUE_MAX_NANOS) {
                dropped.incrementAndGet();
                return;
            }
            lineFree = sent;
        }
        if (!now.up() || bytesUnderWay.get() + bytes.length > QUEUE_MAX_BYTES) {
            dropped.incrementAndGet();
            return;
        }
        bytesUnderWay.addAndGet(bytes.length);
        underWay.add(new Packet(bytes, sent + now.oneWayNanos()));
    }

    /** Hands packets on when they are due, for as long as it is not interrupted. */
    void carry() {
        Kernel.prctl(Kernel.PR_SET_TIMERSLACK, 1);
        try {
            while (true) {
                Packet packet = underWay.take();
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
        bytesUnderWay.addAndGet(-packet.bytes.length);
        boolean taken = setting.up() && exit.test(packet.bytes);
        (taken ? forwarded : dropped).incrementAndGet();
    }
}
