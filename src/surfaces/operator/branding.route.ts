import { present } from 'doorstep/collections';
import { errorCode } from 'doorstep/files';
import type { PublicHttp } from 'doorstep/public-http';
import { type Static, Type } from 'typebox';
import type { KeyMode } from '../../access/accounts/account.ts';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { type Branding, type BrandingChanges, EXTRA_CHANNELS } from '../../access/accounts/branding.ts';
import { brandText, LOOK_FIELDS, readBrandingTexts } from '../../access/accounts/branding-fields.ts';
import { findBranding, saveBranding } from '../../access/accounts/brandings.db.ts';
import { checkRecords, listRecords } from '../../access/accounts/dns-records.flow.ts';
import type { DnsLookup } from '../../access/accounts/dns-records.ts';
import { type ShopChanges, setShop } from '../../access/accounts/set-shop.flow.ts';
import { findSavedShop, shopUrlOf, ucpModeOf } from '../../access/accounts/shops.db.ts';
import { verifyHost } from '../../access/accounts/verify-host.flow.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { bool, describedObject, orNull } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField, invalidRequest } from '../../platform/http/request-schema.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { MAX_FAVICON_BYTES, readFavicon } from '../../supply/photos/read-favicon.flow.ts';
import { findUnreadStores } from '../../supply/stores/stores.db.ts';
import { AccountParams, accountNotFound } from './accounts.route.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';

/** What an account's customers see, and the DNS records that it needs (docs/branding.md). */

const MAX_FAVICON_TEXT = 4 * Math.ceil(MAX_FAVICON_BYTES / 3);
const MAX_SHOP_NEAR = 200;
const { corners, font, ...LOOK_TEXTS } = LOOK_FIELDS;

const TEXTS = {
  ...LOOK_TEXTS,
  from_address: brandText("The sender of the account's email."),
  bcc_address: brandText('Receives a blind copy of every receipt.'),
  tracking_host: brandText("The tracking pages' custom domain."),
  help_url: brandText('The URL where customers get help.'),
  help_email: brandText('The email address for help.'),
  help_phone: brandText('The phone number for help.'),
  terms_url: brandText('The URL of the terms of service.'),
  privacy_url: brandText('The URL of the privacy policy.'),
  reorder_url: brandText('The reorder URL. Can contain {order_id}, {store_id} and {customer_order_id}.'),
};
const SWITCHES = {
  corners,
  font,
  owner_look: bool("Whether store owners set the shop's name, pictures, welcome line, color, corners and fonts."),
  customer_cancel: bool('Whether customers can cancel on the tracking page.'),
  on_its_way: Type.Enum([...EXTRA_CHANNELS], { description: 'Notifies customers that a driver has the order.' }),
  delivered: Type.Enum([...EXTRA_CHANNELS], { description: 'Notifies customers that the order was delivered.' }),
};

const MAX_SHOP_STORES = 50;
const SHOP = {
  shop: Type.Enum(['off', 'sandbox', 'live'], {
    description: "The shop on the custom domain, and its orders' key mode. `off` keeps its stores and address.",
  }),
  shop_stores: Type.Union(
    [Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MAX_SHOP_STORES }), Type.Null()],
    { description: `The shop's stores, up to ${MAX_SHOP_STORES}. Null for all stores.` },
  ),
  shop_near: maybeText('The address whose nearby stores are shown to visitors without an address.', MAX_SHOP_NEAR),
  ucp: Type.Enum(['off', 'sandbox', 'live'], {
    description:
      "Whether Universal Commerce Protocol platforms find the shop on the custom domain, and their orders' key mode. It must be the shop’s.",
  }),
};

