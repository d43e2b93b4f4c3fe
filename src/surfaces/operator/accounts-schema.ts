import { type Static, type TProperties, Type } from 'typebox';
import { AGENT_ORDERS, KEY_SCOPES } from '../../access/accounts/account.ts';
import type { AccountPermissions } from '../../access/budgets/account-limits.db.ts';
import { DECLINE_SCOPES } from '../../access/budgets/budget.ts';
import type { AccountBudgets } from '../../access/budgets/read-budgets.flow.ts';
import { DECLINE_MINUTES } from '../../ordering/payments/decline.ts';
import type { Breaker } from '../../ordering/payments/declines.db.ts';
import { bool, component, integer, orNull, text } from '../../platform/http/api-components.ts';
import { LANGUAGES, type Language } from '../../platform/languages/language.ts';
import { UNLIMITED } from '../../platform/lib/parse-setting.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { KEY_MODES, maybeText, moment } from './field-schemas.ts';

/* Accounts, keys, limits and breakers as operators see them: schemas and presentation. */

const LIMIT = orNull(Type.Integer(), 'Null if there is no limit.');
const IS_OWN = bool("Whether an operator set it for this account. Otherwise, it's the default.");

const BudgetSchema = component('AccountBudget', "An account's budget and its usage today.", {
  budget: text('The budget, such as `sms`. `unplaced_bytes` counts the bytes of unplaced orders.'),
  mode: Type.Enum([...KEY_MODES]),
  used: integer('Since midnight in UTC.'),
  limit: LIMIT,
  is_own: IS_OWN,
});

export const BreakerSchema = component(
  'CardBreaker',
  'A user, card or key blocked after too many declines. A blocked key can still charge cards that the account has charged before.',
  {
    account_id: Type.String(),
    mode: Type.Enum([...KEY_MODES]),
    scope: Type.Enum([...DECLINE_SCOPES]),
    subject: text("A `user_id`, a `key_id`, or the gateway's card ID."),
    declines: integer('Within the last hour.'),
    held_back_until: integer('When the next attempt is possible, in epoch seconds.'),
  },
);

export const AccountLimitsSchema = component('AccountLimits', "An account's permissions and limits.", {
  language: Type.Enum([...LANGUAGES], { description: 'Used for orders without their own.' }),
  agent_orders: Type.Enum([...AGENT_ORDERS], {
    description: "`handover`: the tool `place_order` places no orders, and returns the order's checkout instead.",
  }),
  agent_unpaid: bool('Whether the tool `quote_order` accepts `charge_user: false`.'),
  negative_markup: bool("Whether carts can be charged below their stores' prices."),
  budgets: Type.Array(BudgetSchema),
  declines_per_hour: Type.Array(Type.Object({ scope: Type.Enum([...DECLINE_SCOPES]), limit: LIMIT, is_own: IS_OWN })),
  held_back: Type.Array(BreakerSchema, { description: 'Up to 100.' }),
});

/** Shows an unlimited limit as null. */
const presentLimit = (max: number): number | null => (max === UNLIMITED ? null : max);

export function presentBreaker({ accountId, mode, scope, subject, declines, at }: Breaker) {
  const until = epochSeconds(at.add({ minutes: DECLINE_MINUTES }));
  return { account_id: accountId, mode, scope, subject, declines, held_back_until: until };
}

/** An account's limits for operators and the command line. */
export function presentAccountLimits(
  { negativeMarkup, agentOrders, agentUnpaid, language }: AccountPermissions & { language: Language },
  { budgets, declinesAnHour }: AccountBudgets,
  breakers: readonly Breaker[],
): Static<typeof AccountLimitsSchema> {
  return {
    language,
    agent_orders: agentOrders,
    agent_unpaid: agentUnpaid,
    negative_markup: negativeMarkup,
    budgets: budgets.map(({ kind, mode, used, max, isOwn }) => ({
      budget: kind,
      mode,
      used,
      limit: presentLimit(max),
      is_own: isOwn,
    })),
    declines_per_hour: declinesAnHour.map(({ scope, max, isOwn }) => ({
      scope,
      limit: presentLimit(max),
      is_own: isOwn,
    })),
    held_back: breakers.map(presentBreaker),
  };
}

const account = {
  account_id: Type.String(),
  name: Type.String(),
  created_at: integer('Epoch seconds.'),
} satisfies TProperties;

export const ListedAccountSchema = component('ListedAccount', 'An account.', account);

export const ScopeSchema = Type.Enum([...KEY_SCOPES]);

export const KeySchema = component('ListedKey', 'A key without its secret.', {
  key_id: Type.String(),
  mode: Type.Enum([...KEY_MODES]),
  store_id: maybeText("A store key's store."),
  account_id: maybeText("Null for a store's live key."),
  hint: text("The key's first and last characters."),
  scopes: Type.Array(ScopeSchema, { description: 'Empty for a publishable key.' }),
  origins: orNull(Type.Array(Type.String()), "A publishable key's origins. Otherwise null."),
  created_at: integer('Epoch seconds.'),
  revoked_at: moment('When the key was revoked.'),
});

const BrandSchema = component('AccountBrand', "An account's branding, as customers see it.", {
  display_name: maybeText('The name that customers see instead of Doorstep.'),
  logo_url: maybeText('The logo.'),
  from_address: maybeText("The sender of the account's email."),
  bcc_address: maybeText('Receives a blind copy of every receipt.'),
  tracking_host: maybeText("The tracking pages' custom domain."),
  has_favicon: Type.Boolean(),
});

const EndpointSchema = component('AccountEndpoint', "An account's webhook endpoint, without its secret.", {
  mode: Type.Enum([...KEY_MODES]),
  url: Type.String(),
  enabled: Type.Boolean(),
  failing_since: moment('Since when every delivery fails.'),
});

export const AccountSchema = component(
  'OperatorAccount',
  'An account with its keys, brand, webhook endpoints and limits.',
  {
    ...account,
    keys: Type.Array(KeySchema),
    brand: BrandSchema,
    endpoints: Type.Array(EndpointSchema),
    limits: AccountLimitsSchema,
  },
);

export const NewKeySchema = component('NewKey', 'A new key, shown only once.', {
  key_id: Type.String(),
  key: text("The key. It isn't shown again."),
  mode: Type.Enum([...KEY_MODES]),
  origins: Type.Optional(Type.Array(Type.String(), { description: 'The origins of a publishable key.' })),
});
