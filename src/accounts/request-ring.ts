/** A request that was answered, without its query, its headers and its body. */
export type AnsweredRequest = {
  /** When the request was answered, in milliseconds since 1970. */
  atMs: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  requestId: string;
};

/** Request `n` is at `n` modulo the bound. `recordedAt` counts the requests of all owners. */
type Kept = { requests: AnsweredRequest[]; count: number; recordedAt: number };

/** The last requests of each owner, in memory: those of the owners that asked last. */
export type RequestRing = {
  record(owner: string, request: AnsweredRequest): void;
  /** The requests after the first `after`, oldest first; `missed` says how many of these are no longer kept. */
  since(owner: string, after: number): { requests: readonly AnsweredRequest[]; count: number; missed: number };
};

/** Keeps so many requests of an owner, and so many owners: the owner that has asked nothing for longest is forgotten. */
export function createRequestRing({ maxOfOwner, maxOwners }: { maxOfOwner: number; maxOwners: number }): RequestRing {
  const keptOf = new Map<string, Kept>();
  let recorded = 0;

  function add(owner: string): Kept {
    if (keptOf.size >= maxOwners) forgetQuietest();
    const kept = { requests: [], count: 0, recordedAt: 0 };
    keptOf.set(owner, kept);
    return kept;
  }

  /** A look at all owners for a new owner is cheaper than a sequence of owners that each request changes. */
  function forgetQuietest(): void {
    let [quietest, since] = ['', Infinity];
    for (const [owner, { recordedAt }] of keptOf) {
      if (recordedAt < since) [quietest, since] = [owner, recordedAt];
    }
    keptOf.delete(quietest);
  }

  return {
    record(owner, request) {
      const kept = keptOf.get(owner) ?? add(owner);
      recorded += 1;
      kept.recordedAt = recorded;
      kept.requests[kept.count % maxOfOwner] = request;
      kept.count += 1;
    },
    since(owner, after) {
      const { requests, count } = keptOf.get(owner) ?? { requests: [], count: 0 };
      const wanted = Math.max(0, count - after);
      const first = count - Math.min(wanted, requests.length);
      const shown = Array.from({ length: count - first }, (_, nth) => requests[(first + nth) % maxOfOwner]);
      return { requests: shown as AnsweredRequest[], count, missed: wanted - shown.length };
    },
  };
}
