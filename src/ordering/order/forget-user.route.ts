import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Context } from '../../platform/db/context.ts';
import { bool, component, integer } from '../../platform/http/api-components.ts';
import { USER_ID } from '../payments/payment-method.ts';
import { type ForgetDeps, type ForgottenUser, forgetUser } from './forget-user.flow.ts';

export const ForgottenUserSchema = component('ForgottenUser', "The result of erasing a user's personal data.", {
  orders: integer('The number of orders whose personal data was erased.'),
  unplaced_orders: integer('The number of deleted unplaced orders.'),
  cards: integer('The number of cards deleted here and at the payment gateway.'),
  is_complete: bool(
    'Whether all personal data is erased. A request covers up to 1,000 orders: repeat it while this is `false`.',
  ),
});

export function presentForgotten({ orders, unplacedOrders, cards, isComplete }: ForgottenUser) {
  return { orders, unplaced_orders: unplacedOrders, cards, is_complete: isComplete };
}

/** docs/personal-data.md */
export const forgetUserOperation = operation({
  name: 'forgetUser',
  endpoint: 'POST /account/forget_user',
  summary: "Erase a user's personal data",
  description:
    "Removes names, phones, emails, addresses, notes, photos and positions from the user's ended orders. Deletes unplaced orders, cards and favorites. Covers the key's mode only. Keeps amounts, taxes, events and statements. Returns an error while one of the user's orders is in progress.",
  example: { body: { user_id: 'user-2' } },
  body: Type.Object({ user_id: USER_ID }),
  answer: ForgottenUserSchema,
  refuses: ['order_open'],
  on: { account: { scope: 'order' } },
}).run(async (deps: ForgetDeps & Context, { by: { caller }, body }) => {
  const user = { accountId: caller.accountId, mode: caller.mode, userId: body.user_id };
  const { db, clock } = deps;
  // Not by `save`: the user's kept responses are erased, too.
  return presentForgotten(await db.transaction().execute((tx) => forgetUser(deps, tx, user, clock.now())));
});
