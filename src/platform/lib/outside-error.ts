/** An outside party failed or timed out. If `retryable`, a job retries. A route answers 503, with any `Retry-After`. */
export class OutsideError extends Error {
  readonly party: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    party: string,
    message: string,
    options: { retryable: boolean; retryAfterSeconds?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = 'OutsideError';
    this.party = party;
    this.retryable = options.retryable;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
