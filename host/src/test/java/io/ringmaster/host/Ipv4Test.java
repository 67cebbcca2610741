package io.ringmaster.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class Ipv4Test {
    @Test
    void only_four_numbers_without_leading_zeros_are_a_literal() {
        for (String good : List.of("0.0.0.0", "10.0.0.7", "127.1.9.1", "199.200.249.250", "255.255.255.255")) {
            assertThat(Ipv4.parse(good)).hasValueSatisfying(address -> assertThat(address.getHostAddress())
                    .isEqualTo(good));
        }
        for (String bad : List.of(
                "",
                "1",
                "127.1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.",
                "1..2.3",
                "256.1.1.1",
                "300.1.1.1",
                "01.1.1.1",
                "1.1.1.00",
                "010.0.0.7",
                "1.2.3.4 ",
                "1.2.3.-4",
                "1.2.3.\u0664",
                "localhost",
                "::1")) {
            assertThat(Ipv4.parse(bad)).as(bad).isEmpty();
        }
    }
}
