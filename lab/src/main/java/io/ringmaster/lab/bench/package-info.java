/** What an experiment is, and what one run of it is given. */
@NullMarked
package io.ringmaster.lab.bench;

import org.jspecify.annotations.NullMarked;
