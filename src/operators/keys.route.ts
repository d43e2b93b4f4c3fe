import { Type } from 'typebox';
import { findAccount, revokeKey } from '../accounts/accounts.db.ts';
import { issueKey } from '../accounts/issue-key.flow.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { AccountParams, accountNotFound } from './accounts.route.ts';
import { NewKeySchema } from './accounts-schema.ts';
import { MODES } from './field-schemas.ts';
import { recordChange } from './record-change.flow.ts';

const tags = ['Operator'];
const config = { audience: 'operator', refuses: ['not_found'] } as const;

const createSchema = {
  operationId: 'createKey',
  tags,
  summary: 'Create a key of an account',
  description: 'No later answer shows the key: the service keeps a hash alone. The change is recorded.',
  example: { body: { mode: 'sandbox' } },
  params: AccountParams,
  body: Type.Object({ mode: Type.Enum([...MODES], { description: 'A live key makes real orders.' }) }),
  response: { 200: NewKeySchema },
};
const revokeSchema = {
  operationId: 'revokeKey',
  tags,
  summary: 'Revoke a key of an account or a store',
  description: 'Requests with the key are refused from now on. The change is recorded.',
  params: Type.Object({ key_id: Type.String({ maxLength: 64, description: 'A key.' }) }),
  body: Type.Object({}),
  response: {
    200: Type.Object(
      { key_id: Type.String(), revoked: Type.Literal(true) },
      { description: 'Every node refuses the key within a second.' },
    ),
  },
};

/** POST /operator/accounts/{account_id}/keys and /operator/keys/{key_id}/revoke. */
export function keysRoutes(http: Http, deps: { db: Db; clock: Clock }): void {
  http.post(
    '/operator/accounts/:account_id/keys',
    { schema: createSchema, config },
    async ({ session, params, body }, reply) => {
      const { account_id: accountId } = params;
      const { mode } = body;
      if (!(await findAccount(deps.db, accountId))) throw accountNotFound();
      const { keyId, key } = await recordChange(
        deps,
        session,
        (tx, at) => issueKey(tx, accountId, mode, at),
        (issued) => ({ action: 'key.create', target: issued.keyId, details: { account_id: accountId, mode } }),
      );
      reply.header('cache-control', 'no-store');
      return { key_id: keyId, key, mode };
    },
  );

  http.post('/operator/keys/:key_id/revoke', { schema: revokeSchema, config }, async ({ session, params }) => {
    const { key_id: keyId } = params;
    await recordChange(
      deps,
      session,
      async (tx, at) => {
        if (!(await revokeKey(tx, keyId, at))) throw new Refusal('not_found', 'There is no such key.');
      },
      () => ({ action: 'key.revoke', target: keyId, details: {} }),
    );
    return { key_id: keyId, revoked: true as const };
  });
}
