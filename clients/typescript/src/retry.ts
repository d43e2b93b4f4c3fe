import { DoorstepConnectionError, DoorstepError } from './errors.ts';

/** Asking again: which failures pass, how long to wait, and lists that are read for as long as the caller follows them. */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
/** A longer `Retry-After` is left to the caller: a daily budget resets at midnight. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Retrying after these codes returns the same until a person acts or an hour passes. */
const NOT_WORTH_RETRYING: ReadonlySet<string> = new Set(['too_many_declines', 'payment_gateway_not_configured']);

/** Whether the same request may succeed later: the service is busy or away, or no response has arrived. */
function isPassing(error: unknown): boolean {
  if (error instanceof DoorstepConnectionError) return true;
  if (!(error instanceof DoorstepError) || NOT_WORTH_RETRYING.has(error.code)) return false;
  return error.status === 429 || error.status >= 500 || error.code === 'idempotency_in_progress';
}

type Backoff = { failures: number; firstMs?: number | undefined; chance: number };

/**
 * Milliseconds until the next attempt after `failures` in a row; undefined to give up. Doubles each time, with up to
 * half removed as jitter; `Retry-After` only lengthens it. `chance` is from 0 to 1.
 */
export function retryDelayMs(
  error: unknown,
  { failures, firstMs = FIRST_DELAY_MS, chance }: Backoff,
): number | undefined {
  if (!isPassing(error)) return undefined;
  const backoffMs = Math.min(MAX_DELAY_MS, firstMs * 2 ** (failures - 1)) * (1 - chance / 2);
  const headerMs = error instanceof DoorstepError ? error.retryAfterMs : undefined;
  if (headerMs === undefined) return backoffMs;
  return headerMs > MAX_RETRY_AFTER_MS ? undefined : Math.max(backoffMs, headerMs + chance * firstMs);
}

/** Milliseconds of a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

/** Resolves after so many milliseconds; rejects with the reason of the signal as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

const POLL_MS = 3000;
/** The delay for a `Retry-After` that's longer than a request waits. */
const LONG_WAIT_MS = 60_000;
/** Beyond so many failures in a row the wait grows no more. */
const MAX_FAILURES = 10;

export type WaitDeps = {
  /** Wait between two looks, in milliseconds; 3,000 where absent. */
  pollMs?: number | undefined;
  /** Wait after the first failure in a row, in milliseconds; 500 where absent. */
  retryDelayMs?: number | undefined;
  /** Called with each failure in passing, before the wait for the next look. */
  onFailure?: ((error: unknown) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Pages one after the other: at once while `has_more`, otherwise after a delay. Unavailable services are retried; an
 * error response throws DoorstepError, the signal its reason.
 */
export async function* lookAgain<Answer extends { has_more: boolean }>(
  look: () => Promise<Answer>,
  { pollMs = POLL_MS, retryDelayMs: firstMs, onFailure, signal }: WaitDeps,
): AsyncGenerator<Answer, void, undefined> {
  let failures = 0;
  for (;;) {
    const looked = await look().catch((error: unknown) => ({ error }));
    if (!('error' in looked)) {
      failures = 0;
      yield looked;
      if (!looked.has_more) await pause(pollMs, signal);
      continue;
    }
    if (!isPassing(looked.error)) throw looked.error;
    onFailure?.(looked.error);
    failures = Math.min(failures + 1, MAX_FAILURES);
    const waitMs = retryDelayMs(looked.error, { failures, firstMs, chance: Math.random() }) ?? LONG_WAIT_MS;
    await pause(waitMs, signal);
  }
}
