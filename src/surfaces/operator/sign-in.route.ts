import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refuseCrossSite, sessionCookie } from '../../access/sessions/console-cookie.ts';
import { type IdentityProvider, signInSecrets } from '../../access/sessions/identity-provider.ts';
import { findOperatorByEmail } from '../../access/sessions/operators.db.ts';
import { openOperatorSession } from '../../access/sessions/sign-in.flow.ts';
import { takeSignInLink } from '../../access/sessions/sign-in-links.db.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { formPageSecurity } from '../../platform/http/security-headers.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { operatorFrame, PAGE_HEADERS } from './operator-page.route.ts';
import {
  linkPage,
  linkSentPage,
  SIGN_IN_PROBLEMS,
  type SignInProblem,
  signedInPage,
  signInPage,
} from './sign-in.page.ts';
import { askForSignInLink } from './sign-in-link.job.ts';

/**
 * Operators sign in by an email link or by OpenID Connect. Both end in the browser that began: its cookie holds a
 * random text, which the link is stored with and the secrets of OpenID Connect derive from. No count of attempts
 * refuses either: a link has 192 random bits, and behind a proxy everyone would share the count.
 */

const COOKIE = 'doorstep_sign_in';
const BROWSER_BYTES = 32;
const MINUTES = 15;
const MAX_DEVICE = 200;

const LOCATION = { Location: { type: 'string', description: "The browser's next page." } };
const PAGE = contentAnswer('The page.', ['text/html']);
const REFUSED = pageOrProblem('The sign-in was refused');
const tags = ['Operator'];

const pageSchema = {
  operationId: 'readOperatorSignIn',
  tags,
  summary: "Open the operators' sign-in page",
  description:
    'Shows the available sign-in options: email links with `SMTP_URL`, and single sign-on with `OIDC_ISSUER`.',
  response: { 200: PAGE },
};
const askSchema = {
  operationId: 'askForSignInLink',
  tags,
  summary: 'Email a sign-in link to an operator',
  description:
    "The page's form sends this request. The response is the same for every address. The link is valid for 15 minutes, works once and only in the requesting browser, and replaces that browser's earlier link.",
  example: { body: { email: 'ana@example.com' } },
  consumes: ['application/x-www-form-urlencoded'],
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254, description: "The operator's email." }) }),
  response: { 200: PAGE },
};
const Link = Type.Object({ token: Type.String({ maxLength: 64, description: "The email link's token." }) });
const linkSchema = {
  operationId: 'readSignInLink',
  tags,
  summary: "Open an email link's page",
  description: 'Shows a button and changes nothing, because mail scanners open links. Every token shows the same page.',
  example: { path: { token: '{token}' } },
  params: Link,
  response: { 200: PAGE },
};
const useSchema = {
  operationId: 'useSignInLink',
  tags,
  summary: 'Sign in with an email link',
  description: "The page's button sends this request. The response sets the session cookie.",
  example: { path: { token: '{token}' } },
  params: Link,
  response: { 303: emptyAnswer('Redirects to the operator dashboard.', LOCATION), 401: REFUSED },
};
const beginSchema = {
  operationId: 'beginSingleSignOn',
  tags,
  summary: 'Start single sign-on',
  description: 'Uses OpenID Connect: authorization code with PKCE, state and nonce.',
  response: { 302: emptyAnswer('Redirects to the issuer.', LOCATION), 401: REFUSED },
};
const endSchema = {
  operationId: 'endSingleSignOn',
  tags,
  summary: 'Complete single sign-on',
  description:
    'The issuer redirects the browser here. Its verified email must belong to an operator. The response sets the session cookie. Signing in never creates an operator.',
  response: { 200: PAGE, 401: REFUSED },
};

type SignInDeps = {
  config: Config;
  db: Db;
  clock: Clock;
  jobs: Jobs;
  messaging: Messaging;
  identityProvider: IdentityProvider | undefined;
  tokens: Pick<TokenSealer, 'sealLink'>;
};

