import type { AgentOrders } from '../../access/accounts/account.ts';
import type { Config } from '../../platform/config/config.ts';
import type { PublicJwk } from './signing-keys.ts';

/** The business profile, by which platforms find the service (docs/ucp.md#discovery). */

/** The only version of the protocol that the service speaks. */
export const VERSION = '2026-08-25';

export const LOCATION_SEARCH = 'dev.ucp.common.location.search';
export const LOCATION_LOOKUP = 'dev.ucp.common.location.lookup';
export const CHECKOUT = 'dev.ucp.food.checkout';
export const FULFILLMENT = 'dev.ucp.food.fulfillment';
export const TIP = 'dev.ucp.food.tip';

/** A capability of ours; an extension names its parents, of which a platform must know one. */
export type OwnCapability = { version: string; spec: string; schema: string; extends?: string | readonly string[] };
export type OwnCapabilities = Readonly<Record<string, OwnCapability>>;

const SITE = `https://ucp.dev/${VERSION}`;

const RELEASED: OwnCapabilities = {
  [LOCATION_SEARCH]: capability('common/location/search', 'common/location_search'),
  [LOCATION_LOOKUP]: capability('common/location/lookup', 'common/location_lookup'),
};

/** Ordering food, which no release of the protocol has yet. */
const FOOD: OwnCapabilities = {
  [CHECKOUT]: capability('food/checkout', 'food/checkout'),
  [FULFILLMENT]: { ...capability('food/extensions/fulfillment', 'food/fulfillment'), extends: CHECKOUT },
  [TIP]: { ...capability('food/extensions/tip', 'food/tip'), extends: CHECKOUT },
};

/** The capability of reading menus, which the protocol lacks: a name of the operator's own domain. */
export const menuCapability = (baseUrl: string) => `${ownDomain(baseUrl)}.food.menu`;

/** Path of the JSON Schema of menus. */
export const MENU_SCHEMA_PATH = '/ucp/draft/menu.json';

/** The payment handler: tokens of the card gateway. */
export const tokenHandler = (baseUrl: string) => `${ownDomain(baseUrl)}.card_token`;
export const TOKEN_HANDLER_ID = 'card_token';
const HANDLER = { id: TOKEN_HANDLER_ID, version: VERSION, available_instruments: [{ type: 'card' }] };

/** The handlers by which a platform may pay; none where a person does. */
export function paymentHandlers(baseUrl: string, orders: AgentOrders) {
  return orders === 'place' ? { [tokenHandler(baseUrl)]: [HANDLER] } : {};
}

/** The reversed host name; an address has none. */
function ownDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname.split('.').reverse().join('.');
}

type ProfileConfig = Pick<Config, 'baseUrl' | 'ucp'>;

/** What platforms may use, released and draft. */
export function ownCapabilities({ baseUrl, ucp }: ProfileConfig): OwnCapabilities {
  if (ucp !== 'draft') return RELEASED;
  const menu = { version: VERSION, spec: `${baseUrl}/docs/ucp`, schema: baseUrl + MENU_SCHEMA_PATH };
  return { ...RELEASED, ...FOOD, [menuCapability(baseUrl)]: menu };
}

/** Returns the profile: the released one, or with `draft` the one that has food too. */
export function businessProfile({ baseUrl, ucp }: ProfileConfig, keys: readonly PublicJwk[]) {
  const own = Object.entries(ownCapabilities({ baseUrl, ucp })).map(([name, one]) => [name, [one]]);
  const isDraft = ucp === 'draft';
  return {
    ucp: {
      version: VERSION,
      services: {
        'dev.ucp.common': services('common', `${baseUrl}/ucp`),
        ...(isDraft && { 'dev.ucp.food': services('food', `${baseUrl}/ucp`) }),
      },
      capabilities: Object.fromEntries(own),
      payment_handlers: paymentHandlers(baseUrl, isDraft ? 'place' : 'handover'),
    },
    keys,
  };
}

function capability(spec: string, schema: string): OwnCapability {
  return { version: VERSION, spec: `${SITE}/specification/${spec}`, schema: `${SITE}/schemas/${schema}.json` };
}

function services(name: string, endpoint: string) {
  const common = { version: VERSION, spec: `${SITE}/specification/overview` };
  return [
    { ...common, transport: 'rest', schema: `${SITE}/services/${name}/rest.openapi.json`, endpoint },
    { ...common, transport: 'mcp', schema: `${SITE}/services/${name}/mcp.openrpc.json`, endpoint: `${endpoint}/mcp` },
  ];
}
