package io.ringmaster.server.login;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"schedule", "automatic", "api", "unknown", "", "a b"})
    void names_of_policies_and_of_callers_without_one_belong_to_no_user(String name) {
        assertThat(UserName.isValid(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"anna", "schedule-2", "ci@example.org"})
    void other_names_are_valid(String name) {
        assertThat(UserName.isValid(name)).isTrue();
        assertThat(UserName.RULE).endsWith("none of api, automatic, schedule, unknown");
    }
}
