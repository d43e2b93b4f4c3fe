import type { BudgetKind } from '../../platform/config/config.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import type { KeyMode } from '../accounts/account.ts';

/** Scopes of the counters against card testing: declines per user, per card, and per live API key. */
export const DECLINE_SCOPES = ['user', 'card', 'key'] as const;
export type DeclineScope = (typeof DECLINE_SCOPES)[number];

export const DECLINE_KINDS = ['declines_user', 'declines_card', 'declines_key'] as const;

/** Limits that an operator can set per account: daily budgets, and declines per hour. */
export type LimitKind = BudgetKind | (typeof DECLINE_KINDS)[number];

/** Maximum declines per hour in each scope (docs/payments.md#declined-cards). */
export const MAX_DECLINES_PER_HOUR: Readonly<Record<DeclineScope, number>> = { user: 10, card: 10, key: 100 };
/** Minimum of a decline limit. Zero is impossible, because a block starts with a first decline. */
export const MIN_DECLINE_LIMIT = 1;

/** Daily budgets of a store, which cannot be changed. */
export const STORE_BUDGETS = { photos: 1000, invitations: 20, menu_edits: 5000 } as const;
export type StoreBudgetKind = keyof typeof STORE_BUDGETS;

/** The key modes that a budget covers. Unplaced orders are counted separately in each. */
export const BUDGET_MODES: Readonly<Record<BudgetKind, readonly KeyMode[]>> = {
  sms: ['live'],
  emails: ['live'],
  unpaid_orders: ['live'],
  directory_lookups: ['live'],
  sandbox_directory_lookups: ['sandbox'],
  unplaced_orders: ['live', 'sandbox'],
  unplaced_bytes: ['live', 'sandbox'],
};

/** The names of budgets in sentences. */
const BUDGET_NAMES: Readonly<Record<BudgetKind, string>> = {
  sms: 'SMS',
  emails: 'emails',
  unpaid_orders: 'live orders without a charge',
  directory_lookups: 'look-ups of places and addresses',
  sandbox_directory_lookups: 'look-ups of places and addresses with sandbox keys',
  unplaced_orders: 'unplaced orders',
  unplaced_bytes: 'bytes of unplaced orders',
};

/** Returns the day of a use. Days begin at midnight UTC in every time zone. */
export const budgetDay = (now: Temporal.Instant): string => now.toZonedDateTimeISO('UTC').toPlainDate().toString();

/** Returns the whole seconds until the next day begins, at least 1. */
export function secondsUntilNextDay(now: Temporal.Instant): number {
  const tomorrow = now.toZonedDateTimeISO('UTC').startOfDay().add({ days: 1 }).toInstant();
  return Math.max(1, Math.ceil(now.until(tomorrow).total('seconds')));
}

/** Returns the 429 for an account that has used up these budgets today (docs/limits.md#daily-budgets). */
export function budgetUsedUp(kinds: readonly BudgetKind[], now: Temporal.Instant): Refusal {
  const names = kinds.map((kind) => BUDGET_NAMES[kind]).join(' or ');
  return new Refusal(
    'rate_limited',
    `The account's budget of ${names} is used up until midnight in UTC.`,
    retryAfter(secondsUntilNextDay(now)),
  );
}
