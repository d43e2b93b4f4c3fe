import { type Static, Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { spendStoreBudget } from '../../access/budgets/spend-store-budget.flow.ts';
import { operation } from '../../access/operations/operation.ts';
import { issueAccessCode } from '../../access/sessions/sign-in.flow.ts';
import { issueStoreKey } from '../../access/sessions/store-keys.db.ts';
import { OUT_OF_REACH } from '../../notify/messages/sms-reach.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { describedObject, optionalText } from '../../platform/http/api-components.ts';
import { EMAIL, invalidField } from '../../platform/http/request-schema.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isInSmsReach } from '../../platform/lib/numbering-plan.ts';
import { readE164 } from '../../platform/lib/phone.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { accountNotFound } from './accounts.route.ts';
import { NewKeySchema } from './accounts-schema.ts';
import { SEND_STORE_INVITATION } from './store-invitation.job.ts';
import { StoreParams, storeNotFound } from './stores.route.ts';

/* Access of a store: invitations by mail, sign-in codes and keys. */

type CodeNeeds = { db: Db; clock: Clock; config: Config };
type StoreAccessDeps = CodeNeeds & { jobs: Jobs; messaging: Messaging };

const SANDBOX = optionalText(64, 'The account whose sandbox orders are shown. Defaults to live orders.');

export const inviteStoreOperation = operation({
  endpoint: 'POST /stores/:store_id/invite',
  refuses: ['store_not_found', 'not_found'],
  summary: "Create an access code for a store's console",
  description: 'The store signs in at `url` with a one-time code that is valid for 48 hours.',
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  query: Type.Object({ sandbox_account_id: SANDBOX }),
  body: Type.Object({}),
  answer: describedObject('A one-time code, shown only once.', {
    code: Type.String(),
    expires_at: Type.Integer({ description: 'Epoch seconds.' }),
    url: Type.String(),
  }),
  on: { operator: { command: 'stores invite <store_id>', role: 'admin' } },
}).run(async (deps: CodeNeeds, { save, params, query }) => {
  const { store_id: storeId } = params;
  const accountId = await requireOwner(deps.db, storeId, query.sandbox_account_id);
  const { code, expiresAt } = await save(
    (tx, at) => issueAccessCode(tx, { storeId, accountId }, at),
    () => ({ action: 'store.invite', target: storeId, details: accountId === null ? {} : { account_id: accountId } }),
  );
  return {
    code,
    expires_at: epochSeconds(expiresAt),
    url: `${deps.config.baseUrl}/console${accountId === null ? '' : '?sandbox'}`,
  };
});

export const createStoreKeyOperation = operation({
  endpoint: 'POST /stores/:store_id/keys',
  refuses: ['store_not_found', 'not_found'],
  summary: "Create a Store API key for a store's live orders, or an account's sandbox orders there",
  description: 'The key is shown only once, because the service stores only a hash.',
  example: { path: { store_id: EXAMPLE_STORE_ID }, body: { sandbox_account_id: '{account_id}' } },
  params: StoreParams,
  body: Type.Object({ sandbox_account_id: SANDBOX }),
  answer: NewKeySchema,
  on: {
    operator: { command: 'stores key <store_id>', next: "Save the key now: it won't be shown again.", role: 'admin' },
  },
}).run(async (deps: CodeNeeds, { save, params, body }) => {
  const { store_id: storeId } = params;
  const accountId = await requireOwner(deps.db, storeId, body.sandbox_account_id);
  const { keyId, key, mode } = await save(
    (tx, at) => issueStoreKey(tx, { storeId, accountId }, at),
    (issued) => ({
      action: 'store_key.create',
      target: issued.keyId,
      details: { store_id: storeId, mode: issued.mode },
    }),
  );
  return { key_id: keyId, key, mode };
});

/** Refuses an unknown store, and an unknown account of its sandbox orders; null without an account. */
async function requireOwner(db: Db, storeId: string, accountId: string | null = null): Promise<string | null> {
  if (!(await findStore(db, storeId))) throw storeNotFound();
  if (accountId !== null && !(await findAccount(db, accountId))) throw accountNotFound();
  return accountId;
}

const RecipientSchema = Type.Object({ email: Type.Optional(EMAIL), phone: optionalText(40, 'Instead of `email`.') });

export const sendStoreInvitationOperation = operation({
  endpoint: 'POST /stores/:store_id/invitations',
  refuses: ['store_not_found', 'rate_limited'],
  summary: "Send a store's owner an access code by email or text message",
  description:
    "Sent in the store's language to an `email` or `phone`, up to 20 times a day per store. The code works once, within 48 hours. The history doesn't contain the address.",
  example: { path: { store_id: EXAMPLE_STORE_ID }, body: { email: 'owner@example.com' } },
  params: StoreParams,
  body: RecipientSchema,
  answer: Type.Object({ by: Type.Enum(['email', 'sms']) }, { description: 'The code is sent within seconds.' }),
  on: { operator: { role: 'admin' } },
}).run(async (deps: StoreAccessDeps, { save, params, body }) => {
  const { store_id: storeId } = params;
  if (!(await findStore(deps.db, storeId))) throw storeNotFound();
  const { by, to } = recipientOf(deps, body);
  await save(
    async (tx, at) => {
      await spendStoreBudget(tx, 'invitations', storeId, at);
      await deps.jobs.enqueue(tx, SEND_STORE_INVITATION, { storeId, by, to });
    },
    () => ({ action: 'store.invite', target: storeId, details: { by } }),
  );
  return { by };
});

/** Where an invitation goes; refused where this service could not send it. */
function recipientOf(
  { config, messaging }: StoreAccessDeps,
  { email, phone }: Static<typeof RecipientSchema>,
): { by: 'email' | 'sms'; to: string } {
  const wrong = (name: string, message: string) => invalidField('body', name, message);
  if ((email === undefined) === (phone === undefined)) throw wrong('body', 'must have either email or phone');
  if (email !== undefined) {
    if (!messaging.mailer) throw wrong('email', 'cannot be used: this service sends no email');
    return { by: 'email', to: email };
  }
  if (!messaging.smsSender) throw wrong('phone', 'cannot be used: this service sends no SMS');
  const to = readE164(phone ?? '');
  if (to === undefined) throw wrong('phone', 'must be a phone number');
  if (!isInSmsReach(to, config.smsCountries)) throw wrong('phone', `cannot be used: ${OUT_OF_REACH}`);
  return { by: 'sms', to };
}
