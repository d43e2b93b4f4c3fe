import type { CodesOf } from '../../platform/http/refusal.ts';

export const TRACKING_REFUSALS = {
  416: {
    range_not_satisfiable: 'Map tiles need one byte range that exists in the file; `Content-Range` has its size.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof TRACKING_REFUSALS> {}
}
