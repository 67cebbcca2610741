/** The controller against a hand-written fleet that has no threads and no time of its own. */
@NullMarked
package io.ringmaster.controller;

import org.jspecify.annotations.NullMarked;
