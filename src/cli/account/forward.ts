import { createHash, createHmac } from 'node:crypto';
import type { OrderEvent } from '../../../clients/typescript/src/main.ts';
import type { Clock } from '../../lib/clock.ts';
import { signedHeaders } from '../../lib/standard-webhook.ts';
import { CALL_HEADERS } from '../../webhooks/webhook.ts';

/** As long as the service waits for an endpoint (docs/webhooks.md#answering). */
const TIMEOUT_MS = 10_000;

export type Forwarded = { status: number | null; failure: string | null; ms: number };

/** Derived from the key by a one-way hash: the same on every machine and after every start. */
export function signingSecretOf(key: string): string {
  return `whsec_${createHmac('sha256', key).update('doorstep listen').digest('base64')}`;
}

/** The same event has the same id whenever it is forwarded. */
function idOf({ data }: OrderEvent): string {
  const text = `${data.order.order_id} ${data.sequence}`;
  return `msg_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
}

/** Posts an event to a URL as the service calls a webhook: the same body, headers and signature. Never rejects but by the signal. */
export async function forwardEvent(
  { to, secret, clock, signal }: { to: string; secret: string; clock: Clock; signal: AbortSignal },
  event: OrderEvent,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const headers = { ...CALL_HEADERS, ...signedHeaders([secret], { id: idOf(event), at: clock.now(), body }) };
  const startedMs = performance.now();
  const ms = () => Math.round(performance.now() - startedMs);
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: limits });
    await response.body?.cancel();
    return { status: response.status, failure: null, ms: ms() };
  } catch (error) {
    signal.throwIfAborted();
    return { status: null, failure: failureOf(error), ms: ms() };
  }
}

function failureOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${TIMEOUT_MS / 1000} s`;
  const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
  return `no answer${typeof code === 'string' ? ` (${code})` : ''}`;
}
