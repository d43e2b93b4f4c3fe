import type { PublicJwk } from './signing-keys.ts';

/** The business profile, by which platforms find the service (docs/ucp.md#discovery). */

/** The only version of the protocol that the service speaks. */
export const VERSION = '2026-08-25';

export const LOCATION_SEARCH = 'dev.ucp.common.location.search';
export const LOCATION_LOOKUP = 'dev.ucp.common.location.lookup';

/** A capability of ours; an extension names its parents, of which a platform must know one. */
export type OwnCapability = { version: string; spec: string; schema: string; extends?: string | readonly string[] };
export type OwnCapabilities = Readonly<Record<string, OwnCapability>>;

const SITE = `https://ucp.dev/${VERSION}`;

export const RELEASED: OwnCapabilities = {
  [LOCATION_SEARCH]: capability('common/location/search', 'common/location_search'),
  [LOCATION_LOOKUP]: capability('common/location/lookup', 'common/location_lookup'),
};

/** Returns the profile of a service at this URL. */
export function businessProfile(baseUrl: string, keys: readonly PublicJwk[]) {
  return {
    ucp: {
      version: VERSION,
      services: { 'dev.ucp.common': services('common', `${baseUrl}/ucp`) },
      capabilities: Object.fromEntries(Object.entries(RELEASED).map(([name, own]) => [name, [own]])),
      payment_handlers: {},
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
