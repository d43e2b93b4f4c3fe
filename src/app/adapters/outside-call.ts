import { access, constants } from 'node:fs/promises';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { readErrorReason } from '../../platform/lib/read-bytes.ts';

export type BytesAnswer = { status: number; headers: Headers; bytes: Buffer };
export type TextAnswer = Omit<BytesAnswer, 'bytes'> & { text: string };

/** A third party: its name in errors, its host, and the size limit and timeout of its responses. */
export type CalledParty = { party: string; host: string; maxBytes: number; timeoutMs: number };

/**
 * Fetches an external service's whole answer within `timeoutMs` and `maxBytes`, without redirects. A failure or a
 * longer answer is a retryable OutsideError, which names the kind of failure and nothing of the request.
 */
export async function fetchBytes(
  target: string | Request,
  init: RequestInit,
  called: CalledParty,
): Promise<BytesAnswer> {
  const { party, host, maxBytes, timeoutMs } = called;
  try {
    const response = await fetch(target, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new RangeError('answer too large');
      chunks.push(chunk);
    }
    return { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) };
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    throw new OutsideError(party, `${host} did not answer (${reason}).`, { retryable: true });
  }
}

/** Fetches a response in UTF-8, as `fetchBytes` does. */
export async function fetchText(url: string, init: RequestInit, called: CalledParty): Promise<TextAnswer> {
  const { bytes, ...answer } = await fetchBytes(url, init, called);
  return { ...answer, text: bytes.toString('utf8') };
}

/** A request that accepts JSON, and sends it if it has a body. */
export function jsonRequest(method: string, headers: Readonly<Record<string, string>>, body?: object): RequestInit {
  const accepting = { accept: 'application/json', ...headers };
  if (!body) return { method, headers: accepting };
  return { method, headers: { ...accepting, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const QUESTION_TIMEOUT_MS = 10_000;

/** A party does not take the question; the message says how it answered, and nothing of the request. */
export class PartyRefused extends Error {}

/** Reads a URL, for `doorstep check`. Rejects unless the response contains an expected status. */
export async function readParty(
  target: string | Request,
  init: RequestInit = {},
  expected: readonly number[] = [200],
): Promise<undefined> {
  const signal = AbortSignal.timeout(QUESTION_TIMEOUT_MS);
  const reply = await fetch(target, { ...init, redirect: 'manual', signal });
  await reply.body?.cancel();
  if (!expected.includes(reply.status)) throw new PartyRefused(`answered ${reply.status}`);
}

/** Rejects unless this process may read the file, for `doorstep check`. */
export async function checkReadable(file: string): Promise<undefined> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new PartyRefused(`could not be read: ${readErrorReason(error)}`);
  });
}
