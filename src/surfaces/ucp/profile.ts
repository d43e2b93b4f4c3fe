import { present } from 'doorstep/collections';
import type { KeyMode } from '../../access/accounts/account.ts';
import { scopeText } from '../../access/customers/customer.ts';
import type { PublicJwk } from './signing-keys.ts';

/** The business profile, where platforms find the service (docs/ucp.md#discovery). */

/** The only version of the protocol that the service supports. */
export const VERSION = '2026-08-25';

export const LOCATION_SEARCH = 'dev.ucp.common.location.search';
export const LOCATION_LOOKUP = 'dev.ucp.common.location.lookup';

/** A capability of ours; an extension names its parents, and a platform must support one of them. */
export type OwnCapability = {
  version: string;
  spec: string;
  schema: string;
  extends?: string | readonly string[];
  config?: object;
};
export type OwnCapabilities = Readonly<Record<string, OwnCapability>>;

const SITE = `https://ucp.dev/${VERSION}`;

const COMMON: OwnCapabilities = {
  [LOCATION_SEARCH]: capability('common/location/search'),
  [LOCATION_LOOKUP]: capability('common/location/lookup'),
};

export const CATALOG_SEARCH = 'dev.ucp.shopping.catalog.search';
export const CATALOG_LOOKUP = 'dev.ucp.shopping.catalog.lookup';
export const SHOP_CHECKOUT = 'dev.ucp.shopping.checkout';
export const SHOP_ORDER = 'dev.ucp.shopping.order';
export const CART = 'dev.ucp.shopping.cart';
export const SHOP_FULFILLMENT = 'dev.ucp.shopping.fulfillment';
export const DISCOUNT = 'dev.ucp.shopping.discount';

/** A shop. */
const SHOPPING: OwnCapabilities = {
  [CATALOG_SEARCH]: capability('shopping/catalog/search'),
  [CATALOG_LOOKUP]: capability('shopping/catalog/lookup'),
  [CART]: capability('shopping/cart'),
  [SHOP_CHECKOUT]: capability('shopping/checkout'),
  [SHOP_ORDER]: capability('shopping/order'),
  [SHOP_FULFILLMENT]: {
    ...capability('shopping/extensions/fulfillment'),
    extends: [SHOP_CHECKOUT, CATALOG_SEARCH, CATALOG_LOOKUP],
    config: {},
  },
  [DISCOUNT]: { ...capability('shopping/extensions/discount'), extends: [CART, SHOP_CHECKOUT] },
};

const GATES = scopeText(['order:read', 'order:manage']);
/** Operations that need a customer's token (docs/sign-in.md); elsewhere a token is optional. */
const IDENTITY_LINKING: OwnCapabilities = {
  'dev.ucp.common.identity_linking': {
    ...capability('common/identity-linking'),
    config: { scopes: Object.fromEntries(GATES.split(' ').map((name) => [name, {}])) },
  },
};

/** The payment handler: tokens of the card gateway. */
const tokenHandler = (baseUrl: string) => `${ownDomain(baseUrl)}.card_token`;
export const TOKEN_HANDLER_ID = 'card_token';
const HANDLER = { id: TOKEN_HANDLER_ID, version: VERSION, available_instruments: [{ type: 'card' }] };

/** For a shop: whether its charges are real, the gateway, and the key that makes card tokens. */
export type HandlerConfig = { environment: KeyMode; gateway?: string; publishable_key?: string };

/** The payment handlers for platforms. */
export const paymentHandlers = (siteUrl: string, config: HandlerConfig | undefined) => ({
  [tokenHandler(siteUrl)]: [{ ...HANDLER, ...present({ config }) }],
});

/** The reversed host name; an address has none. */
function ownDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname.split('.').reverse().join('.');
}

/** The operations are below it. */
export const PATH = '/ucp';

/** The features of a host; `handler` is a shop's. */
export type Site = { siteUrl: string; hasSignIn: boolean; handler?: HandlerConfig };

/** A site's capabilities for platforms. */
export const ownCapabilities = ({ hasSignIn, handler }: Site): OwnCapabilities => ({
  ...COMMON,
  ...(hasSignIn ? IDENTITY_LINKING : {}),
  ...(handler ? SHOPPING : {}),
});

/** Returns the profile of a site. */
export function businessProfile(site: Site, keys: readonly PublicJwk[]) {
  const own = ownCapabilities(site);
  const endpoint = site.siteUrl + PATH;
  const names = ['common', ...(site.handler ? ['shopping'] : [])];
  return {
    ucp: {
      version: VERSION,
      services: Object.fromEntries(names.map((name) => [`dev.ucp.${name}`, services(name, endpoint)])),
      capabilities: Object.fromEntries(Object.entries(own).map(([name, one]) => [name, [one]])),
      payment_handlers: site.handler ? paymentHandlers(site.siteUrl, site.handler) : {},
    },
    keys,
  };
}

/** The schema is named as the page of the specification, in one folder for each service. */
function capability(spec: string): OwnCapability {
  const [service, ...names] = spec.replace('extensions/', '').replace('-', '_').split('/');
  const schema = `${service}/${names.join('_')}`;
  return { version: VERSION, spec: `${SITE}/specification/${spec}`, schema: `${SITE}/schemas/${schema}.json` };
}

function services(name: string, endpoint: string) {
  const common = { version: VERSION, spec: `${SITE}/specification/overview` };
  return [
    { ...common, transport: 'rest', schema: `${SITE}/services/${name}/rest.openapi.json`, endpoint },
    { ...common, transport: 'mcp', schema: `${SITE}/services/${name}/mcp.openrpc.json`, endpoint: `${endpoint}/mcp` },
  ];
}
