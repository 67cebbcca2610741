/** The only loop: facts in, decisions from the core, records persisted, then commands out. */
@NullMarked
package io.ringmaster.controller;

import org.jspecify.annotations.NullMarked;
