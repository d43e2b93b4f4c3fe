import { Type } from 'typebox';
import { findAccount } from '../accounts/accounts.db.ts';
import { DECLINE_KINDS, LEAST_DECLINES, type LimitKind } from '../accounts/budgets/budget.ts';
import { BUDGET_KINDS, type Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { UNLIMITED } from '../lib/parse-setting.ts';
import { setAccountSettings } from '../messages/set-limits.flow.ts';
import { AccountLimitsSchema } from './account-limits.ts';
import { AccountParams, accountNotFound } from './accounts.route.ts';
import { readAccountLimits } from './read-account-limits.flow.ts';
import { recordChange } from './record-change.flow.ts';

const KINDS: readonly LimitKind[] = [...BUDGET_KINDS, ...DECLINE_KINDS];
/** The text that lifts a limit, and the text that brings the default back. */
const WORDS: Readonly<Record<string, number | null>> = { unlimited: UNLIMITED, default: null };

const limitSchema = (minimum: number) =>
  Type.Union([Type.Integer({ minimum, maximum: 1e12 }), Type.Enum(['unlimited', 'default'])], {
    description: '`default` is the setting of the service.',
  });

const schema = {
  operationId: 'setAccountLimits',
  tags: ['Operator'],
  summary: 'Set what an account may do and use',
  description:
    'What is left out stays. Where a budget of SMS or e-mails is raised, messages that were beyond it and are still of use are sent.',
  example: { body: { limits: { sms: 5000, emails: 'default' } } },
  params: AccountParams,
  body: Type.Object({
    negative_markup: Type.Optional(Type.Boolean({ description: "Carts below their stores' own prices." })),
    limits: Type.Optional(
      Type.Object(
        {
          ...Object.fromEntries(BUDGET_KINDS.map((kind) => [kind, Type.Optional(limitSchema(0))])),
          ...Object.fromEntries(DECLINE_KINDS.map((kind) => [kind, Type.Optional(limitSchema(LEAST_DECLINES))])),
        },
        {
          description:
            'By budget. `declines_user`, `declines_card` and `declines_key` limit the declines per hour of one user, one card and one live key.',
        },
      ),
    ),
  }),
  response: { 200: AccountLimitsSchema },
};

type Deps = { db: Db; clock: Clock; config: Config };

/** POST /operator/accounts/{account_id}/limits. */
export function setLimitsRoute(http: Http, deps: Deps): void {
  const { db, clock, config } = deps;
  const routeConfig = { audience: 'operator', refuses: ['not_found'] } as const;
  http.post(
    '/operator/accounts/:account_id/limits',
    { schema, config: routeConfig },
    async ({ session, params, body }) => {
      const { account_id: accountId } = params;
      if (!(await findAccount(db, accountId))) throw accountNotFound();
      const { negative_markup: negativeMarkup, limits: given = {} } = body;
      const limits = new Map(KINDS.flatMap((kind) => limitOf(kind, given[kind])));
      await recordChange(
        deps,
        session,
        (tx, at) => setAccountSettings(config, tx, { accountId, negativeMarkup, limits }, at),
        () => ({ action: 'account.set_limits', target: accountId, details: body }),
      );
      const account = await findAccount(db, accountId);
      if (!account) throw accountNotFound();
      return readAccountLimits(deps, account, clock.now());
    },
  );
}

function limitOf(kind: LimitKind, given: number | string | undefined): [LimitKind, number | null][] {
  if (given === undefined) return [];
  return [[kind, typeof given === 'string' ? (WORDS[given] ?? null) : given]];
}
