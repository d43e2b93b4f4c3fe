import type { WebhookEvent } from './api-types.ts';

/** Why a call is not one of the service, or not of now. */
export type WebhookFault = 'missing_header' | 'too_old' | 'too_new' | 'wrong_signature' | 'unreadable_body';

/** The call must not be acted on: answer it with a status of 400 or above. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type WebhookCall = {
  /** The body as it arrived, before any parser: the signature is over its bytes. */
  body: string | Uint8Array;
  /** The headers of the request, as `fetch` or as Node has them. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The signing secret, `whsec_…`; several during a rotation, since any may have signed. */
  secret: string | readonly string[];
  /** How far the time of the call may be from now, in seconds; 300 where absent. */
  toleranceSeconds?: number;
  /** The moment to compare with, in epoch milliseconds; now where absent. */
  nowMs?: number;
};

export type VerifiedCall = {
  /** The same at every attempt of a call: tell repetitions by the id. */
  id: string;
  /** `type` tells which event; a service that is newer than this client may send further types, to be ignored. */
  event: WebhookEvent;
};

const TOLERANCE_SECONDS = 300;
const VERSION = 'v1,';
const encoder = new TextEncoder();

/**
 * Verifies and returns a webhook event (Standard Webhooks). WebhookVerificationError for missing headers, a time
 * outside the tolerance or no valid signature; TypeError for an invalid secret. The platform's HMAC compares in
 * constant time.
 */
export async function verifyWebhook(call: WebhookCall): Promise<VerifiedCall> {
  const { headers, toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() } = call;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name);
    if (!value) throw new WebhookVerificationError('missing_header', `The call has no header ${name}.`);
    return value;
  }) as [string, string, string];
  checkTime(timestamp, { toleranceSeconds, nowMs });
  const body = typeof call.body === 'string' ? encoder.encode(call.body) : call.body;
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body);
  const secrets = typeof call.secret === 'string' ? [call.secret] : call.secret;
  if (!(await isSignedByAny(secrets, signatures, signed))) {
    throw new WebhookVerificationError('wrong_signature', 'No signature of the call is of the signing secret.');
  }
  return { id, event: parsed(body) };
}

function headerOf(headers: WebhookCall['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.join(' ');
}

function checkTime(timestamp: string, { toleranceSeconds, nowMs }: { toleranceSeconds: number; nowMs: number }): void {
  const ageSeconds = /^\d{1,12}$/.test(timestamp) ? nowMs / 1000 - Number(timestamp) : Number.NaN;
  if (!(ageSeconds >= -toleranceSeconds)) throw new WebhookVerificationError('too_new', 'The call is not of now.');
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('too_old', 'The call is too old.');
}

async function isSignedByAny(
  secrets: readonly string[],
  header: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const signatures = header.split(' ').flatMap((one) => (one.startsWith(VERSION) ? [one.slice(VERSION.length)] : []));
  let isSigned = false;
  for (const secret of secrets) {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''));
    if (!bytes?.length) throw new TypeError('A signing secret is `whsec_` and base64.');
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) {
      const given = bytesOf(signature);
      if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) isSigned = true;
    }
  }
  return isSigned;
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** Bytes of a base64 text; undefined where the text is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parsed(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookVerificationError('unreadable_body', 'The body of the call is no JSON.');
  }
}
