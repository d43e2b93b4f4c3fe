import type { CodesOf } from '../../platform/http/refusal.ts';

export const SESSION_REFUSALS = {
  401: { invalid_access_code: "The console's access code is wrong, used or expired." },
  403: {
    live_only: 'A sandbox store key, a sandbox console or a one-order link tried to change the store.',
    role_not_allowed:
      "The operator's role does not allow this, or a store's staff did what only its owner may do; `detail` names the role that does.",
    cross_site_request:
      "Another site used a console session, a form of a customer's page, or `/mcp` from a browser. `Origin` must match `BASE_URL` in scheme, host and port.",
  },
  409: {
    last_admin: 'The only admin cannot be disabled or demoted in the view; the command line can.',
    no_house_account: 'The service has no house account, which orders of stores belong to.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof SESSION_REFUSALS> {}
}
