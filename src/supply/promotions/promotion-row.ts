import { present } from 'doorstep/collections';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { ItemNames, Payer, Promotion } from '../pricing/promotion.ts';

/* A promotion as its table keeps it: what never changes once it has begun as JSON, all else in columns. */

/** Members of a promotion that have columns of their own. */
type Columned =
  | 'promotionId'
  | 'offeredBy'
  | 'stores'
  | 'itemNames'
  | 'code'
  | 'listed'
  | 'startsEpochS'
  | 'endsEpochS'
  | 'maxUses'
  | 'maxUsesPerUser'
  | 'budgetCents';
export type PromotionDetails = Omit<Promotion, Columned>;

/** The owner of an account's sandbox offers. */
export const sandboxOwnerOf = (accountId: string): string => `${accountId} sandbox`;

/** Who offers a promotion: a store, an account, or the operator, whose `ownerId` is empty. */
export type PromotionOwner = { offeredBy: Payer; ownerId: string };

export const OPERATOR: PromotionOwner = { offeredBy: 'operator', ownerId: '' };

/** The columns of a promotion. */
export type PromotionRow = PromotionOwner & {
  promotionId: string;
  details: PromotionDetails;
  storeIds: readonly string[] | null;
  code: string | null;
  maxUses: number | null;
  maxUsesPerUser: number | null;
  budgetCents: number | null;
  listed: boolean;
  startsAt: Temporal.Instant | null;
  endsAt: Temporal.Instant | null;
};

/** `itemNames` only where orders or customers read the row. */
export type ReadRow = Omit<PromotionRow, 'ownerId'> & { itemNames?: ItemNames | null };

export function promotionOfRow({ details, ...row }: ReadRow): Promotion {
  const { promotionId, offeredBy, listed, startsAt, endsAt } = row;
  return {
    ...details,
    promotionId,
    offeredBy,
    listed,
    ...present({
      stores: row.storeIds ?? undefined,
      code: row.code ?? undefined,
      itemNames: row.itemNames ?? undefined,
      maxUses: row.maxUses ?? undefined,
      maxUsesPerUser: row.maxUsesPerUser ?? undefined,
      budgetCents: row.budgetCents ?? undefined,
      startsEpochS: startsAt ? epochSeconds(startsAt) : undefined,
      endsEpochS: endsAt ? epochSeconds(endsAt) : undefined,
    }),
  };
}

export function rowOfPromotion(promotion: Promotion, ownerId: string): PromotionRow {
  const { promotionId, offeredBy, stores, code, listed, startsEpochS, endsEpochS, ...rest } = promotion;
  const { maxUses, maxUsesPerUser, budgetCents, ...details } = rest;
  return {
    promotionId,
    offeredBy,
    ownerId,
    details,
    storeIds: stores ?? null,
    code: code ?? null,
    maxUses: maxUses ?? null,
    maxUsesPerUser: maxUsesPerUser ?? null,
    budgetCents: budgetCents ?? null,
    listed,
    startsAt: startsEpochS === undefined ? null : instantOfEpochSeconds(startsEpochS),
    endsAt: endsEpochS === undefined ? null : instantOfEpochSeconds(endsEpochS),
  };
}
