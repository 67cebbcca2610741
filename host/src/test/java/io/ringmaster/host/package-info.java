@NullMarked
package io.ringmaster.host;

import org.jspecify.annotations.NullMarked;
