package io.ringmaster.executor.archive;

import io.ringmaster.executor.api.Door;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * The certificates of a throwaway node and of its server. Each is its own authority and lives for a day. The JDK's
 * keytool makes them, because nothing in an executor can issue one.
 *
 * @param node shown to other nodes, to CQL clients, and by the executor
 */
record ThrowawayIdentity(KeyAndChain node, KeyAndChain server) {
    private static final String ALIAS = "node";
    private static final String PASSWORD = "RINGMASTER_THROWAWAY";
    private static final long LIMIT_S = 60;

    /** @throws IOException keytool is not beside {@code java}, or failed */
    static ThrowawayIdentity make(Path java, Path directory, NodeId node, String address)
            throws IOException, InterruptedException {
        return new ThrowawayIdentity(
                certificate(java, directory, SpiffeName.cluster(node.cluster().value()), address),
                certificate(java, directory, SpiffeName.server(node.datacenter().value()), address));
    }

    private static KeyAndChain certificate(Path java, Path directory, SpiffeName name, String address)
            throws IOException, InterruptedException {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        Path store = directory.resolve("throwaway.p12");
        try {
            keytool(java, store, name, address, password);
            return read(store, password.toCharArray());
        } finally {
            Files.deleteIfExists(store);
        }
    }

    private static void keytool(Path java, Path store, SpiffeName name, String address, String password)
            throws IOException, InterruptedException {
        Path keytool = java.toRealPath().resolveSibling("keytool");
        if (!Files.isExecutable(keytool)) {
            throw new IOException("the JVM has no keytool: " + keytool + " -> use a JRE or JDK that has it");
        }
        var command = new ProcessBuilder(keytool.toString(), "-genkeypair", "-alias", ALIAS, "-storetype", "PKCS12");
        command.command().addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "1"));
        command.command().addAll(List.of("-dname", "CN=throwaway", "-ext", "san=uri:" + name + ",ip:" + address));
        command.command().addAll(List.of("-keystore", store.toString(), "-storepass:env", PASSWORD));
        command.environment().put(PASSWORD, password);
        Process process = command.inheritIO().start();
        try {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new IOException("keytool has not ended after " + LIMIT_S + " s");
            }
        } finally {
            process.destroyForcibly().onExit().join();
        }
        if (process.exitValue() != 0) {
            throw new IOException("keytool failed with exit code " + process.exitValue());
        }
    }

    private static KeyAndChain read(Path file, char[] password) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password);
            return new KeyAndChain(
                    (PrivateKey) store.getKey(ALIAS, password), List.of((X509Certificate) store.getCertificate(ALIAS)));
        } catch (GeneralSecurityException e) {
            throw new IOException("keytool's certificate cannot be read", e);
        }
    }

    /** Writes what the pool and a server would have laid down. */
    void write(NodeFiles files, Path door) throws IOException {
        DurableFiles.makeDirectories(files.identity());
        DurableFiles.makeDirectories(door);
        DurableFiles.write(files.internodeTrust(), Pem.text(node.leaf()));
        DurableFiles.write(files.certificate(), Pem.text(node));
        DurableFiles.write(files.cqlCertificate(), Pem.text(node));
        DurableFiles.write(door.resolve(Door.SERVERS), Pem.text(server.leaf()));
        DurableFiles.write(door.resolve(Door.DOOR), Pem.text(node));
    }

    /** As the server, which trusts the node. */
    SSLContext asServer() {
        return TlsContexts.of(new LiveKeys(server), new LiveTrust(List.of(node.leaf())));
    }

    /** As another node of the cluster. */
    SSLContext asNode() {
        return TlsContexts.of(new LiveKeys(node), new LiveTrust(List.of(node.leaf())));
    }
}
