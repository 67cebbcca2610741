package io.ringmaster.server.change;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.server.secret.PasswordDirectory;
import java.util.List;

/** Whether the servers of a spec's first datacenter, which write its roles, find their passwords. */
record RolePasswordCheck(PasswordDirectory passwords) {
    /** @throws ProblemException naming all that are missing here */
    void require(View view, ClusterSpec spec) {
        List<RoleSpec> roles = spec.roles();
        if (roles == null || !spec.datacenterNames().get(0).equals(view.datacenter())) {
            return;
        }
        List<Problem> missing = roles.stream()
                .flatMap(role -> passwords.missing(spec.name(), role).stream())
                .map(problem -> withNextStep(spec, problem))
                .toList();
        if (!missing.isEmpty()) {
            throw ProblemException.of(missing);
        }
    }

    /** Who restores under another name has the passwords under the former one, and may be in a hurry. */
    private static Problem withNextStep(ClusterSpec spec, Problem problem) {
        RestoreSource restore = spec.restore();
        return restore == null
                ? problem
                : new Problem(
                        problem.code(),
                        problem.field(),
                        problem.message(),
                        Advice.command(restore.command(spec.name()) + " --roles none")
                                .prefix("put the password there, or restore the data first: ")
                                .suffix(" lets nobody in until you apply the roles"));
    }
}
