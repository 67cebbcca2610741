package io.ringmaster.authority;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.DatacenterName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that issues nothing loads no class of BouncyCastle, so that its start stays as fast as it was. */
class LoadedClassesTest {
    private static final AuthorityName CONTROL = AuthorityName.control(new DatacenterName("dc1"), 1);

    @TempDir
    Path directory;

    /** {@code DIRECTORY read|issue}. */
    static final class Program {
        public static void main(String[] args) {
            Issuer issuer = issuer(Path.of(args[0]));
            issuer.make(CONTROL);
            if (args[1].equals("issue")) {
                issuer.identity(LeafProfile.server(CONTROL, List.of("localhost")));
            }
        }
    }

    private static Issuer issuer(Path directory) {
        return new Issuer(new AuthorityDirectory(directory), CONTROL, Duration.ofDays(30), Instant::now);
    }

    private long loaded(String what) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:stdout",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        directory.toString(),
                        what)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output.lines()
                .filter(line -> line.contains(" org.bouncycastle."))
                .count();
    }

    @Test
    void reading_an_authority_loads_no_class_of_BouncyCastle() throws Exception {
        issuer(directory).make(CONTROL);
        assertThat(loaded("read")).isZero();
        assertThat(loaded("issue")).isPositive();
    }
}
