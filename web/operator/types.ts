import type { Static } from 'typebox';
import type {
  AccountLimitsSchema,
  AccountSchema,
  BreakerSchema,
  KeySchema,
  ListedAccountSchema,
  NewKeySchema,
} from '../../src/surfaces/operator/accounts-schema.ts';
import type { ActionSchema } from '../../src/surfaces/operator/actions.db.ts';
import type { HealthSchema } from '../../src/surfaces/operator/health.route.ts';
import type { FaultSchema, ImportRunSchema } from '../../src/surfaces/operator/imports.route.ts';
import type { ListedOrderSchema } from '../../src/surfaces/operator/list-any-orders.route.ts';
import type { MergeSchema } from '../../src/surfaces/operator/merges.route.ts';
import type { OrderRecordSchema } from '../../src/surfaces/operator/order-record.route.ts';
import type { FoundStoreSchema, SessionSchema, StoreSchema } from '../../src/surfaces/operator/stores.route.ts';
import type { WaitingSchema } from '../../src/surfaces/operator/waiting.ts';

/** Answers of the operator's routes, as their schemas describe them. */

export type Waiting = Static<typeof WaitingSchema>;
export type WaitingOrder = Waiting['orders'][number];
export type WaitingOffer = WaitingOrder['offers'][number];

export type Page<Name extends string, Row> = Record<Name, Row[]> & { next: string | null };

export type ListedOrder = Static<typeof ListedOrderSchema>;
export type OrderRecord = Static<typeof OrderRecordSchema>;
export type OrderEvent = OrderRecord['events'][number];
export type OrderNotice = OrderRecord['notices'][number];
export type OrderMessage = OrderRecord['messages'][number];
export type OrderCall = OrderRecord['webhook_calls'][number];
export type Action = Static<typeof ActionSchema>;

export type ListedAccount = Static<typeof ListedAccountSchema>;
export type Account = Static<typeof AccountSchema>;
export type AccountLimits = Static<typeof AccountLimitsSchema>;
export type CardBreaker = Static<typeof BreakerSchema>;
export type Key = Static<typeof KeySchema>;
export type NewKey = Static<typeof NewKeySchema>;
export type Mode = NewKey['mode'];

export type FoundStore = Static<typeof FoundStoreSchema>;
export type Store = Static<typeof StoreSchema>;
export type Channel = Store['channels'][number];
export type Session = Static<typeof SessionSchema> & { is_this?: boolean };
export type Merge = Static<typeof MergeSchema>;

export type Health = Static<typeof HealthSchema>;
export type ImportRun = Static<typeof ImportRunSchema>;
export type ImportFault = Static<typeof FaultSchema>;
