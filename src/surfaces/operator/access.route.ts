import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { ActionSchema, listActions } from '../../access/sessions/actions.db.ts';
import { listSessions, revokeSession } from '../../access/sessions/sessions.db.ts';
import type { Db } from '../../platform/db/connect.ts';
import { describedObject, optionalText, optionalWhole, orNull } from '../../platform/http/api-components.ts';
import { cutPage } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isStoreId } from '../../supply/stores/store-id.ts';
import { showRow } from './field-schemas.ts';
import { presentSession, SessionSchema } from './stores.route.ts';
import { SESSIONS } from './tables.ts';

const PAGE_SIZE = 100;
const MAX_NO = Number.MAX_SAFE_INTEGER;

export const listOperatorActionsOperation = operation({
  endpoint: 'GET /actions',
  summary: "List operators' changes, newest first",
  description: 'Lists every change by an operator, with the session that made it.',
  query: Type.Object({
    before: optionalWhole(1, MAX_NO, "The previous page's `next`."),
    target: optionalText(64, 'Returns only changes of the object with this ID.'),
  }),
  answer: describedObject('100 a page.', {
    actions: Type.Array(ActionSchema),
    next: orNull(Type.Integer(), 'Send it as `before` to get the next page.'),
  }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { query }) => {
  const rows = await listActions(db, { ...query, limit: PAGE_SIZE + 1 });
  const { page, next } = cutPage(rows, PAGE_SIZE, ({ actionNo }) => actionNo);
  return { actions: page.map(showRow), next };
});

export const listOperatorSessionsOperation = operation({
  endpoint: 'GET /sessions',
  summary: "List operators' open sessions and keys",
  description: "Lists every browser signed in as an operator, and operators' keys.",
  answer: describedObject('Newest first.', {
    sessions: Type.Array(Type.Object({ ...SessionSchema.properties, is_this: Type.Boolean() })),
  }),
  on: { operator: { command: 'operators sessions', table: SESSIONS, role: 'admin' } },
}).run(async ({ db, clock }: { db: Db; clock: Clock }, { by: { session } }) => {
  const sessions = await listSessions(db, null, clock.now());
  return {
    sessions: sessions.map((one) => ({ ...presentSession(one), is_this: one.sessionId === session.sessionId })),
  };
});

export const revokeAnySessionOperation = operation({
  endpoint: 'POST /sessions/:session_id/revoke',
  refuses: ['not_found'],
  summary: "End an operator's or store's console session, or an operator's key",
  description: 'The browser must sign in again, or the key is refused from now on.',
  params: Type.Object({ session_id: Type.String({ maxLength: 64, description: 'An open session.' }) }),
  body: Type.Object({ store_id: optionalText(64, "The session's store, if any.") }),
  answer: Type.Object({ session_id: Type.String(), revoked: Type.Literal(true) }, { description: 'It has ended.' }),
  on: { operator: { command: 'sessions revoke <session_id>', role: 'admin' } },
}).run(async (_needs: object, { save, params, body }) => {
  const { session_id: sessionId } = params;
  const storeId = body.store_id ?? null;
  await save(
    async (tx, at) => {
      const isKnown = storeId === null || isStoreId(storeId);
      if (isKnown && (await revokeSession(tx, { sessionId, storeId }, at))) return;
      throw new Refusal('not_found', 'There is no such open session.');
    },
    () => ({ action: 'session.revoke', target: sessionId, details: storeId === null ? {} : { store_id: storeId } }),
  );
  return { session_id: sessionId, revoked: true as const };
});
