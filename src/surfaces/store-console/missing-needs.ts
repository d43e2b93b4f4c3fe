import type { Store } from '../../supply/stores/store.ts';

/** The steps that an owner takes before customers can order. Apps show the photo. */
export const STORE_NEEDS = ['menu', 'hours', 'photo', 'channel'] as const;
export type StoreNeed = (typeof STORE_NEEDS)[number];

/** The needs that the store still lacks, in order. */
export function missingNeeds(
  { hasCatalog, hours, photos }: Pick<Store, 'hasCatalog' | 'hours' | 'photos'>,
  { hasChannel }: { hasChannel: boolean },
): StoreNeed[] {
  const has: Readonly<Record<StoreNeed, boolean>> = {
    menu: hasCatalog,
    hours: hours.operational?.some((day) => day.length > 0) ?? false,
    photo: photos.logo.length + photos.store.length + photos.food.length > 0,
    channel: hasChannel,
  };
  return STORE_NEEDS.filter((need) => !has[need]);
}
