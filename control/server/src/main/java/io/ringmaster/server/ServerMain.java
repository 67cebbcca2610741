package io.ringmaster.server;

import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.server.config.ConfigException;
import io.ringmaster.server.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code java -cp ... io.ringmaster.server.ServerMain --config server.yaml}. With {@code --warm-up} instead, the
 * process loads the classes for a class data archive and ends.
 */
public final class ServerMain {
    private static final int EXIT_USAGE = 2;
    private static final int EXIT_FAILED = 1;

    private ServerMain() {}

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--warm-up")) {
            System.exit(ServerWarmUp.run() ? 0 : EXIT_FAILED);
        }
        if (args.length != 2 || !args[0].equals("--config")) {
            fail(EXIT_USAGE, List.of("usage: ServerMain --config server.yaml"));
        }
        try {
            Server server = ServerStartup.start(ConfigReader.read(Path.of(args[1])));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
        } catch (ConfigException e) {
            fail(EXIT_USAGE, e.lines());
        } catch (IOException | RuntimeException e) {
            fail(EXIT_FAILED, List.of(ThrowableText.of(e)));
        }
    }

    private static void stop(Server server) {
        Logger log = LoggerFactory.getLogger(ServerMain.class);
        log.info("stops; the nodes keep running");
        server.close();
        log.info("stopped");
    }

    private static void fail(int code, List<String> lines) {
        lines.forEach(line -> System.err.println("server: " + line));
        System.exit(code);
    }
}
