@NullMarked
package io.ringmaster.backup.store;

import org.jspecify.annotations.NullMarked;
