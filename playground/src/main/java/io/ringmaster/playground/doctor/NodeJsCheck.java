package io.ringmaster.playground.doctor;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Node builds the page; without it everything else is built. */
final class NodeJsCheck implements Check {
    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\..*");
    private static final String NEXT = "install Node 20.19 or 22.12, or newer, with npm; Debian 13 has it";

    @Override
    public Result look(Host host, Demand demand) {
        Optional<String> version = host.nodeJsVersion();
        if (version.isEmpty()) {
            return Result.warn("node.js", "node is not on the PATH: the page is not built", NEXT);
        }
        if (host.executable("npm").isEmpty()) {
            return Result.warn("node.js", "npm is not on the PATH: the page is not built", NEXT);
        }
        return isEnough(version.get())
                ? Result.ok("node.js", version.get())
                : Result.warn("node.js", version.get() + " is too old: the page is not built", NEXT);
    }

    /** As in web/package.json. */
    private static boolean isEnough(String version) {
        Matcher match = VERSION.matcher(version);
        if (!match.matches()) {
            return false;
        }
        int major = Integer.parseInt(match.group(1));
        int minor = Integer.parseInt(match.group(2));
        return (major == 20 && minor >= 19) || (major == 22 && minor >= 12) || major > 22;
    }
}
