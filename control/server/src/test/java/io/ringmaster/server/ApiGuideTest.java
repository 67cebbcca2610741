package io.ringmaster.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of {@code docs/api.md} in order, in one shell, against a running server. */
class ApiGuideTest {
    private static final Path GUIDE = Path.of("../../docs/api.md");
    private static final Pattern BLOCK = Pattern.compile("```(sh|text)\\n(.*?)```", Pattern.DOTALL);
    private static final String MARK = "<<end of example>>";

    @TempDir
    Path directory;

    /** @param expected the lines that the guide shows, {@code ...} matches anything */
    private record Example(String script, List<String> expected) {}

    @Test
    void every_example_does_what_the_guide_says() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
        try (var datacenter = TestDatacenter.alone(directory)) {
            Path token = Files.writeString(directory.resolve("token"), TestDatacenter.TOKEN);
            List<Example> examples = examples(datacenter.url().toString(), token);
            assertThat(examples).hasSizeGreaterThan(10);
            List<String> outputs = run(examples);
            for (int i = 0; i < examples.size(); i++) {
                Example example = examples.get(i);
                List<String> lines = outputs.get(i).lines().toList();
                for (String expected : example.expected) {
                    assertThat(lines).as(example.script).anyMatch(line -> fits(expected, line));
                }
            }
        }
    }

    private List<Example> examples(String url, Path token) throws IOException {
        String guide = Files.readString(GUIDE)
                .replace("http://127.0.0.1:8080", url)
                .replace("~/.ringmaster/token", token.toString())
                .replace(
                        "/tmp/ringmaster-demo.yaml",
                        directory.resolve("demo.yaml").toString());
        var examples = new ArrayList<Example>();
        var blocks = BLOCK.matcher(guide);
        while (blocks.find()) {
            if (blocks.group(1).equals("sh")) {
                examples.add(new Example(blocks.group(2), List.of()));
            } else {
                Example last = examples.remove(examples.size() - 1);
                examples.add(new Example(last.script, blocks.group(2).lines().toList()));
            }
        }
        return examples;
    }

    private List<String> run(List<Example> examples) throws IOException, InterruptedException {
        // answers do not end with a newline
        var script = new StringBuilder("set -euo pipefail\n")
                .append("curl() { command curl \"$@\" || { local code=$?; echo; return $code; }; echo; }\n");
        examples.forEach(
                e -> script.append(e.script).append("echo '").append(MARK).append("'\n"));
        Path output = directory.resolve("output");
        Process bash = new ProcessBuilder("bash", "-c", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(bash.waitFor(TestDatacenter.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            bash.destroyForcibly();
        }
        String text = Files.readString(output, UTF_8);
        assertThat(bash.exitValue()).as(text).isZero();
        return List.of(text.split(Pattern.quote(MARK), -1));
    }

    private static boolean fits(String expected, String line) {
        String pattern = Pattern.quote(expected).replace("...", "\\E.*\\Q");
        return Pattern.compile(pattern).matcher(line).find();
    }
}
