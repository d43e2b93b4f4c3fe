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
import type { Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { describedObject, orNull } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField, invalidRequest } from '../../platform/http/request-schema.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { MAX_FAVICON_BYTES, readFavicon } from '../../supply/photos/read-favicon.flow.ts';
import { findUnreadStores } from '../../supply/stores/stores.db.ts';
import { AccountParams, accountNotFound } from './accounts.route.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';
import { procedure } from './procedure.ts';

/** What an account's customers see, and the DNS records that it needs (docs/branding.md). */

const MAX_FAVICON_TEXT = 4 * Math.ceil(MAX_FAVICON_BYTES / 3);
const MAX_SHOP_NEAR = 200;
const { corners, font, ...LOOK_TEXTS } = LOOK_FIELDS;

const TEXTS = {
  ...LOOK_TEXTS,
  from_address: brandText('The sender of its email.'),
  bcc_address: brandText('Who has a blind copy of every receipt.'),
  tracking_host: brandText('The host of its tracking pages.'),
  help_url: brandText('Where customers get help.'),
  help_email: brandText('An email address for help.'),
  help_phone: brandText('A phone number for help.'),
  terms_url: brandText('Its terms of service.'),
  privacy_url: brandText('Its privacy policy.'),
  reorder_url: brandText('Where customers order again; it may have {order_id}, {store_id} and {customer_order_id}.'),
};
const SWITCHES = {
  corners,
  font,
  owner_look: Type.Boolean({
    description:
      'Whether owners of the stores that the shop names set name, pictures, welcome line, color, corners and fonts.',
  }),
  customer_cancel: Type.Boolean({ description: 'Whether customers cancel on the tracking page.' }),
  on_its_way: Type.Enum([...EXTRA_CHANNELS], { description: 'How customers read that a driver has the order.' }),
  delivered: Type.Enum([...EXTRA_CHANNELS], { description: 'How customers read that it was delivered.' }),
};

const MAX_SHOP_STORES = 50;
const SHOP = {
  shop: Type.Enum(['off', 'sandbox', 'live'], {
    description:
      'The shop at its tracking host, and the mode of its orders. One that is off keeps its stores and address.',
  }),
  shop_stores: Type.Union(
    [Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MAX_SHOP_STORES }), Type.Null()],
    { description: `The only stores of the shop, at most ${MAX_SHOP_STORES}; null for all.` },
  ),
  shop_near: maybeText('An address: near it a visitor without one is shown stores.', MAX_SHOP_NEAR),
  ucp: Type.Enum(['off', 'sandbox', 'live'], {
    description:
      'Whether platforms of the Universal Commerce Protocol find the shop at the tracking host, and the mode of their orders: the shop’s.',
  }),
};

const RECORD = {
  purpose: Type.Enum(['dkim', 'return_path', 'spf', 'dmarc', 'tracking']),
  type: Type.Enum(['A', 'AAAA', 'CNAME', 'TXT']),
  name: Type.String(),
  values: Type.Array(Type.String(), { description: 'Empty where a setting of the service is missing.' }),
  required: Type.Boolean({ description: 'Whether email or links fail without it.' }),
  note: maybeText('For the person who sets it.'),
};
const CheckedRecordSchema = Type.Object({
  ...RECORD,
  state: Type.Enum(['ok', 'missing', 'different', 'unknown']),
  found: Type.Array(Type.String(), { description: 'What DNS has.' }),
});
const BRANDING = {
  account_id: Type.String(),
  language: Type.Enum([...LANGUAGES], { description: 'Of pages and messages of orders without one of their own.' }),
  ...TEXTS,
  ...SWITCHES,
  ...SHOP,
  favicon: Type.Union([Type.Object({ type: Type.String(), size: Type.Integer() }), Type.Null()]),
  shop_url: maybeText('Where the shop is, while it is on: at the tracking host once that is verified.'),
  tracking_host_verified_at: moment('When the tracking host last led to this service; links use it from then on.'),
  dns_records: Type.Array(Type.Object(RECORD)),
};
const answer = Type.Object(BRANDING, { description: 'The branding, with the DNS records that it needs.' });

const UNIQUE_VIOLATION = '23505';

type Needs = { db: Db; clock: Clock; config: Config; lookUpDns: DnsLookup };

export const readBrandingProcedure = procedure({
  endpoint: 'GET /operator/accounts/:account_id/branding',
  command: 'branding show',
  role: 'viewer',
  refuses: ['not_found'],
  summary: 'What customers of an account see',
  description: 'With the DNS records that its sender and tracking host need.',
  params: AccountParams,
  answer,
  async run(needs: Omit<Needs, 'clock'>, { params }) {
    const branding = await loadBranding(needs.db, params.account_id);
    return presentBranding(needs, branding, await verifyRecords(needs, branding));
  },
});

const ChangesSchema = Type.Object({
  ...Type.Partial(Type.Object({ ...TEXTS, ...SWITCHES, ...SHOP })).properties,
  favicon: Type.Optional(
    orNull(
      Type.String({ maxLength: MAX_FAVICON_TEXT, contentEncoding: 'base64' }),
      'A PNG file of 16×16 pixels and at most 64 KiB, in base64.',
    ),
  ),
});

export type BrandingBody = Static<typeof ChangesSchema>;

