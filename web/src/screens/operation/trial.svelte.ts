import { ApiProblem, thrown } from "../../api/problem";
import type { Failure } from "../../api/problem";
import type { Ask } from "../../words/command";
import { differences } from "../../words/impact";
import { planOf, send } from "./request";
import type { Draft } from "./request";

/** The dry run of what the form says, and the change itself. */
export class Trial {
  draft = $state.raw<Draft>();
  problem = $state.raw<Failure>();
  /** The dry run itself was refused, or had nothing to do: nothing can be confirmed yet. */
  refusedRun = $state(false);
  /** What differs from the plans that were confirmed: they are confirmed again. */
  changes = $state.raw<ReturnType<typeof differences>>();
  /** The form was changed since the dry run. */
  stale = $state(true);
  sending = $state(false);
  /** The change was sent and not answered: it may be under way, and is not sent again from here. */
  unknown = $state(false);

  /** Whether a datacenter does not answer. */
  readonly silentPeer = $derived(
    this.problem instanceof ApiProblem && this.problem.details.code === "PEER_UNREACHABLE",
  );

  private running: AbortController | undefined;
  /** What is to be asked again once the dry run that runs has ended. */
  private next: Ask | undefined;

  /** The form was changed, or is gone: an answer to an older one is never shown. */
  changed(): void {
    this.running?.abort();
    this.running = undefined;
    this.stale = true;
  }

  /** Only the last one counts. */
  async run(ask: Ask): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.next = undefined;
    let draft: Draft | undefined;
    let problem: Failure | undefined;
    try {
      draft = await send(ask, true, undefined, running.signal);
    } catch (error) {
      problem = thrown(error);
    }
    if (this.running !== running) {
      return;
    }
    this.running = undefined;
    this.draft = draft;
    this.problem = problem;
    this.refusedRun = draft === undefined || draft.plans.length === 0;
    this.stale = false;
    if (this.next !== undefined) {
      await this.again(this.next);
    }
  }

  /** Asks again what was refused. A dry run may take longer than the calls of this are apart: it ends before. */
  async again(ask: Ask): Promise<void> {
    if (this.running !== undefined) {
      this.next = ask;
    } else if (this.refusedRun && !this.stale) {
      await this.run(ask);
    }
  }

  /** Sends the change, refused unless the plans are those that are shown; the address to go to, if it is accepted. */
  async confirm(ask: Ask): Promise<string | undefined> {
    const before = this.draft;
    if (before === undefined) {
      return undefined;
    }
    this.sending = true;
    try {
      const accepted = await send(ask, false, before.digest);
      // from here on the change is accepted, whatever happens to the search for its plan
      const plan = await planOf(ask.cluster, accepted).catch(() => undefined);
      return plan === undefined ? `/clusters/${encodeURIComponent(ask.cluster)}` : `/plans/${encodeURIComponent(plan)}`;
    } catch (error) {
      await this.refused(thrown(error), ask, before);
      return undefined;
    } finally {
      this.sending = false;
    }
  }

  /** The message that a refusal has for a parameter. */
  ofParam(param: string): string | undefined {
    const problems = this.problem instanceof ApiProblem ? this.problem.details.problems : [];
    return problems.find((p) => p.field === param || p.field === `params.${param}`)?.message;
  }

  private async refused(why: Failure, ask: Ask, before: Draft): Promise<void> {
    if (why instanceof ApiProblem && why.details.code === "PLAN_CHANGED") {
      await this.run(ask);
      this.changes = this.draft === undefined ? undefined : differences(before.plans, this.draft.plans);
    } else {
      this.problem = why;
      this.refusedRun = false;
      this.unknown = !(why instanceof ApiProblem);
    }
  }
}
