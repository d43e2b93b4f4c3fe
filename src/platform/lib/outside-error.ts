/** An external service failed or timed out. If `retryable`, jobs retry. Routes return 503, with any `Retry-After`. */
export class OutsideError extends Error {
  readonly party: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** Whether the party itself failed, which counts towards its circuit breaker; false for an error about this call. */
  readonly isOutage: boolean;
  /** Whether the call was never sent, so it had no effect. */
  readonly isUnsent: boolean;

  constructor(
    party: string,
    message: string,
    options: {
      retryable: boolean;
      retryAfterSeconds?: number | undefined;
      isOutage?: boolean;
      isUnsent?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = 'OutsideError';
    this.party = party;
    this.retryable = options.retryable;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isOutage = options.isOutage ?? (options.retryable && options.retryAfterSeconds === undefined);
    this.isUnsent = options.isUnsent ?? false;
  }
}
