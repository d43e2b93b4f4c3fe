import type { Promotion } from '../pricing/promotion.ts';

/** When a promotion applies, apart from the conditions of an order. */

export const PROMOTION_STATES = ['scheduled', 'active', 'paused', 'used_up', 'ended'] as const;
export type PromotionState = (typeof PROMOTION_STATES)[number];

/** A promotion's columns that change while orders use it. `spentCents` covers all payers. */
export type PromotionProgress = {
  isPaused: boolean;
  isEnded: boolean;
  /** Whether a store pays a part, and none has agreed yet. */
  isUnagreed: boolean;
  used: number;
  spentCents: number;
};

type Limited = Pick<Promotion, 'startsEpochS' | 'endsEpochS' | 'maxUses' | 'budgetCents'>;

export function promotionStateAt(promotion: Limited, progress: PromotionProgress, nowS: number): PromotionState {
  const { startsEpochS = 0, endsEpochS = Infinity, maxUses = Infinity, budgetCents = Infinity } = promotion;
  const { isPaused, isEnded, isUnagreed, used, spentCents } = progress;
  if (isEnded || endsEpochS <= nowS) return 'ended';
  if (isPaused || isUnagreed) return 'paused';
  if (startsEpochS > nowS) return 'scheduled';
  return used >= maxUses || spentCents >= budgetCents ? 'used_up' : 'active';
}
