import type { ListEventsAnswer, OrderEvent } from './api-types.ts';
import type { Call, CallOptions } from './call.ts';
import { lookAgain, type WaitDeps } from './retry.ts';

export type FollowEventsOptions = Pick<CallOptions, 'signal' | 'timeoutMs'> &
  Pick<WaitDeps, 'pollMs' | 'retryDelayMs' | 'onFailure'> & {
    /** `next` of an earlier answer; the present where absent. */
    after?: string;
    /** Called with each answer, before its events: `next` and `is_complete` are in it. */
    onAnswer?: (answer: ListEventsAnswer) => void;
  };

/** The steps of all orders of the account. */
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
 * A service that is busy or away is asked again for as long as the caller waits; a refusal ends the iteration with
 * DoorstepError. The steps of one answer are taken before the next answer is asked for.
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
