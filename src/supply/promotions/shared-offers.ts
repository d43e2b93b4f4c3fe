import { memoizedByObject, present } from 'doorstep/collections';
import type { OfferScope } from 'doorstep/search-engine';
import type { Caller } from '../../access/accounts/account.ts';
import { localeOf } from '../../texts/catalogs.ts';
import type { Promotion } from '../pricing/promotion.ts';
import { type OfferedTerms, offerInWords } from '../pricing/promotion-words.ts';
import { isForStore } from '../pricing/promotions.ts';
import type { Country, ShownOffer, Store, StoreType } from '../stores/store.ts';

/*
 * Offers of a caller's account, and of the operator for all stores: what stores show of them alongside their own. They
 * are read with the caller's key, up to a second before.
 */

type OfferedPromotion = OfferedTerms & Pick<Promotion, 'promotionId' | 'code' | 'endsEpochS'>;

/** A promotion as the stores of a country list it: by its title, or its terms in every language. */
export function shownOffer(promotion: OfferedPromotion, country: Country): ShownOffer {
  const { promotionId, title, code, endsEpochS } = promotion;
  const [text, fr, es] = (['en', 'fr', 'es'] as const).map((language) =>
    offerInWords(promotion, localeOf(language, country)),
  ) as [string, string, string];
  const translations = title === undefined ? { fr, es } : undefined;
  return { promotionId, text, ...present({ translations, code, endsEpochS }) };
}

type Sharing = Pick<Caller, 'offers'>;
type SharedPromotion = OfferedPromotion & Pick<Promotion, 'stores' | 'country' | 'storeType'>;

/** The common part of a caller's stores, in words once and not for every store of a page. */
const sharedOffersOf = memoizedByObject(({ offers }: Sharing) =>
  (offers == null ? [] : (JSON.parse(offers) as SharedPromotion[])).map((promotion) => ({
    ...promotion,
    shown: { US: shownOffer(promotion, 'US'), CA: shownOffer(promotion, 'CA') },
  })),
);

export type OfferingStore = { storeId: string; type: StoreType; country: Country };

/** A caller's view of a store in addition to its own offers. */
export const sharedOffersAt = (caller: Sharing, store: OfferingStore): ShownOffer[] =>
  sharedOffersOf(caller)
    .filter((offer) => isForStore(offer, store))
    .map(({ shown }) => shown[store.country]);

/** A store with all offers that a caller sees there. */
export function withSharedOffers(store: Store, caller: Sharing): Store {
  const { storeId, type, address, offers = [] } = store;
  const shared = sharedOffersAt(caller, { storeId, type, country: address.country });
  return shared.length === 0 ? store : { ...store, offers: [...offers, ...shared] };
}

/** The stores that a search for offers finds for a caller: true for those that list one, false for all. */
export function offerScope(caller: Sharing): boolean | readonly OfferScope[] {
  const scopes = sharedOffersOf(caller).map(({ storeType, country, stores }) =>
    present({ type: storeType, country, storeIds: stores }),
  );
  if (scopes.some((scope) => Object.keys(scope).length === 0)) return false;
  return scopes.length === 0 || scopes;
}
