import type { CodesOf } from '../../platform/http/refusal.ts';

export const MENU_REFUSALS = {
  409: { menu_changed: 'The item, category or sequence has changed since it was read; read it again.' },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof MENU_REFUSALS> {}
}