const RECORD = {
  purpose: Type.Enum(['dkim', 'return_path', 'spf', 'dmarc', 'tracking']),
  type: Type.Enum(['A', 'AAAA', 'CNAME', 'TXT']),
  name: Type.String(),
  values: Type.Array(Type.String(), { description: 'Empty if a setting of the service is missing.' }),
  required: bool('Whether email or links fail without it.'),
  note: maybeText('A note for the person who sets it.'),
};
const CheckedRecordSchema = Type.Object({
  ...RECORD,
  state: Type.Enum(['ok', 'missing', 'different', 'unknown']),
  found: Type.Array(Type.String(), { description: 'The values found in DNS.' }),
});
const BRANDING = {
  account_id: Type.String(),
  language: Type.Enum([...LANGUAGES], { description: 'Used for orders without their own.' }),
  ...TEXTS,
  ...SWITCHES,
  ...SHOP,
  favicon: Type.Union([Type.Object({ type: Type.String(), size: Type.Integer() }), Type.Null()]),
  shop_url: maybeText("The shop's address while it's on: the custom domain, once verified."),
  tracking_host_verified_at: moment('When the custom domain was last verified. Links use it from then on.'),
  dns_records: Type.Array(Type.Object(RECORD)),
};
const answer = Type.Object(BRANDING, { description: 'The branding, with the DNS records that it requires.' });

const UNIQUE_VIOLATION = '23505';

type Needs = Context & { config: Config; lookUpDns: DnsLookup };

export const readBrandingOperation = operation({
  endpoint: 'GET /accounts/:account_id/branding',
  refuses: ['not_found'],
  summary: "Get an account's branding",
  description: 'Includes the DNS records that its sender and custom domain require.',
  params: AccountParams,
  answer,
  on: { operator: { command: 'branding show', role: 'viewer' } },
}).run(async (needs: Omit<Needs, 'clock'>, { params }) => {
  const branding = await loadBranding(needs.db, params.account_id);
  return presentBranding(needs, branding, await verifyRecords(needs, branding));
});

const ChangesSchema = Type.Object({
  ...Type.Partial(Type.Object({ ...TEXTS, ...SWITCHES, ...SHOP })).properties,
  favicon: Type.Optional(
    orNull(
      Type.String({ maxLength: MAX_FAVICON_TEXT, contentEncoding: 'base64' }),
      'A PNG file of 16×16 pixels and up to 64 KiB, in base64.',
    ),
  ),
});

export type BrandingBody = Static<typeof ChangesSchema>;

export const setBrandingOperation = operation({
  endpoint: 'POST /accounts/:account_id/branding',
  refuses: ['not_found', 'transition_not_allowed'],
  summary: "Set an account's branding",
  description:
    'Omitted fields stay unchanged. Null or an empty string clears a field. `dns_records` contains the records for the sender and domain in the request.',
  example: { body: { display_name: 'Corner Eats', tracking_host: 'orders.corner-eats.example' } },
  params: AccountParams,
  body: ChangesSchema,
  answer: Type.Object({ ...BRANDING, changed: Type.Boolean() }, { description: 'The branding after the change.' }),
  on: { operator: { command: 'branding set', role: 'admin' } },
}).run(async (needs: Needs, { save, params: { account_id: accountId }, body }) => {
  const { shop, shop_stores: storeIds, shop_near: near, ucp, ...branded } = body;
  const changes = await readChanges(branded);
  const shopChanges: ShopChanges = {
    ...present({ mode: shop, storeIds }),
    ...(near !== undefined && { near: near?.trim() || null }),
    ...(ucp !== undefined && { ucp: ucp === 'off' ? null : ucp }),
  };
  const set = [...Object.keys(changes), ...Object.keys(shopChanges).map((name) => `shop.${name}`)];
  if (set.length === 0) throw invalidField('body', 'body', 'must change something');
  const { fromAddress = null, trackingHost = null } = changes;
  const { baseUrl, trackingUrl } = needs.config;
  if ([baseUrl, trackingUrl].some((url) => new URL(url).hostname === trackingHost)) {
    const sentence = `${trackingHost} is the service's own host. Choose a host name that only this account uses.`;
    throw new Refusal('transition_not_allowed', sentence);
  }
  await loadBranding(needs.db, accountId);
  await requireStores(needs.db, storeIds ?? []);
  const changed = await save(
    async (tx, at) => {
      const isNamed = storeIds !== undefined || near !== undefined;
      if ((shop ?? 'off') === 'off' && isNamed && !(await findSavedShop(tx, accountId))) {
        throw new Refusal('transition_not_allowed', 'The account has no shop. Set `shop` to turn it on.');
      }
      const isShopSet = Object.keys(shopChanges).length > 0 && (await setShop(tx, accountId, shopChanges, at));
      const isBrandSet = Object.keys(changes).length > 0 && (await saveBranding(tx, accountId, changes, at));
      if (ucp !== undefined && ucp !== 'off') await requireShopForUcp(tx, accountId, ucp, needs.config);
      return isShopSet || isBrandSet;
    },
    () => ({ action: 'account.set_brand', target: accountId, details: { set } }),
  ).catch((error: unknown) => {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error;
    throw new Refusal('transition_not_allowed', `The custom domain ${trackingHost} belongs to another account.`);
  });
  const records = await verifyRecords(needs, { fromAddress, trackingHost });
  return { ...(await presentBranding(needs, await findBranding(needs.db, accountId), records)), changed };
});

