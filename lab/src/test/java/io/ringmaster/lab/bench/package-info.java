@NullMarked
package io.ringmaster.lab.bench;

import org.jspecify.annotations.NullMarked;
