import { OutsideError } from '../lib/outside-error.ts';

/** Failures of a kind within the window that open the circuit. */
const MAX_FAILURES = 3;
const WINDOW_MS = 10_000;
/** While the circuit is open, one call in this time goes out, as a probe. */
const PROBE_MS = 1000;

type Failure = { kind: string; atMs: number };

/**
 * Circuit breaker of one external service. It opens after failures of the same kind (a time-out, a lost connection, a
 * 5xx) without a success of a failing operation between them, and closes when a probe of such an operation gets a
 * response, or of any operation once nothing has failed for the window. An error, a decline and a conflict are answers.
 */
export class CircuitBreaker {
  private failures: readonly Failure[] = [];
  /** Operations that have failed since the last success of one of them. */
  private readonly failing = new Set<string>();
  private lastProbeMs: number | undefined;
  private readonly party: string;

  constructor(party: string) {
    this.party = party;
  }

  async run<Answer>(operation: string, nowMs: () => number, call: () => Promise<Answer>): Promise<Answer> {
    this.admit(nowMs());
    try {
      const answer = await call();
      this.answered(operation, nowMs());
      return answer;
    } catch (error) {
      if (error instanceof OutsideError && error.isOutage) this.failed(operation, error.message, nowMs());
      else this.answered(operation, nowMs());
      throw error;
    }
  }

  private admit(nowMs: number): void {
    if (this.lastProbeMs === undefined) return;
    const isDue = Math.abs(nowMs - this.lastProbeMs) >= PROBE_MS;
    if (isDue) this.lastProbeMs = nowMs;
    else throw new OutsideError(this.party, 'failed repeatedly and is not called', UNSENT);
  }

  private answered(operation: string, nowMs: number): void {
    const hasFailedLately = this.failures.some(({ atMs }) => nowMs - atMs < WINDOW_MS);
    if (hasFailedLately && !this.failing.has(operation)) return;
    this.failing.clear();
    this.failures = [];
    this.lastProbeMs = undefined;
  }

  private failed(operation: string, kind: string, atMs: number): void {
    this.failing.add(operation);
    this.failures = [...this.failures.filter((failure) => atMs - failure.atMs < WINDOW_MS), { kind, atMs }];
    const count = this.failures.filter((failure) => failure.kind === kind).length;
    if (count >= MAX_FAILURES) this.lastProbeMs ??= atMs;
  }
}

const UNSENT = { retryable: true, retryAfterSeconds: 1, isUnsent: true } as const;
