import { join } from 'node:path';
import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { authenticateSession, merchantOfSession } from '../../access/sessions/authenticate-console.hook.ts';
import { endedSessionCookie, sessionCookie } from '../../access/sessions/console-cookie.ts';
import type { ConsoleSession } from '../../access/sessions/sessions.db.ts';
import { renewSession } from '../../access/sessions/sign-in.flow.ts';
import { findStoreCaller } from '../../access/sessions/store-caller.flow.ts';
import { findLinkedOrder } from '../../fulfillment/store-channels/store-notices.db.ts';
import { shownOrderNumber } from '../../ordering/order/order.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { pageSecurity } from '../../platform/http/security-headers.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { pageLanguage } from '../../platform/languages/page-language.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { findStorePreferences } from '../../supply/stores/set-store.db.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import {
  CONSOLE_HEADERS,
  type ConsoleFrame,
  consoleSecurity,
  deadLinkPage,
  linkedOrderPage,
  newOrderPage,
  newOrderSecurity,
  signInPage,
  storeConsolePage,
} from './console.page.ts';

/** Cookie with the language chosen for the tablet, set by the console's script. */
const LANGUAGE_COOKIE = 'doorstep_language';

const FOLDER = join(import.meta.dirname, '../../../web/console');

/** The files of the console, bundled once in a process. */
export const consoleFiles = bundleOnce(FOLDER, { script: 'main.tsx', style: 'page.css', icon: 'icon.svg' }, LANGUAGES);

/** The shop's menu and cart, as a store takes an order for a customer. */
const newOrderFiles = bundleOnce(
  FOLDER,
  { script: 'new-order.tsx', style: 'new-order.css', icon: 'icon.svg' },
  LANGUAGES,
  { 'shop.ts': 'counter.ts' },
);

/** Paths of the console's files and of the service, including the path of BASE_URL. */
async function consoleFrame(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { language, now }: Pick<ConsoleFrame, 'language' | 'now'>,
  bundle = consoleFiles,
): Promise<ConsoleFrame> {
  const files = (await bundle()).inLanguage(language);
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const pathOf = ({ name }: { name: string }) => `${base}/console/assets/${name}`;
  return {
    base,
    language,
    now,
    iconPath: pathOf(files.icon),
    scriptPath: pathOf(files.script),
    stylePath: pathOf(files.style),
  };
}

const LOCATION = { Location: { type: 'string', description: "The session's page." } };
/** The sandbox console has its own URL, so that it is not mistaken for the live one. */
const SANDBOX_QUERY = '?sandbox';
const schema = {
  operationId: 'readConsole',
  summary: "Open the store's console or its sign-in form",
  description:
    "Shows a page for browsers. Renews the session's token once a day. With `?sandbox`, shows an account's sandbox orders at the store, marked *Sandbox*.",
  querystring: Type.Object({
    sandbox: Type.Optional(
      Type.String({ description: 'Only its presence matters. The value is ignored.', maxLength: 20 }),
    ),
  }),
  response: {
    200: contentAnswer('The console, or the sign-in form without a session.', ['text/html']),
    303: emptyAnswer('The session belongs to an operator or to the other key mode.', LOCATION),
  },
};

type ConsolePageDeps = { config: Config; db: Db; clock: Clock };

function consoleRoute(http: Http, deps: ConsolePageDeps): void {
  const { config, clock } = deps;
  const options = {
    schema,
    config: { public: true, refuses: ['not_ready'] } as const,
    security: consoleSecurity(config.baseUrl),
  };
  const isOperators = config.mailer !== undefined || config.openid !== undefined;
  http.get('/console', options, async (request, reply) => {
    reply.headers(CONSOLE_HEADERS);
    const found = await openSession(deps, request);
    const session = found === 'ended' ? undefined : found;
    // The schema would drop a parameter without a value.
    const isSandbox = new URLSearchParams(request.url.split('?')[1]).has('sandbox');
    const own = session && addressOf(session);
    if (own !== undefined && own !== `/console${isSandbox ? SANDBOX_QUERY : ''}`) {
      const base = new URL(config.baseUrl).pathname.replace(/\/$/, '');
      return reply.code(303).header('location', `${base}${own}`).send(undefined);
    }
    const language = await consoleLanguage(deps, request, session?.storeId ?? null);
    const frame = await consoleFrame(config, { language, now: clock.now() });
    reply.headers({ 'content-language': language, vary: 'accept-language, cookie' });
    const page = session && (await storePage(deps, session, frame, reply));
    const hasEnded = found === 'ended';
    if (hasEnded) reply.header('set-cookie', endedSessionCookie(config.baseUrl));
    const signIn = { hasEnded, isSandbox, isOperators: !isSandbox && isOperators };
    return reply.type('text/html; charset=utf-8').send(page ?? signInPage(frame, signIn));
  });
}

/** The language chosen for the tablet, otherwise its store's; before sign-in, the browser's. */
async function consoleLanguage({ db }: { db: Db }, { headers }: FastifyRequest, storeId: string | null) {
  const chosen = parseCookie(headers.cookie ?? '')[LANGUAGE_COOKIE];
  return pageLanguage(
    [chosen, storeId && (await findStorePreferences(db, storeId)).language],
    headers['accept-language'],
  );
}

