import { store as words } from '../../src/texts/en/store.ts';

/** A refusal of the service, or a missing answer. `message` is a sentence for people. */
export class ApiError extends Error {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly code: string;
  constructor(message: string, status = 0, code = 'no_answer') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const TIMEOUT_MS = 15_000;
/** 10 MB take 80 seconds at 1 Mbit/s. */
const UPLOAD_TIMEOUT_MS = 120_000;

/** Client of the Store API. Every step is idempotent and may be retried. */
export type Api = {
  /** Base URL of the Store API, without a trailing slash. */
  base: string;
  /**
   * Headers of every request. A one-order link adds its secret; a session needs none, because the browser sends the
   * cookie.
   */
  headers: Readonly<Record<string, string>>;
  get<Answer>(path: string): Promise<Answer>;
  send<Answer>(method: 'POST' | 'PATCH' | 'PUT', path: string, body?: object): Promise<Answer>;
  /** Sends a photo as it is. */
  upload<Answer>(path: string, file: File): Promise<Answer>;
};

export function createApi(base: string, headers: Readonly<Record<string, string>>): Api {
  async function call<Answer>(method: string, path: string, body?: object | File): Promise<Answer> {
    // The service detects a photo's format from its bytes.
    const type = body instanceof File ? 'image/jpeg' : 'application/json';
    const answer = await fetch(base + path, {
      method,
      headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': type }) },
      ...(method === 'GET' ? {} : { body: body instanceof File ? body : JSON.stringify(body ?? {}) }),
      cache: 'no-store',
      signal: AbortSignal.timeout(body instanceof File ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS),
    }).catch(() => undefined);
    if (!answer) throw new ApiError(words.errors.offline);
    const content = await answer.json().catch(() => ({}));
    if (answer.ok) return content;
    throw new ApiError(refusalInWords(answer.status, String(content.code)), answer.status, String(content.code));
  }
  return {
    base,
    headers,
    get: (path) => call('GET', path),
    send: (method, path, body) => call(method, path, body),
    upload: (path, file) => call('POST', path, file),
  };
}

const CODES: Readonly<Record<string, string>> = words.errors.codes;

/** The service's own sentences are in English, and for programmers. */
export function refusalInWords(status: number, code: string): string {
  if (status >= 500) return words.errors.unavailable;
  return CODES[code] ?? words.errors.refused({ code });
}

/** The error as a sentence for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : undefined);
