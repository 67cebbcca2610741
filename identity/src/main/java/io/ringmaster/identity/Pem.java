package io.ringmaster.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** PEM: certificates, PKCS#8 keys and public keys. Files are judged before use, and each error names its file. */
public final class Pem {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String PUBLIC_KEY = "PUBLIC KEY";
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final Base64.Encoder ENCODER = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    private static final class Block {
        private final String label;
        private final byte[] content;

        Block(String label, byte[] content) {
            this.label = label;
            this.content = content;
        }
    }

    /**
     * Reads the certificates of a file.
     *
     * @return at least one
     * @throws PemException the file is damaged or holds none
     */
    public static List<X509Certificate> certificates(Path file) throws IOException {
        return certificates(read(file), file.toString());
    }

    /**
     * Reads the certificates of all files of a directory whose names end with {@code .pem}.
     *
     * @return in the order of the names; empty if there is no such directory
     * @throws PemException one of the files is damaged or holds no certificate
     */
    public static List<X509Certificate> certificatesIn(Path directory) throws IOException {
        var certificates = new ArrayList<X509Certificate>();
        for (Path file : files(directory)) {
            certificates.addAll(certificates(file));
        }
        return List.copyOf(certificates);
    }

    /**
     * The certificates of the files that are good.
     *
     * @param bad gets the reason for each other file, which names it
     */
    public static List<X509Certificate> certificatesIn(Path directory, Consumer<IOException> bad) throws IOException {
        var certificates = new ArrayList<X509Certificate>();
        for (Path file : files(directory)) {
            try {
                certificates.addAll(certificates(file));
            } catch (IOException e) {
                bad.accept(e);
            }
        }
        return List.copyOf(certificates);
    }

