import type { PublicHttp } from 'doorstep/public-http';
import { Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { findSavedShop, ucpModeOf } from '../../access/accounts/shops.db.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { describedObject } from '../../platform/http/api-components.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { objectIn, objectsIn, parseJsonObject } from '../../platform/lib/json-object.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { heldToAgreement, isVisibleTo } from '../../supply/stores/store.ts';
import { findStores } from '../../supply/stores/stores.db.ts';
import { AccountParams, accountNotFound } from '../operator/accounts.route.ts';
import { siteUrlOf } from '../tracking/site-frame.flow.ts';
import { findChosenProducts, listStoreIds } from './catalog.db.ts';
import { VERSION } from './profile.ts';
import { createSigningKeys } from './signing-keys.cache.ts';
import { soldOf } from './variants.ts';

/** Obstacles that keep platforms away from an account's shop, the visible stores, and the unsellable products. */

type Needs = { db: Db; config: Config; clock: Clock; tokens: TokenSealer; publicHttp: Pick<PublicHttp, 'get'> };

/** Stores, and products with choices, that are looked at. */
const MAX_STORES = 1000;
const MAX_PRODUCTS = 10_000;

const whole = (description: string) => Type.Integer({ description });

export const checkUcpShopOperation = operation({
  name: 'checkUcpShop',
  endpoint: 'GET /accounts/:account_id/ucp',
  refuses: ['not_found'],
  summary: 'Check whether UCP platforms can shop with an account',
  description: `Reads the profile over the network, as platforms do. Counts up to ${MAX_STORES} stores, and up to ${MAX_PRODUCTS} products with choices.`,
  params: AccountParams,
  answer: describedObject('The requirements that are met, and those missing.', {
    profile_url: Type.String({ description: 'The values for a platform or its console.' }),
    missing: Type.Array(Type.String(), { description: 'The problems that block platforms. Empty if they can shop.' }),
    stores: whole('That platforms find.'),
    delivering: whole('Of them that deliver.'),
    without_hours: whole('Of them whose hours are unknown.'),
    left_out_products: whole('Whose required choices the protocol cannot express and no defaults make.'),
    to_register: Type.Array(Type.String(), { description: "The other requirements of a platform's console." }),
  }),
  on: { operator: { command: 'ucp check <account_id>', role: 'viewer' } },
}).run(async (needs: Needs, { params: { account_id: accountId } }) => {
  const { db, config, tokens } = needs;
  if (!(await findAccount(db, accountId))) throw accountNotFound();
  const [shop, branding] = await Promise.all([findSavedShop(db, accountId), findBranding(db, accountId)]);
  const isOwnHost = branding.trackingHostVerifiedAt !== null;
  const siteUrl = isOwnHost ? siteUrlOf(config, { branding, isOwnHost }) : config.baseUrl;
  const profileUrl = `${siteUrl}/.well-known/ucp`;
  const mode = shop && ucpModeOf(shop);
  const ids = shop?.storeIds ?? (shop ? await listStoreIds(db, MAX_STORES) : []);
  const sandbox = shop ? sandboxOf(shop) : null;
  const stores = (await findStores(db, ids))
    .map((store) => heldToAgreement(store, config.requireAgreement))
    .filter((store) => store.listed && isVisibleTo(store, sandbox));
  const storeIds = stores.map(({ storeId }) => storeId);
  const chosen = await findChosenProducts(db, storeIds, MAX_PRODUCTS);
  const wanting: [isThere: boolean, otherwise: string][] = [
    [mode !== undefined, 'the shop is not on in the mode of `--ucp`'],
    [isOwnHost || config.ucpAccount === accountId, 'the host is not verified, and `UCP_ACCOUNT` names another account'],
    [branding.termsUrl !== null, 'no URL of the terms'],
    [branding.privacyUrl !== null, 'no URL of the privacy policy'],
    [stores.length > 0, 'no store'],
  ];
  const missing = wanting.flatMap(([isThere, otherwise]) => (isThere ? [] : [otherwise]));
  return {
    profile_url: profileUrl,
    missing: [...missing, ...(await profileFaults(needs, profileUrl))],
    stores: stores.length,
    delivering: stores.filter(({ delivery }) => delivery.enabled && delivery.parties.length > 0).length,
    without_hours: stores.filter(({ hours }) => hours.operational === null).length,
    left_out_products: chosen.filter((product) => soldOf(tokens, product) === undefined).length,
    to_register: TO_REGISTER,
  };
});

const TO_REGISTER = [
  'the address of the profile',
  'name, logo and support contact of the shop',
  'URLs of terms, privacy policy and refund policy',
  'the countries and currencies of the stores',
  'how customers sign in: the authorization server is at the same host',
];

/** Errors in a profile as a platform reads it. */
async function profileFaults({ publicHttp, ...deps }: Needs, url: string): Promise<string[]> {
  const page = await publicHttp.get(url, { accept: 'application/json' });
  if ('failure' in page) return [`the profile cannot be read: ${page.failure}`];
  if (page.status !== 200) return [`the profile is answered with the status ${page.status}`];
  const profile = parseJsonObject(page.text) ?? {};
  const ucp = objectIn(profile, 'ucp');
  const published = new Set(objectsIn(profile, 'keys').map(({ kid }) => kid));
  const keys = await createSigningKeys(deps)();
  return [
    ...(ucp.version === VERSION ? [] : [`the profile is not of ${VERSION}`]),
    ...('dev.ucp.shopping' in objectIn(ucp, 'services') ? [] : ['the profile has no shop']),
    ...(keys.every(({ jwk }) => published.has(jwk.kid)) ? [] : ['the profile lacks a key that signs answers']),
  ];
}
