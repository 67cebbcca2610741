package io.ringmaster.ports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@link Peers} also do to which a datacenter that nobody configured can introduce itself. */
public abstract class IntroductionsContract extends PeersContract {
    @Test
    void a_datacenter_that_introduces_itself_becomes_known() {
        Peers one = started(DC1);
        one.publish(report(DC1, 1));
        assertThat(one.known()).isEmpty();
        started(DC3, DC1).publish(report(DC3, 3));
        awaitReport(DC1, DC3, 3);
        awaitReport(DC3, DC1, 1);
        assertThat(one.known()).containsExactly(DC3);
    }
}
