/** Location and reason of an invalid input: a member of RFC 9457's `errors` in 400 and 422 answers. */
export type Fault = { in: 'query' | 'body' | 'header' | 'path'; name: string; message: string };

/** An error code's meaning. `retry`: the response includes `Retry-After`, and the same request may succeed then. */
export type RefusalRecord = { status: number; retry: boolean; meaning: string };

/**
 * Error codes of a declaration: their meanings by status. If a meaning names `Retry-After`, the response contains it.
 */
type Meanings = Readonly<Record<number, Readonly<Record<string, string>>>>;

type CodeOf<Declared> = Declared extends Meanings
  ? { [Status in keyof Declared]: keyof Declared[Status] }[keyof Declared]
  : never;
export type CodesOf<Declared extends Meanings> = Record<CodeOf<Declared>, unknown>;

/** Errors that any endpoint may answer with. */
export const HTTP_REFUSALS = {
  400: { invalid_request: 'Part of the request is missing or invalid. `errors` lists every invalid field.' },
  404: {
    route_not_found: 'No endpoint has this path.',
    not_found: 'No object has the ID, number or address in the request. `detail` says which.',
  },
  405: { method_not_allowed: 'The path does not support this method. See `Allow`.' },
  413: { body_too_large: "The body exceeds the endpoint's limit of up to 1 MiB, or 10 MiB for photos." },
  415: {
    unsupported_media_type: "The body isn't uncompressed `application/json` in UTF-8, or isn't a supported photo type.",
  },
  429: {
    rate_limited:
      'Too many requests, a used-up daily budget, or too many searches, large bodies, unread responses or streams at once. See `Retry-After`.',
  },
  503: {
    not_ready:
      'The service is starting, a newer version has taken over, the database is unavailable or its disk is full, or the node is at a limit. See `Retry-After`. Nothing was done, unless the database was lost during the request: repeat it with the same `Idempotency-Key` to find out.',
    upstream_unavailable: 'An external service does not respond. Send the same request again.',
  },
} as const;

/**
 * Every error code. `texts/refusals.ts` declares the service's own; `app/wiring/refusals.ts` joins all for the API
 * description and docs/errors.md (`npm run doc-tables`).
 */
export interface RefusalCodes extends CodesOf<typeof HTTP_REFUSALS> {}
export type RefusalCode = keyof RefusalCodes;

export type RefusalRecords<Code extends RefusalCode = RefusalCode> = Readonly<Record<Code, RefusalRecord>>;

/** Joins declarations into one record per code. */
export function refusalRecords<const Declared extends readonly Meanings[]>(
  ...declared: Declared
): RefusalRecords<CodeOf<Declared[number]> & RefusalCode> {
  const records = declared.flatMap((meanings) =>
    Object.entries(meanings).flatMap(([status, codes]) =>
      Object.entries(codes).map(([code, meaning]): [string, RefusalRecord] => [
        code,
        { status: Number(status), retry: meaning.includes('`Retry-After`'), meaning },
      ]),
    ),
  );
  return Object.fromEntries(records.sort(([, a], [, b]) => a.status - b.status)) as RefusalRecords;
}

/** The response to an internal error. It is not an error, and its cause is only logged. */
export const INTERNAL_ERROR: RefusalRecord = {
  status: 500,
  retry: false,
  meaning: 'Something went wrong on our side. `request_id` helps us find it. The request can be sent again.',
};

/** Additional members and headers of some codes, such as `decline_code` or `Retry-After`. */
export type RefusalExtras = {
  errors?: readonly Fault[];
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
};

/** Returns the extras of an error whose request may succeed later. */
export const retryAfter = (seconds: number): RefusalExtras => ({ headers: { 'retry-after': String(seconds) } });

/** A rule of the domain refused the request. `detail` is shown to people and must not contain secrets. */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error {
  readonly code: Code;
  readonly extras: RefusalExtras;

  constructor(code: Code, detail: string, extras: RefusalExtras = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.extras = extras;
  }
}
