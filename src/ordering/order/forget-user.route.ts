import { Type } from 'typebox';
import type { Db } from '../../platform/db/connect.ts';
import { component } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { USER_ID } from '../payments/payment-method.ts';
import { type ForgetDeps, type ForgottenUser, forgetUser } from './forget-user.flow.ts';

export const ForgottenUserSchema = component('ForgottenUser', 'What was forgotten of a user.', {
  orders: Type.Integer({ description: 'Orders whose personal data is gone.' }),
  unplaced_orders: Type.Integer({ description: 'Unplaced orders that are gone.' }),
  cards: Type.Integer({ description: 'Cards that are deleted here and at the gateway.' }),
  is_complete: Type.Boolean({
    description: 'Whether nothing is left. If not, repeat the request: it does 1,000 orders.',
  }),
});

export function presentForgotten({ orders, unplacedOrders, cards, isComplete }: ForgottenUser) {
  return { orders, unplaced_orders: unplacedOrders, cards, is_complete: isComplete };
}

const schema = {
  operationId: 'forgetUser',
  summary: 'Forget a user',
  description:
    "Removes names, phones, emails, addresses, notes, photos and positions from the user's ended orders, and deletes unplaced orders, cards and favorites, in the mode of the key. Amounts, taxes, events and statements stay. Refused while an order of the user is under way.",
  example: { body: { user_id: 'user-2' } },
  body: Type.Object({ user_id: USER_ID }),
  response: { 200: ForgottenUserSchema },
};

/** POST /account/forget_user (docs/personal-data.md). */
export function forgetUserRoute(http: Http, deps: ForgetDeps & { db: Db; clock: Clock }): void {
  http.post(
    '/account/forget_user',
    { schema, config: { scope: 'order', refuses: ['order_open'] } },
    async ({ caller, body }) => {
      const user = { accountId: caller.accountId, mode: caller.mode, userId: body.user_id };
      const { db, clock } = deps;
      return presentForgotten(await db.transaction().execute((tx) => forgetUser(deps, tx, user, clock.now())));
    },
  );
}
