@NullMarked
package io.ringmaster.lab.ring;

import org.jspecify.annotations.NullMarked;
