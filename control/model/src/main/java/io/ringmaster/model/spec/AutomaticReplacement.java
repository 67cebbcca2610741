package io.ringmaster.model.spec;

/**
 * The policy that replaces nodes of lost machines automatically.
 *
 * @param afterMinutes how long the machine must be lost without interruption, in minutes
 */
public record AutomaticReplacement(long afterMinutes) {}
