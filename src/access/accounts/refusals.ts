import type { CodesOf } from '../../platform/http/refusal.ts';

export const ACCOUNT_REFUSALS = {
  401: {
    missing_api_key: 'The request has no `Id-Token` or `Authorization: Bearer` header.',
    invalid_api_key: 'The key is malformed, unknown or revoked.',
  },
  403: {
    sandbox_only: 'A live key called a sandbox endpoint.',
    scope_not_allowed: 'The key lacks the scope of this endpoint, which `detail` names.',
    key_is_publishable:
      'A publishable key called an endpoint, or sent a member, that such keys may not; `detail` names it.',
    origin_not_allowed: 'The publishable key does not list the `Origin`; for a preflight, no key does.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof ACCOUNT_REFUSALS> {}
}
