import { duration, instant } from "./formats";
import type { ClusterStatus, LockState } from "./model";

const HELD: Record<LockState["lockScope"], string> = {
  MEND: "the lock on the ring",
  RING: "the lock on the ring",
  REPAIR: "the lock on repairs",
  NODES: "the lock on its nodes",
  BACKUP: "the lock on backups",
};

/** Empty when no request waits and no request holds a lock: the plans show the rest. */
export function locks(status: ClusterStatus): { lock: LockState; text: string }[] {
  const all = status.locks ?? [];
  return all.every((l) => l.holds && l.request === undefined)
    ? []
    : all.map((lock) => ({ lock, text: wording(lock, instant(status.at)) }));
}

/** Who holds a lock, for which another request may wait. */
export function holders(status: ClusterStatus): string[] {
  return (status.locks ?? []).filter((l) => l.holds).map((l) => wording(l, instant(status.at)));
}

function wording(lock: LockState, now: number): string {
  const request = lock.request === undefined ? "" : ` ${lock.request}`;
  const who = `${lock.operation}${request} (asked by ${lock.who}) in ${lock.datacenter}`;
  const time = duration(now - instant(lock.since));
  return lock.holds
    ? `${who} holds ${HELD[lock.lockScope]} for ${time}: ${lock.reason}`
    : `${who} has waited ${time}: ${lock.reason}`;
}
