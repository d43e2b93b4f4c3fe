import type { CodesOf } from '../../platform/http/refusal.ts';

export const WEBHOOK_REFUSALS = {
  404: {
    webhook_not_found: 'This `webhook_url` is not attached.',
    webhook_call_not_found: 'The account has no webhook call with this `webhook_id`.',
  },
  422: { webhook_endpoint_not_allowed: 'The URL is not public `https`, or the account has no webhook.' },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof WEBHOOK_REFUSALS> {}
}
