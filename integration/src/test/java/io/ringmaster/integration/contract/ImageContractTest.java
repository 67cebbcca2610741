package io.ringmaster.integration.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.process.Programs;
import io.ringmaster.executor.ExecutorMain;
import io.ringmaster.executor.container.Container;
import io.ringmaster.pool.base.ExecutorJvmOptions;
import io.ringmaster.server.ServerMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The images start their programs with the options that the code has. */
class ImageContractTest {
    @Test
    void theEntrypointOfANodeHasTheOptionsOfTheLocalPoolAndOfAContainer() throws Exception {
        List<String> expected = new ArrayList<>(List.of("${image.java.home}/bin/java"));
        expected.addAll(ExecutorJvmOptions.ALL);
        expected.addAll(Container.JVM_OPTIONS);
        expected.addAll(List.of("-cp", "/opt/ringmaster/executor/*", ExecutorMain.class.getName()));
        assertThat(entrypoint("cassandra"))
                .startsWith(expected.toArray(String[]::new))
                .contains("--contained", "--directory", "--token", "--jars", "--companion", "--engine", "--java")
                .contains("--transfer");
    }

    @Test
    void theEntrypointOfAServerHasTheOptionsOfTheCommandLine() throws Exception {
        List<String> expected = new ArrayList<>(List.of("${image.java.home}/bin/java"));
        expected.addAll(Programs.JVM_OPTIONS);
        expected.addAll(List.of("-cp", "/opt/ringmaster/server/*", ServerMain.class.getName()));
        expected.addAll(List.of("--config", "/etc/ringmaster/server.yaml"));
        assertThat(entrypoint("server")).isEqualTo(expected);
    }

    /** @param image the name of its profile */
    private static List<String> entrypoint(String image) throws Exception {
        Document pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("..", "image", "pom.xml").toFile());
        NodeList found = (NodeList) XPathFactory.newInstance()
                .newXPath()
                .evaluate("//profile[id = '" + image + "']//entrypoint/arg", pom, XPathConstants.NODESET);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            words.add(found.item(i).getTextContent());
        }
        return words;
    }
}
