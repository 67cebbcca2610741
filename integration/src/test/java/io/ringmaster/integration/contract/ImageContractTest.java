package io.ringmaster.integration.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.ExecutorMain;
import io.ringmaster.executor.container.Container;
import io.ringmaster.pool.local.CassandraExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

/** The image of a node starts the executor with the options that the code has. */
class ImageContractTest {
    @Test
    void theEntrypointHasTheOptionsOfTheLocalPoolAndOfAContainer() throws Exception {
        List<String> expected = new ArrayList<>(List.of("${image.java.home}/bin/java"));
        expected.addAll(CassandraExecutor.JVM_OPTIONS);
        expected.addAll(Container.JVM_OPTIONS);
        expected.addAll(List.of("-cp", "/opt/ringmaster/executor/*", ExecutorMain.class.getName()));
        assertThat(entrypoint())
                .startsWith(expected.toArray(String[]::new))
                .contains("--contained", "--directory", "--token", "--jars", "--companion", "--engine", "--java");
    }

    private static List<String> entrypoint() throws Exception {
        Path pom = Path.of("..", "image", "pom.xml");
        NodeList arguments = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getElementsByTagName("arg");
        List<String> words = new ArrayList<>();
        for (int i = 0; i < arguments.getLength(); i++) {
            words.add(arguments.item(i).getTextContent());
        }
        return words;
    }
}
