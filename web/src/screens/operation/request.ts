import { answer, api } from "../../api/client";
import { type Ask, DELETE } from "../../words/command";
import type { Plan, PlanImpact, Unanswered } from "../../words/model";

/** What a dry run shows, and what an accepted change answers; the same for operations and for a delete. */
export interface Draft {
  plans: Plan[];
  unanswered: Unanswered[];
  digest: string | undefined;
  impact: PlanImpact | undefined;
  /** The id of the accepted request; a delete has none. */
  request: string | undefined;
}

/** Without a digest a dry run, with one the change itself, refused unless the plans are still those. */
export async function send(ask: Ask, dryRun: boolean, digest?: string, signal?: AbortSignal): Promise<Draft> {
  const silent = ask.allowSilentPeers ? { allowSilentPeers: true } : {};
  const header = digest === undefined ? {} : { "If-Plan": digest };
  const abort = signal === undefined ? {} : { signal };
  if (ask.operation === DELETE) {
    const destroyData = ask.params["destroy_data"] === "true";
    const deleted = await answer(
      api.DELETE("/clusters/{cluster}", {
        params: { path: { cluster: ask.cluster }, query: { dryRun, destroyData, ...silent }, header },
        ...abort,
      }),
    );
    return { ...deleted, digest: deleted.digest, impact: deleted.impact, request: undefined };
  }
  const { cluster, operation, params, why } = ask;
  const asked = await answer(
    api.POST("/clusters/{cluster}/operations/{operation}", {
      params: { path: { cluster, operation }, query: { dryRun, ...silent }, header },
      body: { params, ...(why === "" ? {} : { why }) },
      ...abort,
    }),
  );
  return { ...asked, digest: asked.digest, impact: asked.impact, request: dryRun ? undefined : asked.request.id };
}

const TRIES = 8;
const AGAIN_MS = 500;

/** The first plan of an accepted change. A request that waits for the operation lock has none for a while. */
export async function planOf(cluster: string, accepted: Draft): Promise<string | undefined> {
  const first = accepted.plans[0];
  if (first !== undefined || accepted.request === undefined) {
    return first?.id;
  }
  for (let i = 0; i < TRIES; i++) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    const requests = await answer(api.GET("/clusters/{cluster}/operations", { params: { path: { cluster } } }));
    const parts = requests.find((r) => r.request.id === accepted.request)?.parts ?? [];
    const plan = parts.find((p) => p.part?.plan !== undefined)?.part?.plan;
    if (plan !== undefined) {
      return plan;
    }
  }
  return undefined;
}
