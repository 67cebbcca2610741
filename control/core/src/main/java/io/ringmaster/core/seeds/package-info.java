/** Who is told which seeds. */
@NullMarked
package io.ringmaster.core.seeds;

import org.jspecify.annotations.NullMarked;