    private static List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.toString().endsWith(".pem")).sorted().toList();
        }
    }

    /**
     * Reads certificates.
     *
     * @param origin what holds the text, for errors
     * @return at least one
     */
    public static List<X509Certificate> certificates(String text, String origin) throws PemException {
        var certificates = new ArrayList<X509Certificate>();
        for (Block block : blocks(text, origin)) {
            if (block.label.equals(CERTIFICATE)) {
                certificates.add(certificate(block, origin));
            }
        }
        if (certificates.isEmpty()) {
            throw new PemException(origin, "holds no certificate");
        }
        return certificates;
    }

    /**
     * Reads a private key and its certificates, and checks that they can be used now: the key belongs to the first
     * certificate, each certificate is signed by the next, and the first is valid.
     *
     * @throws PemException they cannot
     */
    public static KeyAndChain keyAndChain(Path file, Instant now) throws IOException {
        return keyAndChain(read(file), file.toString(), now);
    }

    /** @param origin what holds the text, for errors */
    public static KeyAndChain keyAndChain(String text, String origin, Instant now) throws PemException {
        KeyAndChain identity = keyAndChain(text, origin);
        checkDates(identity.leaf(), origin, now);
        return identity;
    }

    /** As {@link #keyAndChain(String, String, Instant)}, also if its certificate has ended. */
    public static KeyAndChain keyAndChain(String text, String origin) throws PemException {
        List<X509Certificate> chain = certificates(text, origin);
        List<Block> keys = blocks(text, origin).stream()
                .filter(block -> block.label.equals(PRIVATE_KEY))
                .toList();
        if (keys.size() != 1) {
            throw new PemException(origin, "must hold one PRIVATE KEY (PKCS#8), and holds " + keys.size());
        }
        var identity = new KeyAndChain(privateKey(keys.get(0), chain.get(0), origin), chain);
        checkChain(identity, origin);
        return identity;
    }

    /**
     * Reads a public key.
     *
     * @param origin what holds the text, for errors
     * @throws PemException it holds anything else, or a key that is not on an elliptic curve
     */
    public static PublicKey publicKey(String text, String origin) throws PemException {
        List<Block> blocks = blocks(text, origin);
        if (blocks.size() != 1 || !blocks.get(0).label.equals(PUBLIC_KEY)) {
            throw new PemException(origin, "must hold one PUBLIC KEY and nothing else");
        }
        try {
            return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(blocks.get(0).content));
        } catch (GeneralSecurityException e) {
            throw new PemException(origin, "holds no public key on an elliptic curve", e);
        }
    }

    /** The key, then the certificates. */
    public static String text(KeyAndChain identity) {
        var text = new StringBuilder(text(identity.key()));
        identity.chain().forEach(certificate -> text.append(text(certificate)));
        return text.toString();
    }

    public static String text(Certificate certificate) {
        try {
            return block(CERTIFICATE, certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("a certificate without its bytes", e);
        }
    }

    public static String text(PrivateKey key) {
        return block(PRIVATE_KEY, key.getEncoded());
    }

    public static String text(PublicKey key) {
        return block(PUBLIC_KEY, key.getEncoded());
    }

    private static String block(String label, byte[] content) {
        return BEGIN + label + DASHES + "\n" + ENCODER.encodeToString(content) + "\n" + END + label + DASHES + "\n";
    }

    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new PemException(file.toString(), "there is no such file", e);
        }
    }

    /** Text between the blocks is a comment. */
    private static List<Block> blocks(String text, String origin) throws PemException {
        var blocks = new ArrayList<Block>();
        int at = 0;
        while ((at = text.indexOf(BEGIN, at)) >= 0) {
            int labelEnd = text.indexOf(DASHES, at + BEGIN.length());
            String label = labelEnd < 0 ? "" : text.substring(at + BEGIN.length(), labelEnd);
            int end = labelEnd < 0 ? -1 : text.indexOf(END + label + DASHES, labelEnd);
            if (end < 0) {
                throw new PemException(
                        origin, "is cut off: the end of " + (label.isEmpty() ? "a block" : label) + " is missing");
            }
            blocks.add(new Block(label, decode(text.substring(labelEnd + DASHES.length(), end), label, origin)));
            at = end + END.length();
        }
        return blocks;
    }

    private static byte[] decode(String base64, String label, String origin) throws PemException {
        try {
            return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new PemException(origin, "is damaged: " + label + " is not Base64", e);
        }
    }

    private static X509Certificate certificate(Block block, String origin) throws PemException {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.content));
        } catch (CertificateException e) {
            throw new PemException(origin, "is damaged: a certificate cannot be read", e);
        }
    }

    private static PrivateKey privateKey(Block block, X509Certificate leaf, String origin) throws PemException {
        String algorithm = leaf.getPublicKey().getAlgorithm();
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(block.content));
        } catch (GeneralSecurityException e) {
            throw new PemException(origin, "its private key cannot be read as a key of kind " + algorithm, e);
        }
    }

    private static void checkChain(KeyAndChain identity, String origin) throws PemException {
        if (!EcKeys.fit(identity.key(), identity.leaf().getPublicKey())) {
            throw new PemException(origin, "its private key belongs to another certificate than its first one");
        }
        List<X509Certificate> chain = identity.chain();
        for (int i = 1; i < chain.size(); i++) {
            try {
                chain.get(i - 1).verify(chain.get(i).getPublicKey());
            } catch (GeneralSecurityException e) {
                throw new PemException(
                        origin, "its certificate " + i + " is not signed by its certificate " + (i + 1), e);
            }
        }
    }

    /** A clock that is off makes a good certificate look bad, so the time of this computer is part of the message. */
    private static void checkDates(X509Certificate leaf, String origin, Instant now) throws PemException {
        Instant start = leaf.getNotBefore().toInstant();
        Instant end = leaf.getNotAfter().toInstant();
        if (now.isBefore(start)) {
            throw new PemException(
                    origin,
                    "its certificate starts at " + start + ", and the clock of this computer says " + now
                            + " -> check the clock");
        }
        if (now.isAfter(end)) {
            throw new PemException(
                    origin, "its certificate ended at " + end + "; the clock of this computer says " + now);
        }
    }
}
