import type { Static } from 'typebox';
import { type Caller, ownerOf, sandboxOf } from '../../access/accounts/account.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Geocoding } from '../../supply/addresses/geocoding.cache.ts';
import type { StoreFeed } from '../../supply/stores/store-feed.cache.ts';
import { type FindProductsDeps, findProducts } from './find-products.flow.ts';
import type { FoundProductSchema } from './found-schema.ts';
import { presentFound, presentStores } from './present-found.ts';
import { type ProductSearchParameters, productQueryOf, sellerLocation } from './product-search-request.ts';
import { createSearchLimit, requireLoaded } from './search-limits.ts';

export type ProductSearchDeps = Omit<FindProductsDeps, 'owner'> & {
  clock: Clock;
  geocoding: Geocoding;
  tokens: TokenSealer;
  storeFeed: StoreFeed;
};

export type FoundProducts = { products: Static<typeof FoundProductSchema>[]; relaxed: string[]; next_page: number };

export type ProductSearch = (
  caller: Caller,
  given: ProductSearchParameters,
  place: Fault['in'],
  options?: { withSoldOut: boolean },
) => Promise<FoundProducts>;

/** Maximum waiting and running searches per account and process, so that the last one waits only a few seconds. */
const MAX_SEARCHES_PER_ACCOUNT = 64;

/**
 * Creates product search, with one limit for all searches through it. Refuses with invalid_request, not_ready,
 * store_not_found and rate_limited.
 */
export function createProductSearch(deps: ProductSearchDeps): ProductSearch {
  const { clock, storeFeed, tokens } = deps;
  const limiter = createSearchLimit(MAX_SEARCHES_PER_ACCOUNT);
  return async (caller, given, place, options) => {
    const query = productQueryOf(given, sandboxOf(caller));
    requireLoaded(storeFeed);
    const near = await deps.geocoding.locate(caller, sellerLocation(given, place));
    const nowEpochS = epochSeconds(clock.now());
    const owner = ownerOf(caller);
    const { hits, nextPage, relaxed } = await limiter.run(owner, () =>
      findProducts({ ...deps, owner }, { ...query, ...near, ...options }, nowEpochS),
    );
    const stores = await presentStores(
      deps,
      hits.map(({ seller }) => seller),
      nowEpochS,
    );
    const products = hits.flatMap(({ product, mode }) => {
      const store = stores.get(product.storeId);
      return store ? [presentFound(tokens, product, store, mode)] : [];
    });
    return { products, relaxed: [...relaxed], next_page: nextPage };
  };
}
