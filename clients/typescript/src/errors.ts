import type { Operations, Problem, ProblemCode } from './api-types.ts';

type Made = { operation: keyof Operations; idempotencyKey: string | undefined };

/**
 * The service refused, after all retries. `code` is for programs; `unknown_problem` stands for responses that are no
 * problem document, such as a proxy's, and for codes newer than this client.
 */
export class DoorstepError extends Error {
  override readonly name = 'DoorstepError';
  readonly operation: keyof Operations;
  readonly status: number;
  readonly code: ProblemCode | 'unknown_problem';
  readonly detail: string;
  /** Names the request in the logs of the service; undefined where no part of the service has answered. */
  readonly requestId: string | undefined;
  /** The whole problem document, such as `final_quote` of `quote_changed` and `errors` of `invalid_request`. */
  readonly problem: Partial<Problem>;
  /** The service's `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Key of the request, to send the same request again later. */
  readonly idempotencyKey: string | undefined;

  constructor(
    made: Made,
    refusal: Pick<DoorstepError, 'status' | 'code' | 'detail' | 'requestId' | 'problem' | 'retryAfterMs'>,
  ) {
    super(`${made.operation}: ${refusal.detail} (${refusal.code}, ${refusal.status})`);
    this.operation = made.operation;
    this.idempotencyKey = made.idempotencyKey;
    this.status = refusal.status;
    this.code = refusal.code;
    this.detail = refusal.detail;
    this.requestId = refusal.requestId;
    this.problem = refusal.problem;
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

/**
 * No response has arrived, after all retries: the request may have been carried out or not. The same request with the
 * same `idempotencyKey` finds out and does nothing twice. `cause` is the error of `fetch`.
 */
export class DoorstepConnectionError extends Error {
  override readonly name = 'DoorstepConnectionError';
  readonly operation: keyof Operations;
  /** `timeout`: the request timed out. `network`: the connection failed, or ended within the response. */
  readonly reason: 'timeout' | 'network';
  readonly idempotencyKey: string | undefined;

  constructor({ operation, idempotencyKey }: Made, reason: 'timeout' | 'network', cause: unknown) {
    const what = reason === 'timeout' ? 'no answer in time' : 'no connection to the service';
    super(`${operation}: ${what}`, { cause });
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
    this.reason = reason;
  }
}
