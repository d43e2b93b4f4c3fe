import type { CodesOf } from '../../platform/http/refusal.ts';

export const IDEMPOTENCY_REFUSALS = {
  409: {
    idempotency_in_progress: 'Another request with this key, or for this order, is still running; see `Retry-After`.',
  },
  410: { answer_forgotten: 'The request was carried out, and the order of its answer is forgotten.' },
  422: { idempotency_conflict: 'The `Idempotency-Key` was used with another request.' },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof IDEMPOTENCY_REFUSALS> {}
}
