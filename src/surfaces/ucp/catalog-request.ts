import { type Static, type TObject, Type } from 'typebox';
import { compileRequestPart, invalidRequest } from '../../platform/http/request-schema.ts';
import { isJsonObject, type JsonObject } from '../../platform/lib/json-object.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { openCategory } from '../../supply/catalog/catalog-tokens.ts';
import type { Mode } from '../../supply/stores/store.ts';
import type { Catalog } from '../../texts/catalogs.ts';
import type { CategoryFilter } from './catalog.db.ts';
import type { Message } from './contract.ts';

/** Platforms' catalog requests. Unknown fields change nothing. */

export const OPEN = { additionalProperties: true };
export const text = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description ? { description } : {}) }));

const LOCALITY = { address_country: text(100), address_region: text(100), postal_code: text(20) };
/** Hints of where the customer is, and where language. */
export const Context = Type.Object(
  { ...LOCALITY, location: text(64, 'The store: an `id` of search_locations.'), language: text(64) },
  OPEN,
);
export type Context = Static<typeof Context>;

const MAX_TEXT = 200;
const MAX_CENTS = 2_000_000_000;
const cents = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_CENTS }));
const Filters = Type.Object(
  {
    categories: Type.Optional(Type.Array(Type.String({ maxLength: 512 }), { maxItems: 20 })),
    price: Type.Optional(Type.Object({ min: cents, max: cents }, { description: 'In cents, inclusive.' })),
    fulfills_to: Type.Optional(Type.Object({ ...LOCALITY, location: text(64) }, OPEN)),
    methods: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 10 })),
  },
  OPEN,
);
export type Filters = Static<typeof Filters>;

const PLACED = { context: Type.Optional(Context), filters: Type.Optional(Filters) };
export const SearchCatalog = Type.Object(
  {
    ...PLACED,
    query: text(MAX_TEXT, 'One product: "salted butter".'),
    pagination: Type.Optional(
      Type.Object({ cursor: text(200), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 })) }),
    ),
  },
  OPEN,
);
const ID = Type.String({ minLength: 1, maxLength: 512 });
const MAX_SENT_IDS = 1000;
export const LookupCatalog = Type.Object(
  { ...PLACED, ids: Type.Array(ID, { minItems: 1, maxItems: MAX_SENT_IDS }) },
  OPEN,
);
const Name = Type.String({ maxLength: MAX_TEXT });
const NamedChoice = Type.Object({ name: Name, label: Name });
export const GetProduct = Type.Object(
  {
    ...PLACED,
    id: ID,
    selected: Type.Optional(Type.Array(NamedChoice, { maxItems: 10 })),
    preferences: Type.Optional(Type.Array(Name, { maxItems: 10 })),
  },
  OPEN,
);

/** The members that a schema names: of the unknown ones, nothing is kept. */
export const namedIn = <Value extends object>({ properties }: TObject, value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))) as Value;

/** Parses a body; refuses an invalid one with invalid_request. */
export function readerOf<Schema extends TObject>(schema: Schema): (body: unknown) => Static<Schema> {
  const parse = compileRequestPart(schema, 'body');
  return (body) => {
    const parsed = parse(body);
    if ('error' in parsed) throw parsed.error;
    return parsed.value as Static<Schema>;
  };
}

export const readSearchCatalog = (() => {
  const read = readerOf(SearchCatalog);
  return (body: unknown) => {
    const request = read(body);
    const { query = '', filters } = request;
    if (query.trim() !== '' || (filters && Object.keys(filters).length > 0)) return request;
    throw invalidRequest([{ in: 'body', name: 'query', message: 'or a filter is required' }]);
  };
})();

/** The protocol's methods, by our modes. */
export const METHODS = { delivery: 'shipping', pickup: 'pickup' } as const;
const MODES: readonly Mode[] = ['delivery', 'pickup'];

/** The modes that a request names, in its order; none named: any. */
export function modesOf({ methods = [] }: Filters): readonly Mode[] {
  return [...new Set(methods)].flatMap((method) => MODES.filter((mode) => METHODS[mode] === method));
}

/** Filters for products, beyond their words. */
export type ProductFilter = {
  categories: CategoryFilter;
  price: { min: number; max: number };
  /** Empty for any. */
  modes: readonly Mode[];
  /** Whether all named methods are unknown to the store, so that no product passes. */
  isNone: boolean;
};

export function productFilterOf(tokens: TokenSealer, filters: Filters): ProductFilter {
  const { categories, price = {}, methods } = filters;
  const modes = modesOf(filters);
  return {
    categories: categories
      ? {
          labels: categories.map((name) => name.trim().toLowerCase()),
          numbers: categories.flatMap((id) => openCategory(tokens, id)?.categoryNo ?? []),
        }
      : null,
    price: { min: price.min ?? 0, max: price.max ?? Number.POSITIVE_INFINITY },
    modes,
    isNone: methods !== undefined && methods.length > 0 && modes.length === 0,
  };
}

/** Filters that are not known here, each with a warning; dotted ones are of other parties. */
export function unknownFilters(body: unknown, words: Catalog): Message[] {
  const filters: JsonObject = isJsonObject(body) && isJsonObject(body.filters) ? body.filters : {};
  const names = Object.keys(filters).filter((name) => !Object.hasOwn(Filters.properties, name) && !name.includes('.'));
  return names.slice(0, 10).map((name) => ({
    type: 'warning',
    code: 'filter_unsupported',
    path: `$.filters.${name.slice(0, 100)}`,
    content: words.agent.catalog.filter({ name: name.slice(0, 100) }),
  }));
}
