import { LRUCache } from 'lru-cache';

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

/** Request `n` is at `n` modulo the bound. */
type Kept = { requests: AnsweredRequest[]; count: number };

/** The last requests of each owner, in memory: those of the owners that asked last. */
export type RequestRing = {
  record(owner: string, request: AnsweredRequest): void;
  /** The requests after the first `after`, oldest first; `missed` says how many of these are no longer kept. */
  since(owner: string, after: number): { requests: readonly AnsweredRequest[]; count: number; missed: number };
};

/** Keeps so many requests of an owner, and so many owners: the owner that has asked nothing for longest is forgotten. */
export function createRequestRing({ maxOfOwner, maxOwners }: { maxOfOwner: number; maxOwners: number }): RequestRing {
  const keptOf = new LRUCache<string, Kept>({ max: maxOwners });

  return {
    record(owner, request) {
      const kept = keptOf.get(owner) ?? { requests: [], count: 0 };
      keptOf.set(owner, kept);
      kept.requests[kept.count % maxOfOwner] = request;
      kept.count += 1;
    },
    since(owner, after) {
      const { requests, count } = keptOf.peek(owner) ?? { requests: [], count: 0 };
      const wanted = Math.max(0, count - after);
      const first = count - Math.min(wanted, requests.length);
      const shown = Array.from({ length: count - first }, (_, nth) => requests[(first + nth) % maxOfOwner]);
      return { requests: shown as AnsweredRequest[], count, missed: wanted - shown.length };
    },
  };
}
