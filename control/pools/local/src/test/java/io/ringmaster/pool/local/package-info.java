/** The pool's contract and what is particular to this computer, with processes that really run. */
@NullMarked
package io.ringmaster.pool.local;

import org.jspecify.annotations.NullMarked;
