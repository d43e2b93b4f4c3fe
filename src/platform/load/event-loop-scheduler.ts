import { AsyncLocalStorage } from 'node:async_hooks';
import { lruOptions } from 'doorstep/collections';
import { LRUCache } from 'lru-cache';
import { FairQueue } from '../lib/fair-queue.ts';

/*
 * Shares the event loop between owners: an account and key mode, a store, the operators, all unauthenticated clients
 * together, or a background task. Its goals, in order:
 */

// 1. A light owner waits for one time slice of a flood, never for the flood. The owner with the least recent processor
//    time goes first; usage halves every second, so no one starves.
// 2. The loop stays responsive to health checks, sockets and the database: one slice of 6 ms per iteration, 1 ms under
//    contention.
// 3. While a recent request of a lighter owner is answered, heavy owners together get one short slice in 4 ms.
// 4. A single owner may use the whole processor, and a throttled owner is never stopped.

export const SLICE_MS = 6;
/**
 * Length of a slice while several owners work. Shorter slices would cost more in switching than they save in waiting.
 */
export const SHARED_SLICE_MS = 1;
/** Slices stay short for this long after another owner's last work. */
export const SHARED_LOOP_MS = 1000;
/** An owner's usage halves in this time. */
export const USAGE_HALF_LIFE_MS = 1000;
/** Maximum waiting short steps per owner, far above one client's with many connections. */
export const MAX_WAITING_PER_OWNER = 1000;
/** How long a request counts as recent, in milliseconds; most are answered by then. */
export const RECENT_MS = 30;
/**
 * While recent requests of lighter owners are being answered, heavy owners together get one short slice per this time.
 */
export const THROTTLE_MS = 4;
/**
 * Usage that makes an owner heavy: a fifth of the processor. Up to four can be, so equal owners throttle no one.
 */
export const HEAVY_USAGE_MS = 300;
/**
 * A heavy owner yields only to owners whose usage is lower by this factor, so equal floods do not throttle each other.
 */
export const HEAVY_FACTOR = 1.2;
/** Maximum tracked owners; beyond it, the least recently active one is evicted. */
const MAX_OWNERS = 10_000;

/** The scheduling state of the current asynchronous context. */
type Turn = { readonly owner: string; readonly scheduler: EventLoopScheduler; sliceMs: number; sliceEndMs: number };

type Usage = { ms: number; atMs: number };
type RecentRequest = { readonly owner: string; readonly endMs: number };

const turns = new AsyncLocalStorage<Turn>();

/** Returns the owner of the current work, also long after its slice; undefined for the service's own work. */
export const currentOwner = (): string | undefined => turns.getStore()?.owner;

/** Whether the current slice has ended; true before the first one. */
export function isSliceOver(): boolean {
  const turn = turns.getStore();
  return turn === undefined || performance.now() >= turn.sliceEndMs;
}

/** Yields, then begins the current owner's next slice. Work without an owner yields each time. */
export function nextSlice(): Promise<void> {
  const turn = turns.getStore();
  return turn ? turn.scheduler.nextSlice(turn) : new Promise((resolve) => setImmediate(resolve));
}

/** Runs a computation that can be interrupted at each `yield`; returns its result. */
export async function runInSlices<Result>(steps: Iterator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (isSliceOver()) await nextSlice();
  }
}

export class EventLoopScheduler {
  private readonly queue = new FairQueue<() => void>({ maxOfOwner: Infinity, maxInAll: Infinity });
  private readonly usages = new LRUCache<string, Usage>(lruOptions(MAX_OWNERS));
  /** Milliseconds of work in the current loop iteration. */
  private spentMs = 0;
  /** The latest owner and the latest other owner, each with the time of its last work. */
  private latest = { owner: '', atMs: -Infinity };
  private otherAtMs = -Infinity;
  /** Oldest first. */
  private readonly recentRequests = new Set<RecentRequest>();
  private readonly recentOf = new Map<string, number>();
  /** Number of throttled turns of heavy owners; each is resumed once. */
  private throttled = 0;
  private throttleTimer: NodeJS.Timeout | undefined;
  private throttleFromMs = -Infinity;
  private throttleUsedMs = 0;

  /**
   * Runs a short step: at once if this iteration has time left and nothing waits, otherwise in its owner's turn. Calls
   * `refuse` if `MAX_WAITING_PER_OWNER` steps of the owner are waiting.
   */
  run(owner: string, step: () => void, refuse: () => void): void {
    const nowMs = performance.now();
    if (this.queue.size === 0 && this.spentMs < this.sliceMs(nowMs)) this.measure(owner, nowMs, step);
    else if (this.queue.countOf(owner) >= MAX_WAITING_PER_OWNER) refuse();
    else this.enqueue(owner, () => this.measure(owner, performance.now(), step));
  }

  /** Runs a background task in slices, as an owner of its own. */
  runAs<Result>(owner: string, task: () => Result): Result {
    return turns.run(this.newTurn(owner), task);
  }

  /** Throttles heavier owners until the returned function is called or the request is no longer recent. */
  requestStarted(owner: string): () => void {
    const request = { owner, endMs: performance.now() + RECENT_MS };
    this.recentRequests.add(request);
    this.recentOf.set(owner, 1 + (this.recentOf.get(owner) ?? 0));
    return () => {
      this.forget(request);
      if (this.throttled > 0) this.endThrottle();
    };
  }

