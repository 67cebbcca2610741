package io.ringmaster.model.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretTest {
    private final Secret secret = new Secret("planted");

    private record Holder(String name, Secret token) {}

    @Test
    void it_never_prints_itself_not_even_as_a_part_of_a_record() {
        assertThat(secret).hasToString("***");
        assertThat(new Holder("anna", secret).toString())
                .contains("anna", "***")
                .doesNotContain("planted");
        assertThat(secret.reveal()).isEqualTo("planted");
    }

    @Test
    void it_is_equal_to_the_same_text_alone() {
        assertThat(secret).isEqualTo(new Secret("planted")).isNotEqualTo(new Secret("plante"));
        assertThat(secret.is("planted")).isTrue();
        assertThat(secret.is("planted ")).isFalse();
    }
}
