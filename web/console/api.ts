import { errors } from '../../src/texts/en/store.ts';
import { request } from '../request.ts';

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
  const failures = {
    offline: errors.offline,
    refusal: refusalInWords,
    // An ended session leads to the sign-in page; a link has none.
    leave: (url: string) => !url.endsWith('/sign-in') && Object.keys(headers).length === 0 && location.reload(),
  };
  const call = (method: string, path: string, body?: object) => {
    const signal = AbortSignal.timeout(body instanceof File ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
    return request(failures, base + path, { method, headers, body, signal });
  };
  return {
    base,
    headers,
    get: (path) => call('GET', path),
    send: (method, path, body = {}) => call(method, path, body),
    upload: (path, file) => call('POST', path, file),
  };
}

const CODES: Readonly<Record<string, string>> = errors.codes;

/** The service's own sentences are in English, and for programmers. */
export function refusalInWords(status: number, code: string): string {
  if (status >= 500) return errors.unavailable;
  return CODES[code] ?? errors.refused({ code });
}
