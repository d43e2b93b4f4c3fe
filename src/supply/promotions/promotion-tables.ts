import type { InstantColumn, JsonColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Payer } from '../pricing/promotion.ts';
import type { PromotionDetails } from './promotion-row.ts';

/** Promotions, their payers' consent, and their uses by orders: live (`sandbox` is empty), and in each sandbox. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    promotions: {
      promotionId: string;
      offeredBy: Payer;
      ownerId: string;
      externalId: string | null;
      details: JsonColumn<PromotionDetails>;
      storeIds: string[] | null;
      code: string | null;
      generatedCodes: number;
      maxUses: number | null;
      maxUsesPerUser: number | null;
      budgetCents: number | null;
      listed: boolean;
      startsAt: MaybeInstantColumn;
      endsAt: MaybeInstantColumn;
      paused: boolean;
      endedAt: MaybeInstantColumn;
      createdAt: InstantColumn;
    };
    promotionAgreements: {
      promotionId: string;
      storeId: string;
      agreedBy: string;
      agreedOn: string;
      recordedAt: InstantColumn;
    };
    promotionCodes: { codeHash: Buffer; promotionId: string };
    promotionCounts: { promotionId: string; sandbox: string; used: number; spentCents: number; salesCents: number };
    codeGuesses: { guesser: Buffer; codeHash: Buffer; guessedAt: InstantColumn };
    promotionUses: {
      orderId: string;
      promotionId: string;
      sandbox: string;
      discountCents: number;
      salesCents: number;
      identities: string[] | null;
      codeHash: Buffer | null;
      usedAt: InstantColumn;
    };
  }
}
