package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the options of this JVM. */
class HeapDumpSwitchTest {
    private static final String OPTION = "HeapDumpOnOutOfMemoryError";
    private static final String PATH = "HeapDumpPath";

    @TempDir
    Path folder;

    private final HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    private final String option = jvm.getVMOption(OPTION).getValue();
    private final String path = jvm.getVMOption(PATH).getValue();

    @AfterEach
    void restore() {
        jvm.setVMOption(OPTION, option);
        jvm.setVMOption(PATH, path);
    }

    private boolean dumpsAfterALookWith(long heapBytes) {
        new HeapDumpSwitch(jvm, heapBytes).look();
        return Boolean.parseBoolean(jvm.getVMOption(OPTION).getValue());
    }

    @Test
    void dumpsAreOffWhileTheVolumeHasNoRoomForTwiceTheHeapAndOnAgainAfterwards() throws Exception {
        for (String where :
                List.of(folder.toString(), folder.resolve("dump.hprof").toString(), "")) {
            jvm.setVMOption(PATH, where);
            jvm.setVMOption(OPTION, "true");
            long usable = Files.getFileStore(folder).getUsableSpace();
            assertThat(dumpsAfterALookWith(usable)).as(where).isFalse();
            assertThat(dumpsAfterALookWith(1)).as(where).isTrue();
        }
    }

    @Test
    void anOptionOfTheSpecStaysAsItIs() {
        assertThat(HeapDumpSwitch.isLeftToUs(List.of("-Xmx1m", "-XX:+" + OPTION, "-XX:+ExitOnOutOfMemoryError")))
                .isTrue();
        assertThat(HeapDumpSwitch.isLeftToUs(List.of("-XX:-" + OPTION))).isTrue();
        assertThat(HeapDumpSwitch.isLeftToUs(List.of("-XX:-" + OPTION, "-XX:+" + OPTION)))
                .isFalse();
        assertThat(HeapDumpSwitch.isLeftToUs(List.of())).isFalse();
    }
}
