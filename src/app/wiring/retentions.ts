import { MAX_REPLAY_HOURS } from '../../access/idempotency/idempotency.ts';
import { ACTION_PERSONAL_DATA } from '../../access/sessions/actions.db.ts';
import { COURIER_PERSONAL_DATA } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { PROOF_PERSONAL_DATA } from '../../fulfillment/deliveries/proofs.db.ts';
import { NOTICES } from '../../fulfillment/store-channels/store-notices.db.ts';
import { MESSAGE_PERSONAL_DATA, MESSAGES } from '../../notify/messages/messages.db.ts';
import { RECIPIENT_PERSONAL_DATA } from '../../notify/messages/sms-opt-outs.db.ts';
import { lettersOfOrders, retentionOf } from '../../notify/outbox/letters.db.ts';
import { CALLS } from '../../notify/webhooks/calls.db.ts';
import { PLATFORM_CALLS } from '../../notify/webhooks/platform-calls.db.ts';
import { REFUND_PERSONAL_DATA } from '../../ordering/money/refunds.db.ts';
import { TIP_PERSONAL_DATA } from '../../ordering/money/tips.db.ts';
import { ORDER_PERSONAL_DATA, ORDERS_TO_FORGET } from '../../ordering/order/forgotten-orders.db.ts';
import { DECLINE_MINUTES } from '../../ordering/payments/decline.ts';
import type { Config } from '../../platform/config/config.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import type { Retention } from '../../platform/jobs/delete-expired.db.ts';
import { GUESS_HOURS } from '../../supply/promotions/code-guesses.db.ts';
import { UNLIMITED_USES } from '../../supply/promotions/promotion-uses.db.ts';
import { ALERT_NOTICES } from '../../surfaces/operator/alerts/alerts.db.ts';
import { CARTS } from '../../surfaces/ucp/carts.db.ts';
import { CHECKOUT_PERSONAL_DATA, CHECKOUTS } from '../../surfaces/ucp/checkouts.db.ts';

/** A gateway's webhook about a card setup may be days late. */
const SETUP_HOURS = 7 * 24;
/** How many days operators can look up an account's usage. */
const USAGE_DAYS = 35;
const UNPLACED_DAYS = 30;
/** Age of a search snapshot's mark. A node that was down for longer rewrites its whole snapshot. */
const SNAPSHOT_MARK_DAYS = 60;
/** How many days operators see that a job has failed. */
const FAILED_JOB_DAYS = 7;
/** How many days past alerts are listed. */
const ALERT_DAYS = 90;

/** The tables that lose personal data when an order is forgotten. Tests list all other columns. */
export const PERSONAL_DATA: readonly PersonalData[] = [
  lettersOfOrders(CALLS),
  MESSAGE_PERSONAL_DATA,
  lettersOfOrders(NOTICES),
  ...RECIPIENT_PERSONAL_DATA,
  PROOF_PERSONAL_DATA,
  COURIER_PERSONAL_DATA,
  ACTION_PERSONAL_DATA,
  CHECKOUT_PERSONAL_DATA,
  REFUND_PERSONAL_DATA,
  TIP_PERSONAL_DATA,
  ...ORDER_PERSONAL_DATA,
];

/** Lists data deleted or cleared by age. Amounts, taxes, events, ledger and statements stay. */
export function retentionsOf({
  recordsKeepDays,
  personalDataDays,
}: Pick<Config, 'recordsKeepDays' | 'personalDataDays'>): Retention[] {
  const letters = [CALLS, PLATFORM_CALLS, MESSAGES, NOTICES, ALERT_NOTICES];
  const declines = { age: 'at', keepFor: { minutes: DECLINE_MINUTES } };
  const forgotten: Retention = {
    ...ORDERS_TO_FORGET,
    keepFor: { hours: 24 * personalDataDays },
    clears: { key: 'order_id', tables: PERSONAL_DATA },
  };
  return [
    ...(personalDataDays > 0 ? [forgotten] : []),
    ...letters.map((table) => retentionOf(table, { minutes: Math.round(24 * 60 * recordsKeepDays) })),
    {
      table: 'orders',
      age: 'coalesce(requoted_at, created_at)',
      where: `status = 'unplaced' and charge_state in ('none', 'declined')`,
      keepFor: { hours: 24 * UNPLACED_DAYS },
    },
    { table: 'code_guesses', age: 'guessed_at', keepFor: { hours: GUESS_HOURS } },
    { table: 'short_links', age: 'created_at', keepFor: { hours: 24 * recordsKeepDays } },
    { table: 'idempotency_keys', age: 'started_at', keepFor: { hours: MAX_REPLAY_HOURS } },
    { table: 'card_setups', age: 'expires_at', keepFor: { hours: SETUP_HOURS } },
    { ...declines, table: 'card_declines' },
    { ...declines, table: 'key_charges' },
    { table: 'budget_use', age: 'day', keepFor: { hours: 24 * USAGE_DAYS } },
    { table: 'sign_in_links', age: 'expires_at', keepFor: { hours: 0 } },
    { table: 'sign_in_failures', age: 'since', keepFor: { hours: 24 } },
    { table: 'sign_in_codes', age: 'expires_at', keepFor: { hours: 0 } },
    { table: 'customer_sessions', age: 'expires_at', keepFor: { hours: 0 } },
    { table: 'oauth_tokens', age: 'expires_at', keepFor: { hours: 24 } },
    ...CHECKOUTS,
    CARTS,
    UNLIMITED_USES,
    { table: 'alerts', age: 'ended_at', keepFor: { hours: 24 * ALERT_DAYS } },
    { table: 'jobs', age: 'failed_at', keepFor: { hours: 24 * FAILED_JOB_DAYS } },
    { table: 'search_checks', age: 'checked_at', keepFor: { hours: 24 } },
    { table: 'clock_differences', age: 'measured_at', keepFor: { hours: 24 } },
    { table: 'search_snapshots', age: 'made_at', keepFor: { hours: 24 * SNAPSHOT_MARK_DAYS } },
  ];
}
