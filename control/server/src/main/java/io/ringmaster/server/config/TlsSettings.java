package io.ringmaster.server.config;

import io.ringmaster.ports.ConfigSection;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server that listens by TLS.
 *
 * @param seedListen where nodes of this computer may ask for their seeds by http; null if they ask by https
 * @param certificateLife of the server's own certificate and those of its executors and nodes, which are renewed after
 *     two thirds of it
 * @param trustDirectory the CAs of the fleet's servers, one file each; all servers of one computer share it
 */
public record TlsSettings(@Nullable InetSocketAddress seedListen, Duration certificateLife, Path trustDirectory) {
    private static final Duration LIFE = Duration.ofDays(30);
    private static final Pattern LIFE_FORM = Pattern.compile("([1-9][0-9]{0,4})([mhd])");
    private static final String SEED_LISTEN = "seed_listen";

    /** @return null if TLS is off */
    static @Nullable TlsSettings read(ConfigSection root, Path tokenFile) {
        boolean on = root.optional("tls", "on or off", TlsSettings::isOn).orElse(false);
        Path trust = root.optionalPath("trust_directory", "a directory").orElse(tokenFile.resolveSibling("trust"));
        Duration life = root.optional("certificate_life", "a time such as 30d, 12h or 1m", TlsSettings::life)
                .orElse(LIFE);
        if (!on) {
            for (String needing : List.of(SEED_LISTEN, "certificate_life")) {
                if (root.has(needing)) {
                    root.error(needing, "needs tls: on; without TLS remove it");
                }
            }
            return null;
        }
        String form = "a loopback address:port such as 127.0.0.1:8090";
        InetSocketAddress seeds =
                root.optional(SEED_LISTEN, form, TlsSettings::loopback).orElse(null);
        return new TlsSettings(seeds, life, trust);
    }

    /** Of all certificates that the server issues; nodes can have TLS without it. */
    static Duration lifeOf(@Nullable TlsSettings tls) {
        return tls == null ? LIFE : tls.certificateLife();
    }

    private static boolean isOn(String text) {
        if (!text.equals("on") && !text.equals("off")) {
            throw new IllegalArgumentException();
        }
        return text.equals("on");
    }

    private static InetSocketAddress loopback(String text) {
        InetSocketAddress address = ConfigReader.address(text);
        if (!address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("not on loopback");
        }
        return address;
    }

    private static Duration life(String text) {
        Matcher life = LIFE_FORM.matcher(text);
        if (!life.matches()) {
            throw new IllegalArgumentException("a number and m, h or d");
        }
        int count = Integer.parseInt(life.group(1));
        return switch (life.group(2)) {
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }
}