export const setBrandingProcedure = procedure({
  endpoint: 'POST /operator/accounts/:account_id/branding',
  command: 'branding set',
  role: 'admin',
  refuses: ['not_found', 'transition_not_allowed'],
  summary: 'Set what customers of an account see',
  description:
    'What is left out stays; null or an empty text clears. `dns_records` are those of the sender and host that the request sets. The change is recorded.',
  example: { body: { display_name: 'Corner Eats', tracking_host: 'orders.corner-eats.example' } },
  params: AccountParams,
  body: ChangesSchema,
  answer: Type.Object({ ...BRANDING, changed: Type.Boolean() }, { description: 'The branding after the change.' }),
  async run(needs: Needs, { record, params: { account_id: accountId }, body }) {
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
    const changed = await record(
      async (tx, at) => {
        const isNamed = storeIds !== undefined || near !== undefined;
        if ((shop ?? 'off') === 'off' && isNamed && !(await findSavedShop(tx, accountId))) {
          throw new Refusal('transition_not_allowed', 'The account has no shop; set `shop` to switch it on.');
        }
        const isShopSet = Object.keys(shopChanges).length > 0 && (await setShop(tx, accountId, shopChanges, at));
        const isBrandSet = Object.keys(changes).length > 0 && (await saveBranding(tx, accountId, changes, at));
        if (ucp !== undefined && ucp !== 'off') await requireShopForUcp(tx, accountId, ucp, needs.config);
        return isShopSet || isBrandSet;
      },
      () => ({ action: 'account.set_brand', target: accountId, details: { set } }),
    ).catch((error: unknown) => {
      if (errorCode(error) !== UNIQUE_VIOLATION) throw error;
      throw new Refusal('transition_not_allowed', `The tracking host ${trackingHost} belongs to another account.`);
    });
    const records = await verifyRecords(needs, { fromAddress, trackingHost });
    return { ...(await presentBranding(needs, await findBranding(needs.db, accountId), records)), changed };
  },
});

export const checkBrandingProcedure = procedure({
  endpoint: 'GET /operator/accounts/:account_id/branding/check',
  command: 'branding check',
  failsUnless: 'ok',
  role: 'viewer',
  refuses: ['not_found'],
  summary: "Check the DNS records of an account's branding",
  description: 'Asks DNS for each record.',
  params: AccountParams,
  answer: describedObject('Each record with its state.', {
    account_id: Type.String(),
    ok: Type.Boolean({ description: 'Whether every required record is right.' }),
    dns_records: Type.Array(CheckedRecordSchema),
  }),
  async run(needs: Omit<Needs, 'clock'>, { params }) {
    const { accountId, ...branding } = await loadBranding(needs.db, params.account_id);
    const checked = await checkRecords(await listRecords(branding, needs.config, needs.lookUpDns), needs.lookUpDns);
    const records = checked.map(({ found, ...record }) => ({
      ...record,
      values: [...record.values],
      found: [...found],
    }));
    const ok = checked.every(({ state, required }) => state === 'ok' || !required);
    return { account_id: accountId, ok, dns_records: records };
  },
});

export const verifyTrackingHostProcedure = procedure({
  endpoint: 'POST /operator/accounts/:account_id/branding/verify',
  command: 'branding verify',
  failsUnless: 'verified',
  role: 'admin',
  refuses: ['not_found', 'transition_not_allowed'],
  summary: "Check that an account's tracking host leads to this service",
  description: 'Links use the host once it is verified. The change is recorded.',
  params: AccountParams,
  body: Type.Object({}),
  answer: describedObject('The result.', {
    account_id: Type.String(),
    tracking_host: Type.String(),
    verified: Type.Boolean(),
    verified_at: moment('When it last led to this service.'),
    reason: maybeText('Why it does not.'),
  }),
  async run(
    needs: Needs & { publicHttp: PublicHttp; tokens: Pick<TokenSealer, 'isSignature'> },
    { record, params: { account_id: accountId } },
  ) {
    const { trackingHost: host, trackingHostVerifiedAt } = await loadBranding(needs.db, accountId);
    if (host === null) throw new Refusal('transition_not_allowed', `Account ${accountId} has no tracking host.`);
    const { verifiedAt, reason } = await verifyHost(needs, { accountId, host, verifiedAt: trackingHostVerifiedAt });
    const details = { host, verified: verifiedAt !== null };
    await record(
      async () => {},
      () => ({ action: 'account.verify_host', target: accountId, details }),
    );
    return { ...showRow({ accountId, trackingHost: host, verifiedAt, reason }), verified: verifiedAt !== null };
  },
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

/** Refuses UCP without what a platform's customers are shown: the shop in the same mode, at a host, with its terms. */
async function requireShopForUcp(sql: Sql, accountId: string, mode: KeyMode, { ucpAccount }: Config): Promise<void> {
  const [shop, branding] = [await findSavedShop(sql, accountId), await findBranding(sql, accountId)];
  const isAtService = shop?.isDefault === true || ucpAccount === accountId;
  const missing = [
    ...(shop && ucpModeOf(shop) === mode ? [] : [`a shop that is on in the mode ${mode}`]),
    ...(isAtService || branding.trackingHostVerifiedAt !== null ? [] : ['a verified tracking host']),
    ...(branding.termsUrl === null ? ['the URL of its terms'] : []),
    ...(branding.privacyUrl === null ? ['the URL of its privacy policy'] : []),
  ];
  if (missing.length === 0) return;
  throw new Refusal('transition_not_allowed', `UCP needs ${missing.join(', ')}.`);
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
