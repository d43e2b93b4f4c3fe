import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TestContext } from 'node:test';
import { nextTurn } from './until.ts';

export type TimeOuts = {
  /** Advances time; due timeouts fire. */
  pass(ms: number): void;
  /** Advances time until the work ends. */
  passUntilEnd(work: Promise<unknown>): Promise<void>;
};

/**
 * Mocks `AbortSignal.timeout` until the test ends: answers may take as long as a busy machine needs, and hanging calls
 * time out at once.
 */
export function holdTimeOuts(t: Pick<TestContext, 'mock'>): TimeOuts {
  let nowMs = 0;
  const held = new Set<{ dueMs: number; controller: AbortController }>();
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    const controller = new AbortController();
    held.add({ dueMs: nowMs + ms, controller });
    return controller.signal;
  });
  const pass = (ms: number) => {
    nowMs += ms;
    for (const one of held) {
      if (one.dueMs > nowMs) continue;
      held.delete(one);
      one.controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }
  };
  return {
    pass,
    async passUntilEnd(work) {
      let hasEnded = false;
      const end = () => {
        hasEnded = true;
      };
      work.then(end, end);
      while (!hasEnded) {
        pass(1000);
        await nextTurn();
      }
      await work;
    },
  };
}

const RESPONSE = 'http.client.response.finish';

/** Resolves when the head of the next HTTP answer has reached its client in this process. */
export function nextAnswerBegun(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen = () => {
    unsubscribe(RESPONSE, seen);
    resolve();
  };
  subscribe(RESPONSE, seen);
  return promise;
}
