import type { ListEventsAnswer, OrderEvent } from './api-types.ts';
import type { Call, CallOptions } from './call.ts';
import { lookAgain, type WaitDeps } from './retry.ts';

export type FollowEventsOptions = Pick<CallOptions, 'signal' | 'timeoutMs'> &
  Pick<WaitDeps, 'pollMs' | 'retryDelayMs' | 'onFailure'> & {
    /** `next` of an earlier answer; the present where absent. */
    after?: string;
    /** Called with each response before its events, with `next` and `is_complete`. */
    onAnswer?: (answer: ListEventsAnswer) => void;
  };

/** The steps of all the account's orders. */
export function createEvents(call: Call, { retryDelayMs }: Pick<WaitDeps, 'retryDelayMs'>) {
  return {
    /** The steps since an earlier answer; without `after` none, and `next` is the present. */
    list: (query: { after?: string } = {}, options?: CallOptions) => call('listEvents', { query }, options),
    /** The steps of all orders as they are taken, each once, until the caller leaves. */
    follow: (options?: FollowEventsOptions): AsyncGenerator<OrderEvent, void, undefined> =>
      followEvents(call, { retryDelayMs, ...options }),
  };
}

/**
 * A busy or unavailable service is retried for as long as the caller waits; an error response ends the iteration with
 * DoorstepError. The steps of one response are yielded before the next request.
 */
async function* followEvents(
  call: Call,
  { after, onAnswer, pollMs, retryDelayMs, onFailure, ...options }: FollowEventsOptions,
): AsyncGenerator<OrderEvent, void, undefined> {
  let next = after;
  const look = () => {
    const query = next === undefined ? {} : { after: next };
    return call('listEvents', { query }, { ...options, retries: 0 });
  };
  for await (const answer of lookAgain(look, { pollMs, retryDelayMs, onFailure, signal: options.signal })) {
    onAnswer?.(answer);
    yield* answer.events;
    next = answer.next;
  }
}
