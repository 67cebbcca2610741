/** What users ask for beyond the spec: which nodes it is about, and whose turn it is in all datacenters. */
@NullMarked
package io.ringmaster.core.request;

import org.jspecify.annotations.NullMarked;
