import type { CodesOf } from '../../platform/http/refusal.ts';

export const PHOTO_REFUSALS = {
  422: {
    photo_not_accepted:
      'The file is no complete JPEG, PNG or WebP photo, or takes too much work to read; `detail` says why.',
  },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof PHOTO_REFUSALS> {}
}
