import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import type { Branding } from '../../access/accounts/branding.ts';
import { LOOK_FIELDS, readBrandingTexts } from '../../access/accounts/branding-fields.ts';
import { findBrandingsOfOwner, saveBranding } from '../../access/accounts/brandings.db.ts';
import { operation } from '../../access/operations/operation.ts';
import { recorderOf } from '../../access/sessions/actions.db.ts';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { component, describedObject } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';

/** Store API endpoints where a store's owner sets the theme of a shop that names the store (docs/branding.md). */

const BrandSchema = component('StoreBrand', 'The theme of an account whose shop lists the store.', {
  account_id: Type.String(),
  ...LOOK_FIELDS,
});
export type StoreBrand = Static<typeof BrandSchema>;

const on = { store: { ownerOnly: true, admit: refuseSandbox, refuses: ['live_only'] } } as const;

export const BRAND_OPERATIONS = [
  operation({
    name: 'listStoreBrands',
    endpoint: 'GET /brands',
    summary: "List brands that the store's owner can set",
    description:
      "Lists accounts that allow their shop's store owners to set the theme (`doorstep branding set --owner-look on`). Requires the owner.",
    answer: describedObject('Up to ten.', { brands: Type.Array(BrandSchema) }),
    on,
  }).run(async ({ db }: Context, { by }) => ({
    brands: (await findBrandingsOfOwner(db, by.merchant.storeId)).map(presentBrand),
  })),
  operation({
    name: 'setStoreBrand',
    endpoint: 'PUT /brands/:account_id',
    summary: 'Set a brand',
    description:
      "Omitted fields stay unchanged. Null or an empty string clears a field. Pages and messages use the brand from then on, and the operator’s history records the change. Pictures can be an uploaded photo's URL. Requires the owner.",
    example: { path: { account_id: '{account_id}' }, body: { welcome: 'Pies from the stone oven', corners: 'round' } },
    params: Type.Object({ account_id: Type.String({ maxLength: 64, description: 'The ID from the list of brands.' }) }),
    body: Type.Partial(Type.Object(LOOK_FIELDS)),
    answer: BrandSchema,
    refuses: ['not_found'],
    on,
  }).run(async ({ db, clock }: Context, { by: { merchant }, params: { account_id: accountId }, body }) => {
    const { display_name, logo_url, cover_url, welcome, color, corners, font } = body;
    const { changes, faults } = readBrandingTexts(present({ display_name, logo_url, cover_url, welcome, color }));
    if (faults.length > 0) throw invalidRequest(faults);
    const allChanges = { ...changes, ...present({ corners, font }) };
    const set = Object.keys(allChanges);
    await recorderOf({ db, clock })({ sessionId: merchant.id })(
      async (tx, at) => {
        await findBrand(tx, merchant.storeId, accountId);
        return set.length > 0 && (await saveBranding(tx, accountId, allChanges, at));
      },
      (isChanged) => isChanged && { action: 'account.set_brand', target: accountId, details: { set } },
    );
    return presentBrand(await findBrand(db, merchant.storeId, accountId));
  }),
];

async function findBrand(sql: Sql, storeId: string, accountId: string): Promise<Branding> {
  const found = (await findBrandingsOfOwner(sql, storeId)).find((branding) => branding.accountId === accountId);
  if (!found) throw new Refusal('not_found', 'There is no such brand that this store can set.');
  return found;
}

function presentBrand(branding: Branding): StoreBrand {
  const { accountId, displayName, logoUrl, coverUrl, welcome, color, corners, font } = branding;
  return {
    account_id: accountId,
    display_name: displayName,
    logo_url: logoUrl,
    cover_url: coverUrl,
    welcome,
    color,
    corners,
    font,
  };
}