export const checkBrandingOperation = operation({
  endpoint: 'GET /accounts/:account_id/branding/check',
  refuses: ['not_found'],
  summary: "Check the DNS records of an account's branding",
  description: 'Looks up each record in DNS.',
  params: AccountParams,
  answer: describedObject('Each record with its state.', {
    account_id: Type.String(),
    ok: bool('Whether every required record is correct.'),
    dns_records: Type.Array(CheckedRecordSchema),
  }),
  on: { operator: { command: 'branding check', failsUnless: 'ok', role: 'viewer' } },
}).run(async (needs: Omit<Needs, 'clock'>, { params }) => {
  const { accountId, ...branding } = await loadBranding(needs.db, params.account_id);
  const checked = await checkRecords(await listRecords(branding, needs.config, needs.lookUpDns), needs.lookUpDns);
  const records = checked.map(({ found, ...record }) => ({
    ...record,
    values: [...record.values],
    found: [...found],
  }));
  const ok = checked.every(({ state, required }) => state === 'ok' || !required);
  return { account_id: accountId, ok, dns_records: records };
});

export const verifyTrackingHostOperation = operation({
  endpoint: 'POST /accounts/:account_id/branding/verify',
  refuses: ['not_found', 'transition_not_allowed'],
  summary: "Verify an account's custom domain",
  description: 'Links use the domain once it is verified.',
  params: AccountParams,
  body: Type.Object({}),
  answer: describedObject('The result.', {
    account_id: Type.String(),
    tracking_host: Type.String(),
    verified: Type.Boolean(),
    verified_at: moment('When the domain was last verified.'),
    reason: maybeText('Why the verification failed.'),
  }),
  on: { operator: { command: 'branding verify', failsUnless: 'verified', role: 'admin' } },
}).run(async (needs: Needs & { publicHttp: PublicHttp; tokens: TokenSealer }, { save, params }) => {
  const { account_id: accountId } = params;
  const { trackingHost: host, trackingHostVerifiedAt } = await loadBranding(needs.db, accountId);
  if (host === null) throw new Refusal('transition_not_allowed', `Account ${accountId} has no custom domain.`);
  const { verifiedAt, reason } = await verifyHost(needs, { accountId, host, verifiedAt: trackingHostVerifiedAt });
  const details = { host, verified: verifiedAt !== null };
  await save(
    async () => {},
    () => ({ action: 'account.verify_host', target: accountId, details }),
  );
  return { ...showRow({ accountId, trackingHost: host, verifiedAt, reason }), verified: verifiedAt !== null };
});

