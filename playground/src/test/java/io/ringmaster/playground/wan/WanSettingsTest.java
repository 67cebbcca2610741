package io.ringmaster.playground.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WanSettingsTest {
    @TempDir
    private Path directory;

    @Test
    void three_datacenters_have_three_links() {
        WanSettings mesh = WanSettings.mesh(List.of("dc1", "dc2", "dc3"), l -> l.withRoundTripMicros(77_800));
        assertThat(mesh.links())
                .extracting(l -> l.a() + l.b() + l.roundTripMicros())
                .containsExactly("dc1dc277800", "dc1dc377800", "dc2dc377800");
    }

    @Test
    void a_change_is_a_new_revision_and_is_read_back() throws IOException {
        WanSettings cut = WanSettings.mesh(List.of("dc1", "dc2"), l -> l).change(l -> l.withUp(!l.joins("dc2", "dc1")));
        cut.write(directory);
        assertThat(WanSettings.read(directory)).isEqualTo(cut);
        assertThat(cut.revision()).isEqualTo(2);
        assertThat(cut.links().get(0).up()).isFalse();
    }

    @Test
    void a_truncated_file_is_an_error_with_its_name() throws IOException {
        Files.writeString(WanSettings.file(directory), "{\"revision\":");
        assertThatThrownBy(() -> WanSettings.read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("links.json");
    }

    @Test
    void a_link_has_two_ends_and_valid_numbers() {
        assertThatThrownBy(() -> new LinkSetting("dc1", "dc1", true, 1, null)).hasMessageContaining("'dc1'");
        assertThatThrownBy(() -> new LinkSetting("dc1", "dc2", true, -1, null)).hasMessageContaining("roundTripMicros");
        assertThatThrownBy(() -> new LinkSetting("dc1", "dc2", true, 1, 0L)).hasMessageContaining("bitsPerSecond");
    }

    @Test
    void a_subnet_knows_its_own_addresses() {
        Subnet dc2 = Subnet.parse("10.77.2.0/24");
        assertThat(dc2.machine(3)).isEqualTo("10.77.2.3");
        assertThat(dc2.server()).isEqualTo("10.77.2.254");
        assertThat(dc2.holds(new byte[] {10, 77, 2, 9}, 0)).isTrue();
        assertThat(dc2.holds(new byte[] {10, 77, 1, 9}, 0)).isFalse();
        assertThat(new Subnet(200, 1).holds(new byte[] {10, (byte) 200, 1, 9}, 0))
                .isTrue();
        for (String wrong : List.of("10.77.2.0", "11.77.2.0/24", "10.300.2.0/24", "10.77.0.0/24")) {
            assertThatThrownBy(() -> Subnet.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
