import type { CodesOf } from '../../platform/http/refusal.ts';

export const ADDRESS_REFUSALS = {
  422: {
    address_not_found:
      "The geocoder knows no such address in the US or Canada, or the match of a live order's address is not as exact as its street.",
    geocoder_not_configured: 'The service looks up no addresses for live keys; send a coordinate.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof ADDRESS_REFUSALS> {}
}
