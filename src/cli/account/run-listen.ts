import type { OrderEvent } from '../../../clients/typescript/src/main.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OrderEventType } from '../../orders/order.ts';
import { type Account, explained } from './connect.ts';
import { type Forwarded, forwardEvent, signingSecretOf } from './forward.ts';

export type ListenOptions = { forwardTo?: string; events?: readonly OrderEventType[]; secret?: string; json?: boolean };

export type Surroundings = {
  clock: Clock;
  /** Ends the command. */
  signal: AbortSignal;
  /** Writes a part of the answer, and rejects where its reader has left. */
  write(text: string): Promise<void>;
  /** Tells the person at the terminal. */
  tell(sentence: string): void;
  pollMs: number;
  retryDelayMs?: number;
};

/**
 * Writes each event of an account from now on as a line, and posts it to a URL where one is named, one after the other,
 * until the signal. A service that does not answer is asked again; each event is told once. Rejects with CommandFailure
 * where the service refuses, or does not answer the first request.
 */
export async function runListen(account: Account, options: ListenOptions, around: Surroundings): Promise<void> {
  const { client, url } = account;
  const secret = options.secret ?? signingSecretOf(account.key);
  const wanted = options.events && new Set<string>(options.events);
  const { signal, pollMs, retryDelayMs } = around;
  try {
    const start = await client.events.list({}, { signal, retries: 0 });
    await around.write(beginning(account, options, secret));
    if (!start.is_complete) around.tell('The account has many orders: events of older orders are left out.');
    const watch = connectionWatch(url, around.tell);
    const waits = { pollMs, ...(retryDelayMs === undefined ? {} : { retryDelayMs }), ...watch };
    for await (const event of client.events.follow({ after: start.next, signal, ...waits })) {
      if (wanted && !wanted.has(event.type)) continue;
      const to = options.forwardTo;
      const forwarded = to && (await forwardEvent({ to, secret, clock: around.clock, signal }, event));
      await around.write(`${options.json ? documentOf(event, forwarded) : lineOf(event, forwarded)}\n`);
    }
  } catch (error) {
    // The regular end of the command.
    if (signal.aborted) return;
    throw explained(error, url);
  }
}

function beginning({ url, mode }: Account, { forwardTo, json }: ListenOptions, secret: string): string {
  if (json) return `${JSON.stringify({ url, mode, signing_secret: secret, forward_to: forwardTo ?? null })}\n`;
  const signed = `The signing secret is ${secret}`;
  const target = forwardTo ? `\n${signed}; each event is posted to ${forwardTo}, signed with it.` : `\n${signed}`;
  return `Listening to ${mode} events of ${url}. Ctrl-C ends it.${target}\n`;
}

/** Tells once that the service is away, and once that it is back. */
export function connectionWatch(url: string, tell: (sentence: string) => void) {
  let isAway = false;
  return {
    onFailure(error: unknown) {
      if (!isAway) tell(`${String((explained(error, url) as Error).message)} Trying again.`);
      isAway = true;
    },
    onAnswer() {
      if (isAway) tell(`${url} answers again.`);
      isAway = false;
    },
  };
}

function lineOf({ type, timestamp, data }: OrderEvent, forwarded: Forwarded | '' | undefined): string {
  const { order_id: orderId, order_number: number = '' } = data.order;
  const answer = forwarded ? `  → ${forwarded.status ?? forwarded.failure} (${forwarded.ms} ms)` : '';
  return `${timestamp}  ${type.padEnd('order.driver_assigned'.length)}  ${orderId}  ${number}${answer}`.trimEnd();
}

function documentOf(event: OrderEvent, forwarded: Forwarded | '' | undefined): string {
  return JSON.stringify(forwarded ? { event, forwarded } : { event });
}