  /** Returns the number of waiting steps and slices. */
  get waiting(): number {
    return this.queue.size;
  }

  /** @internal For the exported `nextSlice`. */
  nextSlice(turn: Turn): Promise<void> {
    const nowMs = performance.now();
    const unusedMs = turn.sliceEndMs - nowMs;
    if (unusedMs > 0) this.charge(turn.owner, -Math.min(unusedMs, turn.sliceMs), nowMs);
    turn.sliceEndMs = -Infinity;
    return new Promise((resolve) => {
      this.enqueue(turn.owner, () => {
        const beginMs = performance.now();
        turn.sliceMs = this.sliceMs(beginMs);
        turn.sliceEndMs = beginMs + turn.sliceMs;
        // The slice uses the rest of this iteration, so other computations wait for the next one.
        this.spend(turn.owner, turn.sliceMs, beginMs);
        resolve();
      });
    });
  }

  private newTurn(owner: string): Turn {
    return { owner, scheduler: this, sliceMs: 0, sliceEndMs: -Infinity };
  }

  private measure(owner: string, startMs: number, step: () => void): void {
    try {
      turns.run(this.newTurn(owner), step);
    } finally {
      const endMs = performance.now();
      this.spend(owner, endMs - startMs, endMs);
    }
  }

  private enqueue(owner: string, begin: () => void): void {
    this.queue.add(owner, begin);
    setImmediate(this.takeTurn);
  }

  /** Called once per waiting turn, because promises resolved by a turn continue before the next turn. */
  private readonly takeTurn = (): void => {
    const nowMs = performance.now();
    if (this.spentMs >= this.sliceMs(nowMs)) {
      setImmediate(this.takeTurn);
      return;
    }
    const next = this.lightestOwner(this.queue.owners(), nowMs);
    const isHeavy = next !== undefined && this.isHeavy(next, nowMs);
    if (isHeavy && this.throttle(nowMs)) return;
    const beforeMs = this.spentMs;
    this.queue.take((owner) => owner === next)?.item();
    if (isHeavy) this.throttleUsedMs += this.spentMs - beforeMs;
    this.resumeOne();
  };

  private sliceMs(nowMs: number): number {
    return nowMs < this.otherAtMs + SHARED_LOOP_MS ? SHARED_SLICE_MS : SLICE_MS;
  }

  private spend(owner: string, ms: number, nowMs: number): void {
    if (this.latest.owner !== owner) this.otherAtMs = this.latest.atMs;
    this.latest.owner = owner;
    this.latest.atMs = nowMs;
    this.charge(owner, ms, nowMs);
    if (this.spentMs === 0) setImmediate(this.endIteration);
    this.spentMs += ms;
  }

  private readonly endIteration = (): void => {
    this.spentMs = 0;
  };

  private charge(owner: string, ms: number, nowMs: number): void {
    const usage = this.usages.get(owner);
    if (usage) {
      usage.ms = Math.max(0, decayUsage(usage, nowMs) + ms);
      usage.atMs = nowMs;
    } else this.usages.set(owner, { ms: Math.max(0, ms), atMs: nowMs });
  }

  private usageOf(owner: string, nowMs: number): number {
    const usage = this.usages.get(owner);
    return usage ? decayUsage(usage, nowMs) : 0;
  }

  /** Returns the owner with the least usage; of equal ones, the first. */
  private lightestOwner(owners: Iterable<string>, nowMs: number): string | undefined {
    let found: string | undefined;
    let minMs = Infinity;
    for (const owner of owners) {
      const ms = this.usageOf(owner, nowMs);
      if (ms < minMs) [found, minMs] = [owner, ms];
    }
    return found;
  }

  /** Whether the owner is heavy, and heavier than the owner of a recent request. */
  private isHeavy(owner: string, nowMs: number): boolean {
    const ownMs = this.usageOf(owner, nowMs);
    if (ownMs < HEAVY_USAGE_MS) return false;
    for (const request of this.recentRequests) {
      if (nowMs < request.endMs) break;
      this.forget(request);
    }
    for (const other of this.recentOf.keys()) if (this.usageOf(other, nowMs) * HEAVY_FACTOR <= ownMs) return true;
    return false;
  }

  private forget(request: RecentRequest): void {
    if (!this.recentRequests.delete(request)) return;
    const left = (this.recentOf.get(request.owner) ?? 1) - 1;
    if (left === 0) this.recentOf.delete(request.owner);
    else this.recentOf.set(request.owner, left);
  }

  /** Postpones a turn if heavy owners have had their slice; returns false if not. */
  private throttle(nowMs: number): boolean {
    if (nowMs >= this.throttleFromMs + THROTTLE_MS) {
      this.throttleFromMs = nowMs;
      this.throttleUsedMs = 0;
    }
    if (this.throttleUsedMs < SHARED_SLICE_MS) return false;
    this.throttled += 1;
    this.throttleTimer ??= setTimeout(this.endThrottle, this.throttleFromMs + THROTTLE_MS - nowMs);
    return true;
  }

  private readonly endThrottle = (): void => {
    clearTimeout(this.throttleTimer);
    this.throttleTimer = undefined;
    this.resumeOne();
  };

  private resumeOne(): void {
    if (this.throttled === 0) return;
    this.throttled -= 1;
    setImmediate(this.takeTurn);
  }
}

const decayUsage = ({ ms, atMs }: Usage, nowMs: number): number => ms * 2 ** ((atMs - nowMs) / USAGE_HALF_LIFE_MS);
