import type { Refusal } from '../../platform/http/refusal.ts';
import { CLAIM_STALE_SECONDS, type RecordedAnswer } from './idempotency.ts';

/** Maximum repeated requests that wait in this process, per first request and per owner. */
export const MAX_REPEATS_PER_REQUEST = 32;
export const MAX_REPEATS_PER_OWNER = 256;

/** A request and its concurrent repetitions in this process, which share one record and one outcome. */
export type InFlightRequest = {
  /** Returns the request's hash, computed once for all repetitions. */
  fingerprint(compute: () => Promise<Buffer>): Promise<Buffer>;
  /**
   * Passes the outcome to all waiting requests. Without an outcome, the first of them becomes the leader. A second call
   * does nothing.
   */
  complete(outcome?: RecordedAnswer | Refusal): void;
};

export type JoinResult =
  /** The caller is the leader: it claims the key in the database for all repetitions. */
  | { inFlight: InFlightRequest }
  /** The leader's outcome. */
  | { outcome: RecordedAnswer | Refusal }
  /** The deadline has passed, or too many requests wait. */
  | 'too late'
  | 'too many';

/** `id` is equal for equal requests with one key; `owner` is the account and mode; `atMs` is the time of arrival. */
export type JoiningRequest = { id: string; owner: string; atMs: number };

type Waiter = { atMs: number; complete: (joined: JoinResult) => void };
type Group = { leaderAtMs: number; waiters: Set<Waiter>; fingerprint?: Promise<Buffer> };

/** Single-flight for requests with an Idempotency-Key: repetitions in this process wait for the first one. */
export class InFlightRequests {
  private readonly groups = new Map<string, Group>();
  private readonly waitingOf = new Map<string, number>();

  /** Adds a request. It also leads if the current leader is older than CLAIM_STALE_SECONDS, so its claim is stale. */
  join(request: JoiningRequest, deadline: AbortSignal): JoinResult | Promise<JoinResult> {
    const { id, owner, atMs } = request;
    const group = this.groups.get(id);
    if (!group || atMs - group.leaderAtMs > CLAIM_STALE_SECONDS * 1000) {
      const own: Group = { leaderAtMs: atMs, waiters: new Set() };
      this.groups.set(id, own);
      return { inFlight: this.newLeader(id, own) };
    }
    const isFull = group.waiters.size >= MAX_REPEATS_PER_REQUEST;
    if (isFull || (this.waitingOf.get(owner) ?? 0) >= MAX_REPEATS_PER_OWNER) return 'too many';
    return deadline.aborted ? 'too late' : this.wait(group, request, deadline);
  }

  private countWaiting(owner: string, change: 1 | -1): void {
    const left = (this.waitingOf.get(owner) ?? 0) + change;
    if (left > 0) this.waitingOf.set(owner, left);
    else this.waitingOf.delete(owner);
  }

  private newLeader(id: string, group: Group): InFlightRequest {
    const { groups } = this;
    let isComplete = false;
    return {
      fingerprint(compute) {
        group.fingerprint ??= compute().catch((error) => {
          delete group.fingerprint;
          throw error;
        });
        return group.fingerprint;
      },
      complete: (outcome) => {
        if (isComplete) return;
        isComplete = true;
        const [next] = group.waiters;
        if (outcome === undefined && next) {
          group.leaderAtMs = next.atMs;
          next.complete({ inFlight: this.newLeader(id, group) });
          return;
        }
        if (groups.get(id) === group) groups.delete(id);
        if (outcome !== undefined) for (const waiter of [...group.waiters]) waiter.complete({ outcome });
      },
    };
  }

  private wait({ waiters }: Group, { owner, atMs }: JoiningRequest, deadline: AbortSignal): Promise<JoinResult> {
    return new Promise((resolve) => {
      const late = () => waiter.complete('too late');
      const waiter: Waiter = {
        atMs,
        complete: (joined) => {
          waiters.delete(waiter);
          this.countWaiting(owner, -1);
          deadline.removeEventListener('abort', late);
          resolve(joined);
        },
      };
      waiters.add(waiter);
      this.countWaiting(owner, 1);
      deadline.addEventListener('abort', late, { once: true });
    });
  }
}
