import type { DriverState } from '../../src/fulfillment/deliveries/driver-view.ts';

/** Milliseconds until a call without a response is repeated. */
const TIMEOUT_MS = 15_000;

/**
 * The outcome of a call. `again`: the service is too busy and names a delay. `lost`: there was no response, so the call
 * may have had its effect.
 */
export type Answer =
  | { kind: 'done'; stage: string | undefined; state: DriverState | undefined }
  | { kind: 'again'; waitMs: number }
  | { kind: 'lost' }
  | { kind: 'ended' }
  | { kind: 'refused'; code: string };

/** URL of the page without a trailing slash. */
const BASE = location.pathname.replace(/\/$/, '');

/** Calls the service at a path below the page. */
export async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const reply = await fetch(`${BASE}/${path}?lang=${document.documentElement.lang}`, {
      ...init,
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (reply.status === 204) return { kind: 'done', stage: undefined, state: undefined };
    if (reply.status === 404) return { kind: 'ended' };
    if (reply.status === 429 || reply.status >= 500) return { kind: 'again', waitMs: waitOf(reply) };
    const body = await reply.json();
    if (!reply.ok) return { kind: 'refused', code: String(body.code) };
    return { kind: 'done', stage: body.stage, state: 'parts' in body ? body : undefined };
  } catch {
    return { kind: 'lost' };
  }
}

export function postJson(path: string, body: object): Promise<Answer> {
  return call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

function waitOf(reply: Response): number {
  return Math.max(3, Number(reply.headers.get('retry-after')) || 0) * 1000;
}