async function loadBranding(sql: Sql, accountId: string): Promise<Branding> {
  if (!(await findAccount(sql, accountId))) throw accountNotFound();
  return findBranding(sql, accountId);
}

/** Refuses IDs of no store: a mistyped one would be a shop without a menu. */
async function requireStores(sql: Sql, storeIds: readonly string[]): Promise<void> {
  const known = new Set((await findUnreadStores(sql, storeIds)).map(({ storeId }) => storeId));
  const unknown = storeIds.filter((storeId) => !known.has(storeId));
  if (unknown.length === 0) return;
  throw invalidRequest([
    { in: 'body', name: 'shop_stores', message: `must be IDs of stores; none has ${unknown.join(', ')}` },
  ]);
}

/** Refuses UCP without a shop for a platform's customers: in the same mode, at a host, with its terms. */
async function requireShopForUcp(sql: Sql, accountId: string, mode: KeyMode, { ucpAccount }: Config): Promise<void> {
  const [shop, branding] = [await findSavedShop(sql, accountId), await findBranding(sql, accountId)];
  const isAtService = shop?.isDefault === true || ucpAccount === accountId;
  const missing = [
    ...(shop && ucpModeOf(shop) === mode ? [] : [`a shop that is on in the mode ${mode}`]),
    ...(isAtService || branding.trackingHostVerifiedAt !== null ? [] : ['a verified custom domain']),
    ...(branding.termsUrl === null ? ['the URL of its terms'] : []),
    ...(branding.privacyUrl === null ? ['the URL of its privacy policy'] : []),
  ];
  if (missing.length === 0) return;
  throw new Refusal('transition_not_allowed', `UCP requires ${missing.join(', ')}.`);
}

async function verifyRecords(
  { config, lookUpDns }: Pick<Needs, 'config' | 'lookUpDns'>,
  branding: Parameters<typeof listRecords>[0],
) {
  const records = await listRecords(branding, config, lookUpDns);
  return records.map((record) => ({ ...record, values: [...record.values] }));
}

async function presentBranding(
  { db, config }: Pick<Needs, 'db' | 'config'>,
  { favicon, ...branding }: Branding,
  records: Awaited<ReturnType<typeof verifyRecords>>,
) {
  const shop = await findSavedShop(db, branding.accountId);
  const verifiedHost = branding.trackingHostVerifiedAt && branding.trackingHost;
  return {
    ...showRow(branding),
    shop: shop?.isOn ? shop.mode : ('off' as const),
    shop_stores: shop?.storeIds ? [...shop.storeIds] : null,
    shop_near: shop?.near ?? null,
    shop_url: shop?.isOn ? shopUrlOf(config, shop, verifiedHost) : null,
    ucp: (shop && ucpModeOf(shop)) ?? ('off' as const),
    favicon: favicon && { type: favicon.type, size: favicon.bytes.length },
    dns_records: records,
  };
}

/** Refuses invalid values, all at once. */
async function readChanges({
  favicon,
  customer_cancel,
  owner_look,
  on_its_way,
  delivered,
  corners: chosenCorners,
  font: chosenFont,
  ...texts
}: Omit<BrandingBody, 'shop' | 'shop_stores' | 'shop_near' | 'ucp'>): Promise<BrandingChanges> {
  const { changes, faults } = readBrandingTexts(texts);
  const icon = favicon?.trim() ? await readFavicon(Buffer.from(favicon, 'base64')) : { value: null };
  if ('fault' in icon) faults.push({ in: 'body', name: 'favicon', message: icon.fault });
  if (faults.length > 0) throw invalidRequest(faults);
  return {
    ...changes,
    ...present({
      customerCancel: customer_cancel,
      ownerLook: owner_look,
      onItsWay: on_its_way,
      delivered,
      corners: chosenCorners,
      font: chosenFont,
      favicon: favicon !== undefined && 'value' in icon ? icon.value : undefined,
    }),
  };
}
