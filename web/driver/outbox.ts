import type { DriverState } from '../../src/fulfillment/deliveries/driver-view.ts';
import type { Answer } from './connection.ts';

const RETRY_MS = 3000;

type Hooks = {
  /** Shows which request waits for a connection; undefined if none does. */
  showWaiting(words: string | undefined): void;
  showRefusal(code: string): void;
  apply(state: DriverState): void;
  hasEnded(): void;
};

export type Outbox = {
  /** Sends items one after the other and retries each until a response arrives. Repetitions are idempotent. */
  add(words: string, send: () => Promise<Answer>): Promise<void>;
  isEmpty(): boolean;
};

export function createOutbox({ showWaiting, showRefusal, apply, hasEnded }: Hooks): Outbox {
  let count = 0;
  let before = Promise.resolve();

  async function deliver(words: string, send: () => Promise<Answer>): Promise<void> {
    for (;;) {
      const answer = await send();
      if (answer.kind === 'done' && answer.state) apply(answer.state);
      if (answer.kind === 'refused') showRefusal(answer.code);
      if (answer.kind === 'ended') hasEnded();
      if (answer.kind !== 'lost' && answer.kind !== 'again') break;
      showWaiting(words);
      await pause(answer.kind === 'again' ? answer.waitMs : RETRY_MS);
    }
    showWaiting(undefined);
  }

  return {
    isEmpty: () => count === 0,
    add(words, send) {
      count += 1;
      before = before
        .then(() => deliver(words, send))
        .finally(() => {
          count -= 1;
        });
      return before;
    },
  };
}

/** Waits, or returns early when the phone is online again. */
function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    const timer = window.setTimeout(end, ms);
    window.addEventListener('online', end, { once: true });
    function end(): void {
      window.clearTimeout(timer);
      window.removeEventListener('online', end);
      done();
    }
  });
}
