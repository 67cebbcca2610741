package io.ringmaster.integration;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What strangers get at a port: by {@code openssl s_client} with each version of TLS, and in clear text. */
final class PortScan {
    private static final List<String> TOO_OLD = List.of("-tls1", "-tls1_1");
    private static final List<String> GOOD = List.of("-tls1_2", "-tls1_3");
    private static final Pattern NEGOTIATED = Pattern.compile("(?m)^New, [^(\\s]+, Cipher is [^(\\s]+");
    private static final Pattern ALERT = Pattern.compile("SSL alert number \\d+");
    private static final Pattern CLOSED = Pattern.compile("unexpected eof while reading|write:errno=104");
    private static final Pattern OFFERED = Pattern.compile("SSL handshake has read \\d+ bytes and written [1-9]");
    private static final int SECONDS = 10;
    private static final int MILLIS = SECONDS * 1000;
    private static final int SILENCE_MILLIS = 500;
    private static final int JOBS = 8;
    private static final byte TLS_ALERT = 21;
    private static final int ALERT_BYTES = 7;

    private static final byte[] HTTP =
            "GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Requests that the ports of a playground would answer if they took clear text. */
    private static final Map<String, byte[]> CLEAR_TEXT = Map.of(
            "HTTP",
            HTTP,
            "HTTP of executors",
            "GET /v1/status HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            "CQL",
            new byte[] {4, 0, 0, 0, 5, 0, 0, 0, 0},
            "internode",
            internode());

    private PortScan() {}

    /** Cassandra's first message: its magic, flags and the version that is wanted. */
    private static byte[] internode() {
        byte[] message = new byte[72];
        System.arraycopy(new byte[] {(byte) 0xCA, 0x55, 0x2D, (byte) 0xFA, 0, 0x0C, 0x0C, 0x0C}, 0, message, 0, 8);
        return message;
    }

    /** The program is on the path. */
    static boolean hasOpenssl() {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "openssl")));
    }

    /** Why the ports do not take TLS 1.2 or 1.3 alone; empty if all do. */
    static List<String> faults(Collection<InetSocketAddress> endpoints) throws InterruptedException {
        ExecutorService jobs = Executors.newFixedThreadPool(JOBS);
        try {
            Map<InetSocketAddress, Findings> findings = new LinkedHashMap<>();
            endpoints.forEach(endpoint -> findings.put(endpoint, Findings.of(endpoint, jobs)));
            List<String> faults = new ArrayList<>();
            for (var each : findings.entrySet()) {
                each.getValue().faults().forEach(fault -> faults.add(each.getKey() + " " + fault));
            }
            return faults;
        } finally {
            jobs.shutdownNow();
        }
    }

    private record Findings(Map<String, Future<String>> tls, Map<String, Future<String>> clearText) {
        static Findings of(InetSocketAddress endpoint, ExecutorService jobs) {
            Map<String, Future<String>> tls = new LinkedHashMap<>();
            for (String version : TOO_OLD) {
                tls.put(version, jobs.submit(() -> client(endpoint, version)));
            }
            for (String version : GOOD) {
                tls.put(version, jobs.submit(() -> client(endpoint, version)));
            }
            Map<String, Future<String>> clearText = new LinkedHashMap<>();
            CLEAR_TEXT.forEach((name, text) -> clearText.put(name, jobs.submit(() -> answer(endpoint, text))));
            return new Findings(tls, clearText);
        }

        List<String> faults() throws InterruptedException {
            List<String> faults = new ArrayList<>();
            for (String version : TOO_OLD) {
                String output = got(tls.get(version));
                if (!isRefusedByTheServer(output)) {
                    faults.add("does not refuse openssl s_client " + version + ": " + output);
                }
            }
            if (!NEGOTIATED
                    .matcher(got(tls.get(GOOD.get(0))) + got(tls.get(GOOD.get(1))))
                    .find()) {
                faults.add("takes neither TLS 1.2 nor 1.3: " + got(tls.get(GOOD.get(1))));
            }
            for (var each : clearText.entrySet()) {
                String answer = got(each.getValue());
                if (!answer.isEmpty()) {
                    faults.add("answers " + each.getKey() + " in clear text: " + answer);
                }
            }
            return faults;
        }

        private static String got(Future<String> future) throws InterruptedException {
            try {
                return future.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause());
            }
        }
    }

    /** With the ciphers and signatures of old versions: with the defaults openssl does not even offer these. */
    private static String client(InetSocketAddress endpoint, String version) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "timeout",
                        Integer.toString(SECONDS),
                        "openssl",
                        "s_client",
                        version,
                        "-cipher",
                        "DEFAULT@SECLEVEL=0",
                        "-connect",
                        endpoint.getAddress().getHostAddress() + ":" + endpoint.getPort())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor(MILLIS, TimeUnit.MILLISECONDS);
        return output;
    }

    /** An error of the client, such as no usable cipher, is no refusal. */
    private static boolean isRefusedByTheServer(String output) {
        boolean ended = ALERT.matcher(output).find() || CLOSED.matcher(output).find();
        return ended
                && OFFERED.matcher(output).find()
                && !NEGOTIATED.matcher(output).find();
    }

    /** Empty if the port ends the connection, with an alert of TLS or with nothing. */
    private static String answer(InetSocketAddress endpoint, byte[] message) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(endpoint, MILLIS);
            socket.setSoTimeout(MILLIS);
            socket.getOutputStream().write(message);
            socket.getOutputStream().flush();
            byte[] answer = untilTheEnd(socket.getInputStream());
            boolean alert = answer.length == ALERT_BYTES && answer[0] == TLS_ALERT;
            return answer.length == 0 || alert ? "" : new String(answer, StandardCharsets.ISO_8859_1);
        } catch (SocketTimeoutException e) {
            return "the connection stays open for " + SECONDS + " s";
        } catch (SocketException reset) {
            return "";
        }
    }

    /** Whether the port answers nothing to a request in clear text, and does not even end the connection. */
    static boolean isSilent(InetSocketAddress endpoint) {
        try (var socket = new Socket()) {
            socket.connect(endpoint, MILLIS);
            socket.setSoTimeout(SILENCE_MILLIS);
            socket.getOutputStream().write(HTTP);
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] untilTheEnd(InputStream in) throws IOException {
        var answer = new ByteArrayOutputStream();
        try {
            in.transferTo(answer);
        } catch (SocketException reset) {
            // what came before it counts
        }
        return answer.toByteArray();
    }
}
