import { lruOptions } from 'doorstep/collections';
import { LRUCache } from 'lru-cache';

/** An answered request, without its query, headers and body. */
export type AnsweredRequest = {
  /** Time of the response, in epoch milliseconds. */
  atMs: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  requestId: string;
};

/** Ring buffer of an account: request `n` is at index `n` modulo the limit. */
type AccountRing = { requests: AnsweredRequest[]; count: number };

/**
 * The last requests of each owner, in memory: up to `maxOfOwner` per owner and `maxOwners` owners; the least recently
 * active owner is evicted.
 */
export class RequestRing {
  private readonly maxOfOwner: number;
  private readonly keptOf: LRUCache<string, AccountRing>;

  constructor({ maxOfOwner, maxOwners }: { maxOfOwner: number; maxOwners: number }) {
    this.maxOfOwner = maxOfOwner;
    this.keptOf = new LRUCache(lruOptions(maxOwners));
  }

  record(owner: string, request: AnsweredRequest): void {
    const kept = this.keptOf.get(owner) ?? { requests: [], count: 0 };
    this.keptOf.set(owner, kept);
    kept.requests[kept.count % this.maxOfOwner] = request;
    kept.count += 1;
  }

  /** Returns the requests after number `after`, oldest first; `missed` counts those already evicted. */
  since(owner: string, after: number): { requests: readonly AnsweredRequest[]; count: number; missed: number } {
    const { requests, count } = this.keptOf.peek(owner) ?? { requests: [], count: 0 };
    const wanted = Math.max(0, count - after);
    const first = count - Math.min(wanted, requests.length);
    const shown = Array.from({ length: count - first }, (_, nth) => requests[(first + nth) % this.maxOfOwner]);
    return { requests: shown as AnsweredRequest[], count, missed: wanted - shown.length };
  }
}
