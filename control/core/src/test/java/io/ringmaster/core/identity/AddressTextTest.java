package io.ringmaster.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AddressTextTest {
    @Test
    void each_text_of_an_address_is_the_same_address() {
        for (String text : List.of(
                "2001:db8::1",
                "2001:DB8:0:0::1",
                "2001:0db8:0000:0000:0000:0000:0000:0001",
                "2001:db8::0.0.0.1",
                "2001:db8::1%eth0")) {
            assertThat(AddressText.canonical(text)).as(text).isEqualTo("2001:db8:0:0:0:0:0:1");
        }
        assertThat(AddressText.canonical("::")).isEqualTo("0:0:0:0:0:0:0:0");
        assertThat(AddressText.canonical("fe80::")).isEqualTo("fe80:0:0:0:0:0:0:0");
        assertThat(AddressText.canonical("::ffff:10.1.0.255")).isEqualTo("10.1.0.255");
        assertThat(AddressText.canonical("::FFFF:a01:ff")).isEqualTo("10.1.0.255");
        assertThat(AddressText.same(List.of("10.0.0.1", "::1"), List.of("0:0:0:0:0:0:0:1", "10.0.0.1")))
                .isTrue();
        assertThat(AddressText.same(List.of("::1"), List.of("::2"))).isFalse();
    }

    @Test
    void other_texts_stay_as_they_are() {
        for (String text : List.of("10.0.0.1", "node-0", "1:2", "::g", "1:2:3:4:5:6:7:8:9", "host:7000")) {
            assertThat(AddressText.canonical(text)).isEqualTo(text);
        }
    }
}
