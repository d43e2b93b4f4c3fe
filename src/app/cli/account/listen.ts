import { createHash, createHmac } from 'node:crypto';
import { Command } from 'commander';
import type { OrderEvent } from '../../../../clients/typescript/src/main.ts';
import { callHeaders } from '../../../notify/outbox/hand-over.flow.ts';
import { USER_AGENT } from '../../../notify/webhooks/webhook.ts';
import { ORDER_EVENT_TYPES, type OrderEventType } from '../../../ordering/order/order-events.ts';
import { type Clock, systemClock } from '../../../platform/lib/clock.ts';
import { parsed, parseListOf, parseSecretFile, parseWebUrl } from '../arguments.ts';
import { listenForInterruption } from '../interruption.ts';
import { writePart } from '../output.ts';
import {
  type Account,
  type AccountOptions,
  chooseAccount,
  explainRequestError,
  withAccountOptions,
} from './connect.ts';

/** Polling interval. The service lists an event half a second after its step. */
const POLL_MS = 1000;
const HELP = `
A service that restarts is waited for: each event is shown once. Events from before the start are not shown. What is
posted is not tried again. The signing secret is always the same for a key.`;

/** `doorstep listen`: prints an account's events on a machine that webhook calls cannot reach. */
export function listenCommand(): Command {
  const command = new Command('listen')
    .option(
      '--forward-to <url>',
      'forward each event to this URL, signed, such as http://localhost:3000/webhooks',
      parseWebUrl,
    )
    .option('--events <list>', `only these events: ${ORDER_EVENT_TYPES.join(', ')}`, parseListOf(ORDER_EVENT_TYPES))
    .option(
      '--secret-file <file>',
      'sign with the secret (whsec_…) in this file instead of one derived from the key',
      (file) => parseSecret(parseSecretFile(file)),
    )
    .addHelpText('after', HELP)
    .option(
      '--json',
      'print one JSON document per line: { url, mode, signing_secret, forward_to }, then { event, forwarded? } for each event',
    );
  return withAccountOptions(command).action(async (options: ListenCommandOptions & AccountOptions) => {
    await runListen(chooseAccount(options), options, {
      clock: systemClock,
      signal: listenForInterruption().signal,
      write: writePart,
      pollMs: POLL_MS,
      print: (sentence) => process.stderr.write(`${sentence}\n`),
    });
  });
}

const parseSecret = parsed(
  (text) => (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text) ? text : undefined),
  'whsec_ and base64',
);

export type ListenCommandOptions = {
  forwardTo?: string;
  events?: readonly OrderEventType[];
  secretFile?: string;
  json?: boolean;
};

export type ListenDeps = {
  clock: Clock;
  signal: AbortSignal;
  /** Writes to standard output; rejects if its reader has closed the pipe. */
  write(text: string): Promise<void>;
  print(sentence: string): void;
  pollMs: number;
  retryDelayMs?: number;
};

/**
 * Prints an account's new events as lines and forwards them to a URL, in order and each once, until aborted. Retries
 * an unavailable service. Throws CommandFailure if the service refuses, or is unavailable at the first request.
 */
export async function runListen(account: Account, options: ListenCommandOptions, around: ListenDeps): Promise<void> {
  const { client, url } = account;
  const secret = options.secretFile ?? signingSecretOf(account.key);
  const wanted = options.events && new Set<string>(options.events);
  const { signal, pollMs, retryDelayMs } = around;
  try {
    const start = await client.events.list({}, { signal, retries: 0 });
    await around.write(greeting(account, options, secret));
    if (!start.is_complete) around.print('The account has many orders, so events of older ones are left out.');
    const watch = createConnectionWatch(url, around.print);
    const waits = { pollMs, ...(retryDelayMs === undefined ? {} : { retryDelayMs }), ...watch };
    for await (const event of client.events.follow({ after: start.next, signal, ...waits })) {
      if (wanted && !wanted.has(event.type)) continue;
      const to = options.forwardTo;
      const forwarded = to && (await forwardEvent({ to, secret, clock: around.clock, signal }, event));
      const document = forwarded ? { event, forwarded } : { event };
      await around.write(`${options.json ? JSON.stringify(document) : eventLine(event, forwarded)}\n`);
    }
  } catch (error) {
    // An abort is the regular end of the command.
    if (signal.aborted) return;
    throw explainRequestError(error, url);
  }
}

function greeting({ url, mode }: Account, { forwardTo, json }: ListenCommandOptions, secret: string): string {
  if (json) return `${JSON.stringify({ url, mode, signing_secret: secret, forward_to: forwardTo ?? null })}\n`;
  const signed = `The signing secret is ${secret}`;
  const target = forwardTo ? `\n${signed}; each event is posted to ${forwardTo}, signed with it.` : `\n${signed}`;
  return `Listening for ${mode} events at ${url}. Press Ctrl-C to stop.${target}\n`;
}

/** Reports once when the service stops answering, and once when it answers again. */
export function createConnectionWatch(url: string, print: (sentence: string) => void) {
  let isUnreachable = false;
  return {
    onFailure(error: unknown) {
      if (!isUnreachable) print(`${String((explainRequestError(error, url) as Error).message)} Trying again.`);
      isUnreachable = true;
    },
    onAnswer() {
      if (isUnreachable) print(`${url} answers again.`);
      isUnreachable = false;
    },
  };
}

function eventLine({ type, timestamp, data }: OrderEvent, forwarded: ForwardResult | '' | undefined): string {
  const { order_id: orderId, order_number: number = '' } = data.order;
  const answer = forwarded ? `  → ${forwarded.status ?? forwarded.failure} (${forwarded.ms} ms)` : '';
  return `${timestamp}  ${type.padEnd('order.driver_assigned'.length)}  ${orderId}  ${number}${answer}`.trimEnd();
}

/** As long as the service waits for an endpoint (docs/webhooks.md#answering). */
const TIMEOUT_MS = 10_000;

type ForwardResult = { status: number | null; failure: string | null; ms: number };

/** Derived from the key by a one-way hash, so that it is equal on every machine and after every start. */
export function signingSecretOf(key: string): string {
  return `whsec_${createHmac('sha256', key).update('doorstep listen').digest('base64')}`;
}

/** A forwarded event always has the same id. */
function eventId({ data }: OrderEvent): string {
  const text = `${data.order.order_id} ${data.sequence}`;
  return `msg_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
}

/** Posts an event to a URL with the body, headers and signature of a webhook call. Rejects only on the signal. */
async function forwardEvent(
  { to, secret, clock, signal }: { to: string; secret: string; clock: Clock; signal: AbortSignal },
  event: OrderEvent,
): Promise<ForwardResult> {
  const body = JSON.stringify(event);
  const headers = callHeaders({ userAgent: USER_AGENT, secrets: [secret], id: eventId(event), at: clock.now(), body });
  const startedMs = performance.now();
  const ms = () => Math.round(performance.now() - startedMs);
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: limits });
    await response.body?.cancel();
    return { status: response.status, failure: null, ms: ms() };
  } catch (error) {
    signal.throwIfAborted();
    return { status: null, failure: forwardFailure(error), ms: ms() };
  }
}

function forwardFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no response in ${TIMEOUT_MS / 1000} s`;
  const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
  return `no response${typeof code === 'string' ? ` (${code})` : ''}`;
}
