import { OPERATIONS, type Operations, PROBLEM_CODES, type Problem, type ProblemCode } from './api-types.ts';
import { DoorstepConnectionError, DoorstepError } from './errors.ts';
import { pause, retryAfterMs, retryDelayMs } from './retry.ts';

export type ClientOptions = {
  /** Address of the service, such as `https://api.example.com`. */
  baseUrl: string;
  /** The account's API key: `ds_test_…` or `ds_live_…`. Keep keys on a server, never in a page or an app. */
  key: string;
  /** Timeout of one attempt, including the response body, in milliseconds. Defaults to 30,000. */
  timeoutMs?: number;
  /** How often a request that failed in passing is sent again; 3 where absent, 0 never. */
  retries?: number;
  /** Wait before the first retry, in milliseconds; 500 where absent. It doubles with each further retry, up to 8 seconds. */
  retryDelayMs?: number;
  /** Another `fetch` than the platform's. */
  fetch?: typeof fetch;
};

export type CallOptions = {
  /** Ends the request, its retries and its waits; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  retries?: number;
  /** For a POST: a key of your own, kept with a cart for example, where one request may come from several processes. */
  idempotencyKey?: string;
};

/** An operation's requirements for its caller, by part; other parts must be absent. */
type Input<Name extends keyof Operations> = {
  [Part in 'path' | 'query' | 'body' as Operations[Name][Part] extends undefined
    ? never
    : Part]: Operations[Name][Part];
};

/** Calls one operation of the service. Rejects with DoorstepError, DoorstepConnectionError, or the signal's reason. */
export type Call = <Name extends keyof Operations>(
  name: Name,
  input: Input<Name>,
  options?: CallOptions,
) => Promise<Operations[Name]['answer']>;

const TIMEOUT_MS = 30_000;
const RETRIES = 3;

/** Prepares calls with an account's key. Throws TypeError for an invalid URL or key. */
export function createCall({ baseUrl, key, ...defaults }: ClientOptions): Call {
  const base = new URL(baseUrl);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The key is empty, or has letters that no header carries.');
  const send = defaults.fetch ?? ((input, init) => fetch(input, init));
  return async (name, input, options = {}) => {
    const { signal, timeoutMs = defaults.timeoutMs ?? TIMEOUT_MS, retries = defaults.retries ?? RETRIES } = options;
    const idempotencyKey = OPERATIONS[name].takesIdempotencyKey ? (options.idempotencyKey ?? randomKey()) : undefined;
    const request = requestOf(base, name, input, { key, idempotencyKey });
    const made = { operation: name, idempotencyKey };
    for (let failures = 1; ; failures += 1) {
      try {
        return await attempt(send, request, made, { signal, timeoutMs });
      } catch (error) {
        const delayMs =
          failures > retries
            ? undefined
            : retryDelayMs(error, { failures, firstMs: defaults.retryDelayMs, chance: Math.random() });
        if (delayMs === undefined) throw error;
        await pause(delayMs, signal);
      }
    }
  };
}

/** 128 random bits. `randomUUID` is missing in pages that came over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Request = { url: string; init: RequestInit };
type Parts = { path?: Record<string, string>; query?: object; body?: unknown };
type Keys = { key: string; idempotencyKey: string | undefined };

/**
 * One request for all attempts. A redirect is not followed: the key would go to the redirect's target.
 */
function requestOf(base: URL, name: keyof Operations, parts: Parts, { key, idempotencyKey }: Keys): Request {
  const { method, path } = OPERATIONS[name];
  const url = new URL(base);
  const filled = path.replace(/\{(\w+)\}/g, (_all, part: string) => pathPartOf(part, parts.path?.[part]));
  url.pathname = `${base.pathname.replace(/\/$/, '')}${filled}`;
  for (const [parameter, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined && value !== null) url.searchParams.set(parameter, String(value));
  }
  const headers: Record<string, string> = { accept: 'application/json', 'id-token': key };
  // A sandbox is where a misspelled field shall be noticed.
  if (key.startsWith('ds_test_')) headers['doorstep-strict'] = 'true';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (method === 'POST') {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(parts.body ?? {});
  }
  return { url: url.href, init };
}

/** An id as a part of a path. A URL leaves `.` and `..` out of its path, encoded or not, and would name another operation. */
function pathPartOf(name: string, id = ''): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`The ${name} is none: "${id}".`);
  return encodeURIComponent(id);
}

type Made = { operation: keyof Operations; idempotencyKey: string | undefined };
type Limits = { signal: AbortSignal | undefined; timeoutMs: number };

async function attempt<Answer>(
  send: typeof fetch,
  { url, init }: Request,
  made: Made,
  { signal, timeoutMs }: Limits,
): Promise<Answer> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    const response = await send(url, { ...init, signal: controller.signal });
    const answered = await readAnswer(response, Date.now());
    if ('answer' in answered) return answered.answer as Answer;
    throw new DoorstepError(made, answered.refusal);
  } catch (error) {
    if (error instanceof DoorstepError) throw error;
    signal?.throwIfAborted();
    throw new DoorstepConnectionError(made, isTooLate ? 'timeout' : 'network', error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

type Refusal = Pick<DoorstepError, 'status' | 'code' | 'detail' | 'requestId' | 'problem' | 'retryAfterMs'>;
type Answered = { answer: unknown } | { refusal: Refusal };

/**
 * The result of a response, or its error. A 200 response without JSON returns its bytes, except HTML: no operation
 * returns a page, so a page comes from a proxy.
 */
async function readAnswer(response: Response, nowMs: number): Promise<Answered> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isJson = type === 'application/json' || type === 'application/problem+json';
  if (response.ok && !isJson && type !== 'text/html') {
    return { answer: new Uint8Array(await response.arrayBuffer()) };
  }
  const read = isJson ? parsed(await response.text()) : undefined;
  if (response.ok && read !== undefined) return { answer: read };
  return { refusal: refusalOf(response, isProblem(read) ? read : {}, nowMs) };
}

function refusalOf(response: Response, problem: Partial<Problem>, nowMs: number): Refusal {
  return {
    status: response.status,
    code: isKnown(problem.code) ? problem.code : 'unknown_problem',
    detail: problem.detail ?? 'The answer is none of the service.',
    requestId: response.headers.get('x-request-id') ?? problem.request_id,
    problem,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), nowMs),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Partial<Problem> {
  return typeof value === 'object' && value !== null && 'code' in value;
}

function isKnown(code: string | undefined): code is ProblemCode {
  return (PROBLEM_CODES as readonly (string | undefined)[]).includes(code);
}
