@NullMarked
package io.ringmaster.lab.command;

import org.jspecify.annotations.NullMarked;
