import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { authenticateSession } from '../../access/sessions/authenticate-console.hook.ts';
import { endedSessionCookie, refuseCrossSite, sessionCookie } from '../../access/sessions/console-cookie.ts';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import { listSessions, revokeSession } from '../../access/sessions/sessions.db.ts';
import { signIn } from '../../access/sessions/sign-in.flow.ts';
import { setChannels } from '../../fulfillment/store-channels/set-channels.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { describedObject, orNull } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import { isoSeconds } from '../../platform/lib/time.ts';

/* Sign-in of the store console: a code for a session, its list of devices, and sign-out. */

const MAX_DEVICE = 200;

type SessionDeps = Context & { config: Config };

/** A sign-in to a store's console adds the console to the store's channels. */
const onStoreSignIn = (tx: Sql, storeId: string, at: Temporal.Instant) =>
  setChannels(tx, storeId, { console: true }, at);

const signInSchema = {
  operationId: 'signInToConsole',
  summary: 'Open a console session with an access code',
  description:
    "The response sets the session cookie. A code works once, within 48 hours. A staff member's code works until it's replaced. More than 20 incorrect codes per minute from one address return 429, but the correct code still works.",
  example: { body: { code: '{code}' } },
  body: Type.Object({
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "The code from `doorstep stores invite`, or a staff member's code.",
    }),
  }),
  response: { 200: Type.Object({ role: Type.Enum(['store', 'operator']) }, { description: "The console's store." }) },
};
const signOutSchema = {
  operationId: 'signOutOfConsole',
  summary: "End this browser's console session",
  description: "Ends the cookie's session and deletes the cookie. Without a session, the response is the same.",
  body: Type.Object({}),
  response: { 200: Type.Object({ signed_out: Type.Literal(true) }, { description: 'The cookie was deleted.' }) },
};
const SessionSchema = Type.Object({
  session_id: Type.String(),
  name: orNull(Type.String(), "The staff member's name. Null for the owner."),
  device: Type.String({ description: "The browser's description of itself." }),
  created_at: Type.String(),
  seen_at: Type.String(),
  is_this: Type.Boolean(),
});
export type ConsoleSession = Static<typeof SessionSchema>;
const OWNER = { store: { ownerOnly: 'session', admit: refuseSandbox, refuses: ['live_only'] } } as const;

export const SESSION_OPERATIONS = [
  operation({
    name: 'listConsoleSessions',
    endpoint: 'GET /sessions',
    summary: "List the store's open console sessions",
    description:
      'Lists every browser signed in for the store. Requires the owner. Store keys and sandbox sessions are refused.',
    answer: Type.Object({ sessions: Type.Array(SessionSchema) }, { description: 'Newest first.' }),
    on: OWNER,
  }).run(async ({ db, clock }: SessionDeps, { by: { merchant } }) => {
    const listed = await listSessions(db, merchant.storeId, clock.now());
    const sessions = listed.filter(({ accountId }) => accountId === null);
    return {
      sessions: sessions.map(({ sessionId, name, device, createdAt, seenAt }) => {
        const isThis = sessionId === merchant.id;
        return snakeCase({ sessionId, name, device, createdAt, seenAt, isThis }, isoSeconds);
      }),
    };
  }),
  operation({
    name: 'revokeConsoleSession',
    endpoint: 'POST /sessions/:session_id/revoke',
    summary: "End one of the store's console sessions",
    description:
      "The session's browser must sign in again. Requires the owner. Store keys and sandbox sessions are refused.",
    params: Type.Object({
      session_id: Type.String({ maxLength: 64, description: 'The ID from the list of sessions.' }),
    }),
    answer: describedObject('`revoked` is false if there was no such session.', {
      session_id: Type.String(),
      revoked: Type.Boolean(),
    }),
    on: OWNER,
  }).run(async ({ db, clock }: SessionDeps, { by: { merchant }, params: { session_id: sessionId } }) => {
    const revoked = await revokeSession(db, { sessionId, storeId: merchant.storeId }, clock.now());
    return { session_id: sessionId, revoked };
  }),
];

const PUBLIC = { public: true, refuses: ['cross_site_request'] } as const;

/** POST /console/sign-in and /console/sign-out, which set a cookie. */
export function consoleSignInRoutes(http: Http, deps: SessionDeps): void {
  const { db, clock, config } = deps;
  const signInConfig = { ...PUBLIC, refuses: ['cross_site_request', 'invalid_access_code', 'rate_limited'] } as const;
  http.post('/console/sign-in', { schema: signInSchema, config: signInConfig }, async (request, reply) => {
    refuseCrossSite(request, config.baseUrl);
    const device = String(request.headers['user-agent'] ?? '').slice(0, MAX_DEVICE);
    const opened = await signIn({ db, clock, onStoreSignIn }, request.body.code, {
      client: request.client.name,
      device,
    });
    reply.header('set-cookie', sessionCookie(opened.token, { ...opened, now: clock.now() }, config.baseUrl));
    return { role: opened.storeId === null ? ('operator' as const) : ('store' as const) };
  });

  http.post('/console/sign-out', { schema: signOutSchema, config: PUBLIC }, async (request, reply) => {
    refuseCrossSite(request, config.baseUrl);
    const session = await authenticateSession(deps, request).catch((error) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    if (session) await revokeSession(db, session, clock.now());
    reply.header('set-cookie', endedSessionCookie(config.baseUrl));
    return { signed_out: true as const };
  });
}
