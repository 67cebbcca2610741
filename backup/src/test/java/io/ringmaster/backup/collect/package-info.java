@NullMarked
package io.ringmaster.backup.collect;

import org.jspecify.annotations.NullMarked;
