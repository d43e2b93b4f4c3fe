import type { Logger } from 'pino';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import { FixedLimiter } from '../../platform/jobs/owner-limiter.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { Promotion } from '../pricing/promotion.ts';
import { isForStore, menuPriceOf, menuPromotions, newStoreEnd } from '../pricing/promotions.ts';
import { openStateAtEpoch } from '../stores/open-state.ts';
import { weekLineOf } from '../stores/schedule.ts';
import type { Mode, ShownOffer, Store } from '../stores/store.ts';
import { findStore, markStoreChanged, nextChange, notifyChange } from '../stores/stores.db.ts';
import { isAlcohol } from '../stores/tax-class.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import { shownOffer } from './shared-offers.ts';
import {
  endShowing,
  findListedProducts,
  findLiveSince,
  findShownPromotions,
  type MenuPrice,
  PROMOTIONS_TO_SHOW,
  writeMenuPrices,
  writeOffers,
} from './shown-promotions.db.ts';

/**
 * Writes the effects of promotions on menus and searches: menu prices and the offers that a store lists; menu versions
 * and the change feed carry them to clients. A change only marks its stores due, and so does an import of their
 * products, a store's first live order and a reached limit; a promotion's beginning and end are due by themselves.
 */

type ShowDeps = Context & { log: Logger };

const CONCURRENCY = 2;

export function promotionsQueue(deps: ShowDeps): LeasedQueue<{ storeId: string }> {
  return new LeasedQueue<{ storeId: string }>({
    ...deps,
    name: 'showing promotions',
    table: PROMOTIONS_TO_SHOW,
    limiter: new FixedLimiter(new Map([['', CONCURRENCY]])),
    ownerOf: () => '',
    work: ({ storeId }) => showPromotions(deps, storeId),
  });
}

async function showPromotions({ db, clock }: ShowDeps, storeId: string): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    // The lock first, so that no import changes the products in between.
    const seq = await nextChange(tx);
    const store = await findStore(tx, storeId);
    if (!store) return;
    const nowS = epochSeconds(now);
    const promotions = await findShownPromotions(tx, storeId);
    const { begun, changesAtS } = statesAt(promotions, store, await findLiveSince(tx, storeId), nowS);
    const isMenuChanged = await writeMenuPrices(tx, storeId, await readMenuPrices(tx, store, begun, nowS));
    const isListChanged = await writeOffers(tx, storeId, offersOf(store, begun));
    if (isMenuChanged || isListChanged) {
      await markStoreChanged(tx, storeId, { seq, at: now });
      await notifyChange(tx);
    }
    await endShowing(tx, storeId, changesAtS === Infinity ? null : instantOfEpochSeconds(changesAtS));
  });
}

/** The promotions that have begun and not ended, and when the next of them begins or ends, or an hour of one. */
function statesAt(promotions: readonly Promotion[], { timeZone }: Store, liveSinceS: number | null, nowS: number) {
  const states = promotions.map((promotion) => {
    const { startsEpochS: startS = 0, endsEpochS = Infinity, hours } = promotion;
    const endS = Math.min(endsEpochS, liveSinceS === null ? Infinity : newStoreEnd(promotion, liveSinceS));
    const hourS = hours ? openStateAtEpoch(weekLineOf(hours), zoneClock(timeZone), nowS).changesAtS : 0;
    return { promotion, hasBegun: startS <= nowS && nowS < endS, edges: [startS, endS, hourS] };
  });
  return {
    begun: states.filter(({ hasBegun }) => hasBegun).map(({ promotion }) => promotion),
    changesAtS: Math.min(...states.flatMap(({ edges }) => edges).filter((edge) => edge > nowS)),
  };
}

/** The price to which a store itself lowers a product in its menu now; null for its list price. */
export async function findOwnMenuPrice(
  tx: Sql,
  store: Store,
  { productNo, mode }: { productNo: number; mode: Mode },
  now: Temporal.Instant,
): Promise<number | null> {
  const nowS = epochSeconds(now);
  const own = (await findShownPromotions(tx, store.storeId)).filter(({ offeredBy }) => offeredBy === 'store');
  const [lowered] = await readMenuPrices(tx, store, statesAt(own, store, null, nowS).begun, nowS, productNo);
  return lowered?.[mode] ?? null;
}

/** The prices of a store's products that promotions lower now, by mode. */
async function readMenuPrices(
  tx: Sql,
  store: Store,
  promotions: readonly Promotion[],
  nowS: number,
  productNo: number | null = null,
) {
  const candidates = promotions.map((promotion) => ({ promotion }));
  const { storeId, type, timeZone, address } = store;
  const ofStore = { storeId, type, timeZone, ...address, liveSinceEpochS: null };
  const when = { nowEpochS: nowS, servedEpochS: nowS };
  const question = { candidates, codes: [], items: [], deliveryOwner: 'store', store: ofStore, ...when } as const;
  const lowering = (mode: Mode) => menuPromotions({ ...question, mode });
  const [delivery, pickup] = [lowering('delivery'), lowering('pickup')];
  if (delivery.length === 0 && pickup.length === 0) return [];
  const products = await findListedProducts(tx, storeId, store.taxClass, productNo);
  return products.flatMap(({ productNo, price, pickupPrice, ...product }): MenuPrice[] => {
    const item = { ...product, isAlcoholic: isAlcohol(product, [product.taxClass]) };
    const lowered = {
      productNo,
      delivery: menuPriceOf(delivery, item, price)?.priceCents ?? null,
      pickup: menuPriceOf(pickup, item, pickupPrice)?.priceCents ?? null,
    };
    return lowered.delivery === null && lowered.pickup === null ? [] : [lowered];
  });
}

/** The offers of a store's own list; those that are the same for all stores are in `SHARED_OFFERS`. */
function offersOf({ storeId, type, address: { country } }: Store, promotions: readonly Promotion[]): ShownOffer[] {
  return promotions
    .filter(({ offeredBy, stores, newStoreDays }) => offeredBy === 'store' || stores || newStoreDays !== undefined)
    .filter(({ listed }) => listed)
    .filter((promotion) => isForStore(promotion, { storeId, type, country }))
    .map((promotion) => shownOffer(promotion, country));
}
