/**
 * Keys, certificates and TLS of every process of Ringmaster: PEM files, names in certificates, managers whose keys and
 * trust change while connections are made. Depends on the JDK alone.
 */
@NullMarked
package io.ringmaster.identity;

import org.jspecify.annotations.NullMarked;
