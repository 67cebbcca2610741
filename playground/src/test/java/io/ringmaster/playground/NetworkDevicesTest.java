package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NetworkDevicesTest {
    @Test
    void devices_of_this_namespace_are_found_by_prefix() throws IOException {
        assertThat(NetworkDevices.named("lo")).contains("lo");
        assertThat(NetworkDevices.named("none-is-called-so")).isEmpty();
    }
}
