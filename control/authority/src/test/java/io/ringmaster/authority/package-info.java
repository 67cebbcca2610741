@NullMarked
package io.ringmaster.authority;

import org.jspecify.annotations.NullMarked;
