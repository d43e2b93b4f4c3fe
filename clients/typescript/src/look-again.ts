import { pause } from './pause.ts';
import { isPassing, retryDelayMs } from './retry-delay.ts';

const POLL_MS = 3000;
/** The wait for a service that wants to be left alone for longer than a request waits. */
const LONG_WAIT_MS = 60_000;
/** Beyond so many failures in a row the wait grows no more. */
const MAX_FAILURES = 10;

export type Waits = {
  /** Wait between two looks, in milliseconds; 3,000 where absent. */
  pollMs?: number | undefined;
  /** Wait after the first failure in a row, in milliseconds; 500 where absent. */
  retryDelayMs?: number | undefined;
  /** Called with each failure in passing, before the wait for the next look. */
  onFailure?: ((error: unknown) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Answers of one look after the other for as long as the caller takes them: at once while `has_more` says that further
 * items wait, else after a wait. A service that is busy or away is asked again; a refusal ends the iteration with
 * DoorstepError, the signal with its reason.
 */
export async function* lookAgain<Answer extends { has_more: boolean }>(
  look: () => Promise<Answer>,
  { pollMs = POLL_MS, retryDelayMs: firstMs, onFailure, signal }: Waits,
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
