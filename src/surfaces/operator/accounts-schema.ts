import { type Static, type TProperties, Type } from 'typebox';
import { AGENT_ORDERS, KEY_SCOPES } from '../../access/accounts/account.ts';
import type { AccountPermissions } from '../../access/budgets/account-limits.db.ts';
import { DECLINE_SCOPES } from '../../access/budgets/budget.ts';
import type { AccountBudgets } from '../../access/budgets/read-budgets.flow.ts';
import { DECLINE_MINUTES } from '../../ordering/payments/decline.ts';
import type { Breaker } from '../../ordering/payments/declines.db.ts';
import { component, orNull } from '../../platform/http/api-components.ts';
import { LANGUAGES, type Language } from '../../platform/languages/language.ts';
import { UNLIMITED } from '../../platform/lib/parse-setting.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { KEY_MODES, maybeText, moment } from './field-schemas.ts';

/* Accounts, keys, limits and breakers as operators see them: schemas and presentation. */

const LIMIT = orNull(Type.Integer(), 'Null where there is no limit.');
const IS_OWN = Type.Boolean({
  description: 'Whether an operator has set it for this account; else it is the default.',
});

const BudgetSchema = component('AccountBudget', 'A budget of an account, and what the account has used of it today.', {
  budget: Type.String({ description: 'Such as `sms`; `unplaced_bytes` counts the bytes of unplaced orders.' }),
  mode: Type.Enum([...KEY_MODES]),
  used: Type.Integer({ description: 'Since midnight in UTC.' }),
  limit: LIMIT,
  is_own: IS_OWN,
});

export const BreakerSchema = component(
  'CardBreaker',
  'A user, card or key that is blocked after too many declines. While a key is blocked, cards that the account has charged before still work.',
  {
    account_id: Type.String(),
    mode: Type.Enum([...KEY_MODES]),
    scope: Type.Enum([...DECLINE_SCOPES]),
    subject: Type.String({ description: "A `user_id`, the gateway's name of a card, or a `key_id`." }),
    declines: Type.Integer({ description: 'Within the last hour.' }),
    held_back_until: Type.Integer({ description: 'Epoch seconds: the next attempt is possible from then on.' }),
  },
);

export const AccountLimitsSchema = component('AccountLimits', 'What an account may do and use.', {
  language: Type.Enum([...LANGUAGES], { description: 'Of pages and messages of orders without one of their own.' }),
  agent_orders: Type.Enum([...AGENT_ORDERS], {
    description: '`handover`: the tool `place_order` places nothing, and answers the checkout of the order.',
  }),
  agent_unpaid: Type.Boolean({ description: 'Whether the tool `quote_order` takes `charge_user: false`.' }),
  negative_markup: Type.Boolean({ description: "Whether carts may be charged below their stores' own prices." }),
  budgets: Type.Array(BudgetSchema),
  declines_per_hour: Type.Array(Type.Object({ scope: Type.Enum([...DECLINE_SCOPES]), limit: LIMIT, is_own: IS_OWN })),
  held_back: Type.Array(BreakerSchema, { description: 'At most 100.' }),
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
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
} satisfies TProperties;

export const ListedAccountSchema = component('ListedAccount', 'An account.', account);

export const ScopeSchema = Type.Enum([...KEY_SCOPES]);

export const KeySchema = component('ListedKey', 'A key without its secret.', {
  key_id: Type.String(),
  mode: Type.Enum([...KEY_MODES]),
  store_id: maybeText('The store of a store key.'),
  account_id: maybeText('Null for a live key of a store.'),
  hint: Type.String({ description: 'How the key begins and ends.' }),
  scopes: Type.Array(ScopeSchema, { description: 'What a key of an account may do; none for a publishable key.' }),
  origins: orNull(Type.Array(Type.String()), 'Of the pages that may send a publishable key; null for any other key.'),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  revoked_at: moment('When it was revoked.'),
});

const BrandSchema = component('AccountBrand', 'What customers of an account see.', {
  display_name: maybeText('What customers read instead of Doorstep.'),
  logo_url: maybeText('The logo.'),
  from_address: maybeText('The sender of its mail.'),
  bcc_address: maybeText('Who has a blind copy of every receipt.'),
  tracking_host: maybeText('The host of its tracking pages.'),
  has_favicon: Type.Boolean(),
});

const EndpointSchema = component('AccountEndpoint', 'Where an account is called, without the secret.', {
  mode: Type.Enum([...KEY_MODES]),
  url: Type.String(),
  enabled: Type.Boolean(),
  failing_since: moment('Since when every call fails.'),
});

export const AccountSchema = component(
  'OperatorAccount',
  'An account with its keys, its brand, its webhook endpoints and its limits.',
  {
    ...account,
    keys: Type.Array(KeySchema),
    brand: BrandSchema,
    endpoints: Type.Array(EndpointSchema),
    limits: AccountLimitsSchema,
  },
);

export const NewKeySchema = component('NewKey', 'A new key, shown this once.', {
  key_id: Type.String(),
  key: Type.String({ description: 'The key. No later answer shows it again.' }),
  mode: Type.Enum([...KEY_MODES]),
  origins: Type.Optional(Type.Array(Type.String(), { description: 'Of a publishable key.' })),
});
