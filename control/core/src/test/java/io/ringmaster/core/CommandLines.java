package io.ringmaster.core;

import io.ringmaster.model.command.Command;

/** Commands as short lines, for comparing. */
public final class CommandLines {
    private CommandLines() {}

    /** {@code Launch node-0 g1 v1}. */
    public static String of(Command command) {
        if (command instanceof Command.Reserve c) {
            return "Reserve " + c.allocation().id();
        } else if (command instanceof Command.Launch c) {
            return "Launch " + c.allocation().node().shortName() + " g" + c.generation();
        } else if (command instanceof Command.Relaunch c) {
            return "Relaunch " + c.allocation().node().shortName() + " g" + c.generation();
        } else if (command instanceof Command.Apply c) {
            return "Apply " + c.target().node().shortName() + " g" + c.target().generation() + " v"
                    + c.target().specVersion() + (c.target().firstCreation() ? " first" : "")
                    + (c.onlyWhileDown() ? " while down" : "");
        } else if (command instanceof Command.Kill c) {
            return "Kill " + c.allocation();
        } else if (command instanceof Command.Release c) {
            return "Release " + c.allocation() + (c.destroyVolume() ? " destroy" : " keep");
        } else if (command instanceof Command.Watch c) {
            return "Watch " + c.node().shortName();
        } else if (command instanceof Command.Forget c) {
            return "Forget " + c.node().shortName();
        } else if (command instanceof Command.MakeAuthority c) {
            return "MakeAuthority " + c.authority();
        } else if (command instanceof Command.Certify c) {
            return "Certify " + c.node().shortName();
        }
        throw new IllegalArgumentException("unknown " + command);
    }
}
