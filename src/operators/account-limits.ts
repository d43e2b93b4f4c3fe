import { type Static, Type } from 'typebox';
import { DECLINE_SCOPES } from '../accounts/budgets/budget.ts';
import type { AccountBudgets } from '../accounts/budgets/read-budgets.flow.ts';
import { named } from '../http/api-components.ts';
import { UNLIMITED } from '../lib/parse-setting.ts';
import { epochSeconds } from '../lib/time.ts';
import { DECLINE_MINUTES } from '../payments/declines/decline.ts';
import type { Breaker } from '../payments/declines/declines.db.ts';
import { MODES } from './field-schemas.ts';

const LIMIT = Type.Union([Type.Integer(), Type.Null()], { description: 'Null where there is no limit.' });
const IS_OWN = Type.Boolean({
  description: 'Whether an operator has set it for this account; else it is the default.',
});

const BudgetSchema = Type.Object(
  {
    budget: Type.String({ description: 'Such as `sms`; `unplaced_bytes` counts the bytes of unplaced orders.' }),
    mode: Type.Enum([...MODES]),
    used: Type.Integer({ description: 'Since midnight in UTC.' }),
    limit: LIMIT,
    is_own: IS_OWN,
  },
  named('AccountBudget', 'A budget of an account, and what the account has used of it today.'),
);

export const BreakerSchema = Type.Object(
  {
    account_id: Type.String(),
    mode: Type.Enum([...MODES]),
    scope: Type.Enum([...DECLINE_SCOPES]),
    subject: Type.String({ description: "A `user_id`, the gateway's name of a card, or a `key_id`." }),
    declines: Type.Integer({ description: 'Within the last hour.' }),
    held_back_until: Type.Integer({ description: 'Epoch seconds: the next attempt is possible from then on.' }),
  },
  named(
    'CardBreaker',
    'A user, card or key that is blocked after too many declines. While a key is blocked, cards that the account has charged before still work.',
  ),
);

export const AccountLimitsSchema = Type.Object(
  {
    negative_markup: Type.Boolean({ description: "Whether carts may be charged below their stores' own prices." }),
    budgets: Type.Array(BudgetSchema),
    declines_per_hour: Type.Array(Type.Object({ scope: Type.Enum([...DECLINE_SCOPES]), limit: LIMIT, is_own: IS_OWN })),
    held_back: Type.Array(BreakerSchema, { description: 'At most 100.' }),
  },
  named('AccountLimits', 'What an account may do and use.'),
);

/** A limit that no count reaches is shown as null. */
function presentLimit(max: number): number | null {
  return max === UNLIMITED ? null : max;
}

export function presentBreaker({ accountId, mode, scope, subject, declines, at }: Breaker) {
  const until = epochSeconds(at.add({ minutes: DECLINE_MINUTES }));
  return { account_id: accountId, mode, scope, subject, declines, held_back_until: until };
}

/** The limits of an account, as operators and the command line see them. */
export function presentAccountLimits(
  negativeMarkup: boolean,
  { budgets, declinesAnHour }: AccountBudgets,
  breakers: readonly Breaker[],
): Static<typeof AccountLimitsSchema> {
  return {
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
