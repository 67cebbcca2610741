package io.ringmaster.playground.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Only orders and lower bounds of times are asserted: how much later than due a packet leaves is the computer's affair.
 */
@Timeout(30)
class LinkTest {
    private static final long MILLI = 1_000_000;

    private record Arrival(int packet, long at) {}

    private final LinkedBlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();
    private @Nullable Thread carrier;

    @AfterEach
    void stop() {
        if (carrier != null) {
            carrier.interrupt();
        }
    }

    private Link link(LinkSetting setting) {
        Link link = new Link(setting, System::nanoTime, p -> arrived.add(new Arrival(p[0], System.nanoTime())));
        carrier = new Thread(link::carry);
        carrier.setDaemon(true);
        carrier.start();
        return link;
    }

    private static LinkSetting setting(long roundTripMillis) {
        return new LinkSetting("dc1", "dc2", true, roundTripMillis * 1_000, null);
    }

    private Arrival arrival() throws InterruptedException {
        Arrival next = arrived.poll(10, TimeUnit.SECONDS);
        assertThat(next).as("a packet within ten seconds").isNotNull();
        return next;
    }

    @Test
    void a_packet_leaves_about_half_a_round_trip_after_its_arrival() throws Exception {
        long entered = System.nanoTime();
        link(setting(100)).enter(new byte[] {1});
        assertThat(arrival().at() - entered).isGreaterThanOrEqualTo(49 * MILLI);
    }

    @Test
    void packets_keep_their_order_when_the_delay_shrinks() throws Exception {
        Link link = link(setting(200));
        link.enter(new byte[] {1});
        link.set(setting(0));
        link.enter(new byte[] {2});
        assertThat(arrival().packet()).isEqualTo(1);
        assertThat(arrival().packet()).isEqualTo(2);
    }

    @Test
    void a_cut_link_drops_new_packets_and_those_in_flight() throws Exception {
        Link link = link(setting(200));
        link.enter(new byte[] {1});
        link.set(setting(200).withUp(false));
        link.enter(new byte[] {2});
        link.set(setting(200).withUp(false));
        while (link.dropped() < 2) {
            Thread.sleep(5);
        }
        link.set(setting(0));
        link.enter(new byte[] {3});
        assertThat(arrival().packet()).isEqualTo(3);
        while (link.forwarded() < 1) {
            Thread.sleep(5); // the link counts a packet after it has handed it on
        }
        assertThat(link.forwarded()).isEqualTo(1);
    }

    @Test
    void a_narrow_line_sends_packets_one_after_another_and_drops_late_ones() throws Exception {
        Link link = link(new LinkSetting("dc1", "dc2", true, 0, 80_000L));
        long entered = System.nanoTime();
        for (int packet = 1; packet <= 10; packet++) {
            byte[] bytes = new byte[1_000];
            bytes[0] = (byte) packet;
            link.enter(bytes);
        }
        assertThat(arrival().at() - entered).isGreaterThanOrEqualTo(100 * MILLI);
        assertThat(arrival().at() - entered).isGreaterThanOrEqualTo(200 * MILLI);
        assertThat(link.dropped())
                .as("at 100 ms each, three fit before 200 ms are full")
                .isEqualTo(7);
    }
}
