@NullMarked
package io.ringmaster.core.ring;

import org.jspecify.annotations.NullMarked;
