@NullMarked
package io.ringmaster.lab.experiment;

import org.jspecify.annotations.NullMarked;
