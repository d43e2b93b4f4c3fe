/** A request that was answered, without its query, its headers and its body. */
export type AnsweredRequest = {
  at: Temporal.Instant;
  method: string;
  path: string;
  status: number;
  ms: number;
  requestId: string;
};

type Kept = { requests: AnsweredRequest[]; count: number };

/** The last requests of each owner, in memory: those of the owners that asked last. */
export type RequestRing = {
  record(owner: string, request: AnsweredRequest): void;
  /** The requests after the first `after`, oldest first; `missed` says how many of these are no longer kept. */
  since(owner: string, after: number): { requests: readonly AnsweredRequest[]; count: number; missed: number };
};

/** Keeps so many requests of an owner, and so many owners: the owner that has asked nothing for longest is forgotten. */
export function createRequestRing({ maxOfOwner, maxOwners }: { maxOfOwner: number; maxOwners: number }): RequestRing {
  const keptOf = new Map<string, Kept>();
  return {
    record(owner, request) {
      const kept = keptOf.get(owner) ?? { requests: [], count: 0 };
      keptOf.delete(owner);
      keptOf.set(owner, kept);
      const [longestQuiet] = keptOf.keys();
      if (keptOf.size > maxOwners && longestQuiet !== undefined) keptOf.delete(longestQuiet);
      kept.requests.push(request);
      kept.count += 1;
      if (kept.requests.length > maxOfOwner) kept.requests.shift();
    },
    since(owner, after) {
      const { requests, count } = keptOf.get(owner) ?? { requests: [], count: 0 };
      const wanted = Math.max(0, count - after);
      const shown = wanted === 0 ? [] : requests.slice(-wanted);
      return { requests: shown, count, missed: wanted - shown.length };
    },
  };
}
