package io.ringmaster.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;

/** A CA of the tests, which writes its certificates in DER, because this module has no library for them. */
final class TestCertificates {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final AtomicLong SERIALS = new AtomicLong(1);
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int OCTETS = 0x04;
    private static final int OID = 0x06;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final byte[] TRUE = hex("0101ff");
    private static final byte[] ECDSA_SHA256 = tlv(SEQUENCE, tlv(OID, hex("2a8648ce3d040302")));

    private final String name;
    private final KeyPair keys = EcKeys.generate();
    private final X509Certificate certificate;

    TestCertificates(String name) {
        this.name = name;
        Instant now = Instant.now();
        byte[] extensions =
                tlv(SEQUENCE, extension("551d13", tlv(SEQUENCE, TRUE)), extension("551d0f", tlv(BITS, hex("0106"))));
        certificate = sign(name, keys.getPublic(), now.minusSeconds(60), now.plusSeconds(3_600), extensions);
    }

    X509Certificate certificate() {
        return certificate;
    }

    /** A leaf for localhost and 127.0.0.1 that lives for an hour. */
    KeyAndChain leaf(String subject) {
        return leaf(subject, Instant.now().minusSeconds(60), Duration.ofHours(1));
    }

    KeyAndChain leaf(String subject, Instant from, Duration life) {
        KeyPair leafKeys = EcKeys.generate();
        byte[] uses = tlv(SEQUENCE, tlv(OID, hex("2b06010505070301")), tlv(OID, hex("2b06010505070302")));
        byte[] names = tlv(
                SEQUENCE,
                tlv(0x82, "localhost".getBytes(US_ASCII)),
                tlv(0x86, ("spiffe://ringmaster/server/" + subject).getBytes(US_ASCII)),
                tlv(0x87, new byte[] {127, 0, 0, 1}),
                tlv(0x87, hex("00000000000000000000000000000001")));
        byte[] extensions = tlv(
                SEQUENCE,
                extension("551d0f", tlv(BITS, hex("0780"))),
                extension("551d25", uses),
                extension("551d11", names));
        X509Certificate leaf = sign(subject, leafKeys.getPublic(), from, from.plus(life), extensions);
        return new KeyAndChain(leafKeys.getPrivate(), List.of(leaf));
    }

    private X509Certificate sign(String subject, PublicKey key, Instant from, Instant to, byte[] extensions) {
        byte[] tbs = tlv(
                SEQUENCE,
                hex("a003020102"),
                tlv(INTEGER, BigInteger.valueOf(SERIALS.getAndIncrement()).toByteArray()),
                ECDSA_SHA256,
                new X500Principal("CN=" + name).getEncoded(),
                tlv(SEQUENCE, time(from), time(to)),
                new X500Principal("CN=" + subject).getEncoded(),
                key.getEncoded(),
                tlv(0xa3, extensions));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(tbs);
            byte[] signed = tlv(SEQUENCE, tbs, ECDSA_SHA256, tlv(BITS, new byte[1], signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] time(Instant at) {
        return tlv(GENERALIZED_TIME, TIME.format(at).getBytes(US_ASCII));
    }

    private static byte[] extension(String oid, byte[] value) {
        return tlv(SEQUENCE, tlv(OID, hex(oid)), TRUE, tlv(OCTETS, value));
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static byte[] tlv(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        var all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length >= 0x80) {
            byte[] bytes = BigInteger.valueOf(length).toByteArray();
            int leading = bytes[0] == 0 ? 1 : 0;
            all.write(0x80 + bytes.length - leading);
            all.write(bytes, leading, bytes.length - leading);
        } else {
            all.write(length);
        }
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }
}
