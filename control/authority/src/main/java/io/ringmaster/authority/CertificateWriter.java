package io.ringmaster.authority;

import io.ringmaster.identity.EcKeys;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.model.authority.AuthorityName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;

/** Writes certificates: P-256 and SHA-256, the extensions of RFC 5280. */
final class CertificateWriter {
    /** For clocks that differ. */
    static final Duration BACKDATED = Duration.ofHours(2);

    private static final Duration AUTHORITY_LIFE = Duration.ofDays(5 * 365);
    /** The longest common name in RFC 5280, appendix A. */
    private static final int COMMON_NAME = 64;

    private static final int KEY_ID_BYTES = 20;
    private final SecureRandom random = new SecureRandom();

    /** A new key and its certificate. Each generation has another subject, so that no chain is built by a namesake. */
    KeyAndChain authority(AuthorityName name, Instant now) {
        KeyPair keys = EcKeys.generate();
        byte[] number = new byte[8];
        random.nextBytes(number);
        X500Principal subject =
                subject(name.toString(), "SERIALNUMBER=" + HexFormat.of().formatHex(number) + ", ");
        try {
            X509v3CertificateBuilder builder =
                    builder(subject, subject, keys.getPublic(), now.minus(BACKDATED), now.plus(AUTHORITY_LIFE));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(Extension.authorityKeyIdentifier, false, keyIdentifierOf(keys.getPublic()));
            return new KeyAndChain(keys.getPrivate(), List.of(sign(builder, keys.getPrivate())));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot write the certificate of " + name, e);
        }
    }

    /** @param life from now; the certificate never outlives its authority */
    X509Certificate leaf(KeyAndChain authority, LeafTemplate template, PublicKey key, Instant now, Duration life) {
        X509Certificate issuer = authority.leaf();
        Instant authorityEnd = issuer.getNotAfter().toInstant();
        Instant end = now.plus(life).isBefore(authorityEnd) ? now.plus(life) : authorityEnd;
        try {
            X509v3CertificateBuilder builder = builder(
                    issuer.getSubjectX500Principal(),
                    subject(template.commonName(), ""),
                    key,
                    now.minus(BACKDATED),
                    end);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, uses(template.client()));
            builder.addExtension(Extension.authorityKeyIdentifier, false, keyIdentifierOf(issuer.getPublicKey()));
            builder.addExtension(Extension.subjectAlternativeName, false, generalNames(template.names()));
            return sign(builder, authority.key());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot write the certificate of " + template.commonName(), e);
        }
    }

    private X509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, PublicKey key, Instant from, Instant to)
            throws IOException, GeneralSecurityException {
        var builder = new X509v3CertificateBuilder(
                X500Name.getInstance(issuer.getEncoded()),
                new BigInteger(127, random).add(BigInteger.ONE),
                Date.from(from),
                Date.from(to),
                X500Name.getInstance(subject.getEncoded()),
                SubjectPublicKeyInfo.getInstance(key.getEncoded()));
        builder.addExtension(Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(keyId(key)));
        return builder;
    }

    private static X500Principal subject(String commonName, String before) {
        String shortened = commonName.substring(0, Math.min(commonName.length(), COMMON_NAME));
        return new X500Principal(before + "CN=" + shortened + ", O=Ringmaster");
    }

    private static ExtendedKeyUsage uses(boolean client) {
        return new ExtendedKeyUsage(
                client
                        ? new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}
                        : new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth});
    }

    private static GeneralNames generalNames(SubjectNames names) {
        return new GeneralNames(Stream.of(
                        names.uris().stream()
                                .map(uri -> new GeneralName(GeneralName.uniformResourceIdentifier, uri.toString())),
                        names.addresses().stream()
                                .map(InetAddress::getAddress)
                                .map(bytes -> new GeneralName(GeneralName.iPAddress, new DEROctetString(bytes))),
                        names.hosts().stream().map(host -> new GeneralName(GeneralName.dNSName, host)))
                .flatMap(each -> each)
                .toArray(GeneralName[]::new));
    }

    private static AuthorityKeyIdentifier keyIdentifierOf(PublicKey key) throws GeneralSecurityException {
        return new AuthorityKeyIdentifier(keyId(key));
    }

    /** RFC 7093, method 1: the first 160 bits of the SHA-256 of the key's bits. */
    private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
        byte[] bits = SubjectPublicKeyInfo.getInstance(key.getEncoded())
                .getPublicKeyData()
                .getBytes();
        return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(bits), KEY_ID_BYTES);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws IOException, GeneralSecurityException {
        byte[] certificate = builder.build(new EcdsaSigner(key)).getEncoded();
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }
}
