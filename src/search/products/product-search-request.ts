import type { Coordinate } from 'doorstep/search-engine/geography';
import { MAX_TEXT_LENGTH, MAX_WORDS } from 'doorstep/search-engine/text';
import { type Static, Type } from 'typebox';
import type { Sandbox } from '../../access/accounts/account.ts';
import { flag, optionalFilter, optionalText } from '../../platform/http/api-components.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { ADDRESS_PARAMETER, coordinateOrAddress } from '../../supply/addresses/address-parameter.ts';
import type { GivenLocation } from '../../supply/addresses/geocoding.cache.ts';
import { ALLERGENS, claimsOf, DIETS, type FoodNeeds, NO_CLAIMS } from '../../supply/catalog/food.ts';
import { gtin14Of } from '../../supply/catalog/gtin.ts';
import {
  ACCEPTING,
  latitudeOf,
  longitudeOf,
  MAXIMUM_MILES,
  OPEN,
  STORE_TYPE,
  splitList,
  storeFiltersOf,
} from '../stores/search-request.ts';
import type { ProductQuery } from './find-products.flow.ts';
import { queryWordsOf } from './prepare-query.ts';
import { MAX_PRODUCT_PAGE } from './product-page.ts';
import { PRODUCT_SORTS } from './rank-products.ts';

/* Parameters of product and cart search, and the query that they become. */

const MAX_UPC_CODES = 50;
/** Maximum characters of an invalid code that the response repeats. */
const MAX_QUOTED_CODE_LENGTH = 20;

/** Coordinates and store filters of a product or cart search. */
export const SELLER_PARAMETERS = {
  accepting: ACCEPTING,
  user_latitude: Type.Optional(latitudeOf('The latitude to search near. Required without `address`.')),
  user_longitude: Type.Optional(longitudeOf('The longitude to search near. Required without `address`.')),
  address: ADDRESS_PARAMETER,
  store_type: STORE_TYPE,
  pickup: flag(
    '`true` returns products sold for pickup, and `false` products sold for delivery. Defaults to either, with delivery prices where possible.',
  ),
  open: OPEN,
  delivers_here: flag(
    "`true` returns only stores with a provider that delivers to the coordinate, even if they aren't accepting orders now.",
  ),
  maximum_miles: MAXIMUM_MILES,
};

type SellerLocation = Pick<Static<typeof productSearchParameters>, 'user_latitude' | 'user_longitude' | 'address'>;

/** Returns the location to search near. */
export function sellerLocation(given: SellerLocation, place: Fault['in']): GivenLocation {
  const { user_latitude: latitude, user_longitude: longitude, address } = given;
  return { latitude, longitude, address, prefix: 'user_', in: place };
}

/** Makes the coordinate required in searches without an address. */
export const SELLER_LOCATION = coordinateOrAddress('user_latitude', 'user_longitude');

/** Parameters of the required food claims. */
export const FOOD_PARAMETERS = {
  diet: optionalText(
    200,
    `Comma-separated: ${DIETS.join(', ')}. Returns only products whose \`food\` states all of these diets.`,
  ),
  without: optionalText(
    200,
    `Comma-separated: ${ALLERGENS.join(', ')}. Returns only products whose \`food\` contains both \`allergens\` and \`may_contain\`, and lists none of these in either.`,
  ),
};

export const productSearchParameters = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        description: `Words that a product's name, size or category must contain. Products with a word in their name come first, then products of the category, and of restaurants with the cuisine. Case, accents, punctuation and plurals are ignored, as are one typo in a word with 4 to 7 letters and two in a longer word. If nothing contains the last word, it may be incomplete. Only the first ${MAX_WORDS} words and ${MAX_TEXT_LENGTH} characters are used. Required without upc_codes, diet and without.`,
      }),
    ),
    upc_codes: Type.Optional(
      Type.String({
        description: `Up to ${MAX_UPC_CODES} comma-separated codes with 8 (UPC-E, EAN-8), 12, 13 or 14 digits, including the check digit. Returns products with one of these codes in any notation. With \`query\`, products must match both.`,
      }),
    ),
    store_id: optionalFilter(64, 'Searches only this store, at any distance.'),
    ...SELLER_PARAMETERS,
    ...FOOD_PARAMETERS,
    sort: Type.Optional(
      Type.Enum([...PRODUCT_SORTS], {
        default: 'relevance',
        description:
          '`relevance` sorts better matches first, then nearer stores, then lower prices. `cheapest` sorts by product price. `unit_price` sorts by the price per gram or milliliter, with products without a size last. `distance`, `rating` and `fastest` sort by store.',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_PRODUCT_PAGE,
        default: 0,
        description: "The previous page's `next_page`. A page after the last product is empty.",
      }),
    ),
  },
  SELLER_LOCATION,
);

export type ProductSearchParameters = Static<typeof productSearchParameters>;

/** Refuses invalid or too many codes, and a request with neither words nor codes, with `invalid_request`. */
export function productQueryOf(given: ProductSearchParameters, sandbox: Sandbox): Omit<ProductQuery, keyof Coordinate> {
  const gtins = gtinsOf(given.upc_codes ?? '');
  const text = given.query ?? '';
  const isText = queryWordsOf(text).length > 0;
  const claims = parseClaims(given);
  if (!isText && gtins === null && claims === NO_CLAIMS) {
    const message =
      given.query === undefined ? 'or upc_codes, diet or without is required' : 'must have a letter or a digit';
    throw invalidField('query', 'query', message);
  }
  return {
    sandbox,
    ...storeFiltersOf(given),
    sort: given.sort ?? 'relevance',
    text,
    gtins,
    claims,
    storeId: given.store_id ?? null,
    page: given.page ?? 0,
  };
}

function gtinsOf(list: string): ReadonlySet<number> | null {
  const codes = splitList(list);
  if (codes.length === 0) return null;
  if (codes.length > MAX_UPC_CODES) throw wrongCodes(`must be at most ${MAX_UPC_CODES} codes`);
  const gtins = new Set<number>();
  const wrong: string[] = [];
  for (const code of codes) {
    const gtin = gtin14Of(code);
    if (gtin === undefined) wrong.push(code.slice(0, MAX_QUOTED_CODE_LENGTH));
    else gtins.add(gtin);
  }
  if (wrong.length > 0) {
    throw wrongCodes(
      `must be codes of 8, 12, 13 or 14 digits with their check digit, which these are not: ${wrong.join(', ').toWellFormed()}`,
    );
  }
  return gtins;
}

const wrongCodes = (message: string) => invalidField('query', 'upc_codes', message);

/** Parses the requested claims as bits of `foodClaims`. Refuses unknown words with `invalid_request`. */
export function parseClaims({ diet, without }: { diet?: string; without?: string }): number {
  const needs: FoodNeeds = { diets: wordsIn('diet', diet, DIETS), without: wordsIn('without', without, ALLERGENS) };
  return claimsOf(needs);
}

function wordsIn<Word extends string>(name: string, list: string | undefined, words: readonly Word[]): Word[] {
  if (list === undefined) return [];
  const given = splitList(list);
  const known = given.flatMap((word) => words.find((one) => one === word) ?? []);
  if (known.length === given.length) return known;
  throw invalidField('query', name, `must be a comma-separated list of ${words.join(', ')}`);
}
