@NullMarked
package io.ringmaster.backup.location;

import org.jspecify.annotations.NullMarked;
