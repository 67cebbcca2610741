@NullMarked
package io.ringmaster.lab.machine;

import org.jspecify.annotations.NullMarked;
