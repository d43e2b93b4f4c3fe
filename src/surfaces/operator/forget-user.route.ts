import { Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { operation } from '../../access/operations/operation.ts';
import { type ForgetDeps, forgetUser } from '../../ordering/order/forget-user.flow.ts';
import { ForgottenUserSchema, presentForgotten } from '../../ordering/order/forget-user.route.ts';
import type { Context } from '../../platform/db/context.ts';
import { accountNotFound } from './accounts.route.ts';
import { KEY_MODES } from './field-schemas.ts';

/** The history names the account without the person: erased data isn't written down again. */
export const forgetAnyUserOperation = operation({
  endpoint: 'POST /accounts/:account_id/forget_user',
  refuses: ['not_found', 'order_open'],
  summary: "Erase the personal data of an account's user",
  description: "Like `POST /account/forget_user`, in either key mode. The history doesn't name the user.",
  example: { body: { user_id: 'user-2', mode: 'sandbox' } },
  params: Type.Object({ account_id: Type.String({ maxLength: 64, description: 'An account.' }) }),
  body: Type.Object({
    user_id: Type.String({ minLength: 1, maxLength: 255, description: "The account's own ID for the user." }),
    mode: Type.Optional(Type.Enum([...KEY_MODES], { description: 'Defaults to `live`.' })),
  }),
  answer: ForgottenUserSchema,
  on: { operator: { command: 'users forget <account_id> <user_id>', role: 'admin' } },
}).run(async (deps: ForgetDeps & Context, { save, params, body }) => {
  const { account_id: accountId } = params;
  const { user_id: userId, mode = 'live' } = body;
  if (!(await findAccount(deps.db, accountId))) throw accountNotFound();
  const forgotten = await save(
    (tx, at) => forgetUser(deps, tx, { accountId, mode, userId }, at),
    (result) => ({ action: 'user.forget', target: accountId, details: { mode, ...presentForgotten(result) } }),
  );
  return presentForgotten(forgotten);
});
