import type { OwnerUsage } from '../owner-usage.ts';
import { SHARED_SLICE_MS } from '../slice.ts';
import { createYoungRequests } from './young-requests.ts';

/**
 * While young requests of light owners are being answered, heavy owners together have one short slice in so many milliseconds.
 * A request passes the event loop some eight times, and hardly ever finds a slice of a flood there.
 */
export const HOLD_MS = 4;
/**
 * An owner is heavy with this usage, about a fifth of a processor's time: at most four owners are, so that the requests of
 * many equal owners hold none of them.
 */
export const HEAVY_MS = 300;
/** A heavy owner has used so many times as much as an owner that it gives way to: equal floods do not hold each other. */
export const HEAVY_TIMES = 1.2;

/** The turns of heavy owners that wait for requests of light owners. Times are milliseconds of a clock that only moves on. */
export type HeldTurns = {
  /** A request of the owner is being answered until the function is called that comes back. */
  enter(owner: string, nowMs: number): () => void;
  /** Whether the owner has used much, and more than an owner of a young request. */
  isHeavy(owner: string, nowMs: number): boolean;
  /** Keeps a turn of a heavy owner where heavy owners have had their slice; `resume` takes the turn again later. */
  hold(nowMs: number): boolean;
  /** Counts the work of a heavy owner. */
  spend(ms: number): void;
  /** Resumes one held turn, where there is one. */
  releaseOne(): void;
};

export function createHeldTurns(usage: Pick<OwnerUsage, 'of'>, resume: () => void): HeldTurns {
  const young = createYoungRequests();
  let held = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Heavy owners have a slice from this time on; the slice has used so much. */
  let sliceFromMs = -Infinity;
  let usedMs = 0;

  function releaseOne(): void {
    if (held === 0) return;
    held -= 1;
    setImmediate(resume);
  }

  function wake(): void {
    clearTimeout(timer);
    timer = undefined;
    releaseOne();
  }

  return {
    enter(owner, nowMs) {
      const leave = young.add(owner, nowMs);
      return () => {
        leave();
        if (held > 0) wake();
      };
    },
    isHeavy(owner, nowMs) {
      const ownMs = usage.of(owner, nowMs);
      if (ownMs < HEAVY_MS) return false;
      for (const other of young.owners(nowMs)) if (usage.of(other, nowMs) * HEAVY_TIMES <= ownMs) return true;
      return false;
    },
    hold(nowMs) {
      if (nowMs >= sliceFromMs + HOLD_MS) {
        sliceFromMs = nowMs;
        usedMs = 0;
      }
      if (usedMs < SHARED_SLICE_MS) return false;
      held += 1;
      timer ??= setTimeout(wake, sliceFromMs + HOLD_MS - nowMs);
      return true;
    },
    spend(ms) {
      usedMs += ms;
    },
    releaseOne,
  };
}
