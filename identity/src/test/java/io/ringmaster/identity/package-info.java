@NullMarked
package io.ringmaster.identity;

import org.jspecify.annotations.NullMarked;
