import type { Db } from '../../src/platform/db/connect.ts';
import { sha256 } from '../../src/platform/lib/sha256.ts';
import type { Promotion, PromotionTerms } from '../../src/supply/pricing/promotion.ts';
import { rowOfPromotion } from '../../src/supply/promotions/promotion-row.ts';

let last = 0;

export type GivenPromotion = Partial<Omit<Promotion, 'terms'>> & {
  terms: PromotionTerms;
  ownerId?: string;
  generated?: readonly string[];
};

/** Stores a promotion; of the operator without an owner, who pays it. Returns its id. */
export async function givenPromotion(
  db: Db,
  { ownerId = '', generated = [], ...given }: GivenPromotion,
): Promise<string> {
  last += 1;
  const { offeredBy = 'operator' } = given;
  const promotion: Promotion = {
    promotionId: `promo_${String(last).padStart(4, '0')}`,
    offeredBy,
    funding: [{ payer: offeredBy, percent: 100 }],
    firstOrder: false,
    listed: false,
    ...given,
  };
  const { details, storeIds, startsAt, endsAt, ...row } = rowOfPromotion(promotion, ownerId);
  await db
    .insertInto('promotions')
    .values({
      ...row,
      details: JSON.stringify(details),
      storeIds: storeIds && [...storeIds],
      startsAt: startsAt?.toString() ?? null,
      endsAt: endsAt?.toString() ?? null,
      externalId: null,
      generatedCodes: generated.length,
      paused: false,
      createdAt: '2026-01-01T00:00:00Z',
    })
    .execute();
  const { promotionId } = promotion;
  for (const code of generated) {
    await db
      .insertInto('promotionCodes')
      .values({ promotionId, codeHash: sha256(code) })
      .execute();
  }
  return promotionId;
}

export const AMOUNT_5: PromotionTerms = { kind: 'amount', amountCents: 500 };

/** Ends every promotion, so that later orders have none. */
export async function endPromotions(db: Db): Promise<void> {
  await db.updateTable('promotions').set({ endedAt: '2026-01-02T00:00:00Z' }).where('endedAt', 'is', null).execute();
}

/** What was used of a promotion in a sandbox: its uses, cents, and rows. */
export async function usedOf(db: Db, promotionId: string) {
  const count = await db
    .selectFrom('promotionCounts')
    .select(['used', 'spentCents'])
    .where('promotionId', '=', promotionId)
    .executeTakeFirst();
  const rows = await db.selectFrom('promotionUses').select('orderId').where('promotionId', '=', promotionId).execute();
  return [count?.used ?? 0, count?.spentCents ?? 0, rows.length];
}
