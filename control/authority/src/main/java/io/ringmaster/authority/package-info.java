/**
 * The certificate authorities of a datacenter, in files of the server. BouncyCastle writes the certificates and is
 * known to {@link io.ringmaster.authority.CertificateWriter} and its signer alone.
 */
@NullMarked
package io.ringmaster.authority;

import org.jspecify.annotations.NullMarked;