/** /console/operator/sign-in, /link/{token} and /openid. */
export function operatorSignInRoutes(http: Http, deps: SignInDeps): void {
  const { config, db, clock, identityProvider } = deps;
  const security = formPageSecurity(config.baseUrl);
  const ways = { hasEmail: deps.messaging.mailer !== undefined, hasOpenid: identityProvider !== undefined };
  const readOptions = { config: { public: true, refuses: ['rate_limited'] } as const, security };
  const refuses = ['cross_site_request', 'sign_in_refused', 'rate_limited', 'not_ready'] as const;
  const asks = ['cross_site_request', 'rate_limited', 'not_ready'] as const;
  const askOptions = { config: { public: true, refuses: asks } as const, security };
  const formOptions = { config: { public: true, refuses } as const, security };

  const sendPage = (reply: FastifyReply, text: string) =>
    reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(text) as never;

  async function refuse(request: FastifyRequest, reply: FastifyReply, problem: SignInProblem) {
    if (prefersJson(request.headers.accept)) throw new Refusal('sign_in_refused', SIGN_IN_PROBLEMS[problem]);
    return sendPage(reply.code(401), signInPage(await operatorFrame(config), ways, problem));
  }

  /** Opens the session of an operator in this browser, and ends the sign-in. */
  async function open(request: FastifyRequest, reply: FastifyReply, operatorId: string): Promise<void> {
    const now = clock.now();
    const device = String(request.headers['user-agent'] ?? '').slice(0, MAX_DEVICE);
    const opened = await openOperatorSession(db, operatorId, { device, at: now });
    const cookie = sessionCookie(opened.token, { now, expiresAt: opened.expiresAt }, config.baseUrl);
    reply.header('set-cookie', [cookie, browserCookie('', config.baseUrl)]);
  }

  http.get('/console/operator/sign-in', { schema: pageSchema, ...readOptions }, async (_request, reply) =>
    sendPage(reply, signInPage(await operatorFrame(config), ways)),
  );

  http.get('/console/operator/link/:token', { schema: linkSchema, ...readOptions }, async (_request, reply) =>
    sendPage(reply, linkPage(await operatorFrame(config))),
  );

  withForms(http, (scope) => {
    scope.post('/console/operator/sign-in', { schema: askSchema, ...askOptions }, async (request, reply) => {
      refuseCrossSite(request, config.baseUrl);
      const requested = { client: request.client.name, email: request.body.email.trim().toLowerCase() };
      if (ways.hasEmail) {
        reply.header('set-cookie', browserCookie(await askForSignInLink(deps, requested), config.baseUrl));
      }
      return sendPage(reply, linkSentPage(await operatorFrame(config)));
    });

    scope.post('/console/operator/link/:token', { schema: useSchema, ...formOptions }, async (request, reply) => {
      refuseCrossSite(request, config.baseUrl);
      const hashes = { tokenHash: sha256(request.params.token), browserHash: sha256(browserOf(request) ?? '') };
      const operatorId = await takeSignInLink(db, hashes, clock.now());
      if (operatorId === undefined) return refuse(request, reply, 'link');
      await open(request, reply, operatorId);
      const { base } = await operatorFrame(config);
      return reply.headers(PAGE_HEADERS).code(303).header('location', `${base}/console/operator`).send(undefined);
    });
  });

  http.get('/console/operator/openid', { schema: beginSchema, ...formOptions }, async (request, reply) => {
    const browser = randomId('', BROWSER_BYTES);
    const url = await identityProvider?.authorizationUrl(signInSecrets(browser)).catch(unreachable);
    if (url === undefined) return refuse(request, reply, 'issuer');
    reply.headers({ ...PAGE_HEADERS, 'set-cookie': browserCookie(browser, config.baseUrl) });
    return reply.code(302).header('location', url).send(undefined);
  });

  http.get('/console/operator/openid/callback', { schema: endSchema, ...formOptions }, async (request, reply) => {
    const browser = browserOf(request);
    if (browser === undefined || !identityProvider) return refuse(request, reply, 'openid');
    const query = request.url.split('?')[1] ?? '';
    const answer = await identityProvider
      .verifiedEmail(query, signInSecrets(browser))
      .then((email) => ({ email }))
      .catch(unreachable);
    if (!answer) return refuse(request, reply, 'issuer');
    const operator = answer.email === undefined ? undefined : await findOperatorByEmail(db, answer.email);
    if (!operator) return refuse(request, reply, 'openid');
    await open(request, reply, operator.operatorId);
    return sendPage(reply, signedInPage(await operatorFrame(config)));
  });
}

function unreachable(error: unknown): undefined {
  if (!(error instanceof OutsideError)) throw error;
}

/** The random text of the browser that began a sign-in. */
const browserOf = ({ headers }: FastifyRequest) => parseCookie(headers.cookie ?? '')[COOKIE] || undefined;

/** `lax`: the issuer's redirect back must bring the cookie. An empty text deletes it. */
function browserCookie(browser: string, baseUrl: string): string {
  return stringifySetCookie({
    name: COOKIE,
    value: browser,
    maxAge: browser === '' ? 0 : MINUTES * 60,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
  });
}