function addressOf({ storeId, accountId }: ConsoleSession): string {
  if (storeId === null) return '/console/operator';
  return accountId === null ? '/console' : `/console${SANDBOX_QUERY}`;
}

/** The session of a browser; undefined without one, `ended` for a cookie whose session was revoked or has expired. */
async function openSession(deps: ConsolePageDeps, request: FastifyRequest) {
  try {
    return await authenticateSession(deps, request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code === 'missing_api_key' ? undefined : 'ended';
  }
}

/**
 * The console of the session's store, with a new token if the session's is old; undefined if the store does not exist.
 */
async function storePage(
  { config, db, clock }: ConsolePageDeps,
  session: ConsoleSession,
  frame: ConsoleFrame,
  reply: FastifyReply,
): Promise<string | undefined> {
  const store = await findStore(db, session.storeId ?? '');
  if (!store) return undefined;
  const now = clock.now();
  const renewed = await renewSession(db, session, now);
  if (renewed) reply.header('set-cookie', sessionCookie(renewed.token, { ...renewed, now }, config.baseUrl));
  const sandbox = session.accountId === null ? undefined : await findAccount(db, session.accountId);
  const caller = await findStoreCaller(db, merchantOfSession(session, store.storeId));
  const refunds = session.staffId === null && (await findStorePreferences(db, store.storeId)).refundLimitCents !== 0;
  const marks = { sandbox: sandbox ?? null, staff: session.name, takesOrders: caller !== undefined, refunds };
  return storeConsolePage(frame, { ...store, country: store.address.country }, marks);
}

const newOrderSchema = {
  operationId: 'readNewOrder',
  summary: 'Open the page for entering an order for a customer',
  description: 'Shows a page for browsers, in a frame of the console.',
  response: {
    200: contentAnswer('The page.', ['text/html']),
    303: emptyAnswer('No store that takes orders is signed in.', LOCATION),
  },
};

/** GET /console/new-order: the store's menu with the shop's cart (docs/store-api.md#phone-orders). */
function newOrderRoute(http: Http, deps: ConsolePageDeps): void {
  const { config, db, clock } = deps;
  const options = {
    schema: newOrderSchema,
    config: { public: true, refuses: ['not_ready'] } as const,
    security: newOrderSecurity(config.baseUrl),
  };
  http.get('/console/new-order', options, async (request, reply) => {
    reply.headers(CONSOLE_HEADERS);
    const base = new URL(config.baseUrl).pathname.replace(/\/$/, '');
    const session = await openSession(deps, request);
    const merchant =
      session && session !== 'ended' && session.storeId !== null
        ? merchantOfSession(session, session.storeId)
        : undefined;
    if (!merchant || !(await findStoreCaller(db, merchant))) {
      return reply.code(303).header('location', `${base}/console`).send(undefined);
    }
    const { storeId, mode } = merchant;
    const isSandbox = mode === 'sandbox';
    const language = await consoleLanguage(deps, request, storeId);
    const frame = await consoleFrame(config, { language, now: clock.now() }, newOrderFiles);
    reply.headers({ 'content-language': language, vary: 'accept-language, cookie' });
    const home = `${base}/console${isSandbox ? SANDBOX_QUERY : ''}`;
    return reply.type('text/html; charset=utf-8').send(newOrderPage(frame, { storeId, isSandbox, home }));
  });
}

function consoleFilesRoute(http: Http, { config }: { config: Config }): void {
  const security = pageSecurity(config.baseUrl);
  const page = { folder: '/console/assets', operationId: 'readConsoleFile', page: 'the console' };
  serveWebFiles(http, { ...page, bundles: [consoleFiles, newOrderFiles], security });
}

const linkedOrderSchema = {
  operationId: 'readLinkedOrder',
  summary: "Open one order's page for its store",
  description:
    'Shows a page for browsers, where a store without a console confirms the order. The link authorizes the request.',
  params: Type.Object({
    link: Type.String({
      maxLength: 200,
      description: 'The token from an email or text message to the store. Invalid once the order has ended.',
    }),
  }),
  response: {
    200: contentAnswer("The order's page.", ['text/html']),
    404: pageOrProblem('The link opens no order, or none any more'),
  },
};

/** GET /console/order/{link}: one order without sign-in. */
function linkedOrderRoute(http: Http, deps: { config: Config; db: Db; clock: Clock }): void {
  const { config, db, clock } = deps;
  const options = {
    schema: linkedOrderSchema,
    config: { public: true, refuses: ['order_not_found', 'not_ready'] } as const,
    security: consoleSecurity(config.baseUrl),
  };
  http.get('/console/order/:link', options, async (request, reply) => {
    const { params, headers } = request;
    const order = await findLinkedOrder(db, params.link);
    const language = await consoleLanguage(deps, request, order?.storeId ?? null);
    const frame = await consoleFrame(config, { language, now: clock.now() });
    reply.headers({ ...CONSOLE_HEADERS, 'content-language': language, vary: 'accept, accept-language, cookie' });
    if (!order && prefersJson(headers.accept)) throw orderNotFound();
    reply.type('text/html; charset=utf-8');
    if (!order) return reply.code(404).send(deadLinkPage(frame));
    return reply.send(linkedOrderPage(frame, order.quote.store, shownOrderNumber(order)));
  });
}

/** The console's pages. */
export const CONSOLE_ROUTES = [consoleRoute, newOrderRoute, consoleFilesRoute, linkedOrderRoute];
