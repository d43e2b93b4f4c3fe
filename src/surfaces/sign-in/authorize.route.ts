import { html, safeHttpUrl } from 'doorstep/html';
import { Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { MAX_AGENT_ORDER_CENTS } from '../../access/customers/agent-placing.ts';
import { type Client, redirectHost, redirectSource, takesRedirect } from '../../access/customers/client.ts';
import { readResource, readScopes, type SignInSite } from '../../access/customers/customer.ts';
import { type ClientDeps, findClient, type NoClient } from '../../access/customers/find-client.flow.ts';
import { type AuthorizeRequest, grantCode } from '../../access/customers/give-tokens.flow.ts';
import { listGrants } from '../../access/customers/grants.db.ts';
import { type OauthCode, OauthError } from '../../access/customers/oauth-error.ts';
import { readAmount } from '../../ordering/money/offered-tips.ts';
import { emptyAnswer } from '../../platform/http/content-answers.ts';
import type { FormAnswer } from '../../platform/http/form-page.ts';
import type { Http } from '../../platform/http/http.ts';
import { SEND_GRANT_MAIL } from './send-letters.job.ts';
import { type ClientFault, clientFaultPage, consentPage } from './sign-in.page.ts';
import { type SentFields, type SignedInVisit, type SignInDeps, signInForm } from './sign-in-form.route.ts';

/*
 * GET and POST /oauth/authorize: a customer approves a client's request. A wrong client or redirect is a page here and
 * never a redirect; any other error goes back to the client.
 */

const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));
const QUERY = {
  response_type: text(40, '`code`.'),
  client_id: text(2000, "The client document's URL, or a registered client's ID."),
  redirect_uri: text(2000, 'One of the client’s redirect URIs, matched exactly.'),
  code_challenge: text(200, 'The PKCE challenge (RFC 7636).'),
  code_challenge_method: text(20, '`S256`.'),
  state: text(4000, 'Returned unchanged.'),
  scope: text(1000, 'Scopes separated by spaces. Defaults to the usual scopes.'),
  resource: text(2000, 'The URL of the site or one of its services (RFC 8707).'),
  ui_locales: text(200, 'The preferred page languages.'),
  user_locale: text(40, "The pages' language."),
  login_hint: text(254, 'The email or phone number to prefill.'),
  prompt: text(40, 'Consent is always requested.'),
};
type Query = { [Name in keyof typeof QUERY]?: string | undefined };

/** The parsed authorization request: where it may return to, and its question. */
type Found = { targets: readonly string[]; hint: string } & (
  | { fault: ClientFault }
  | { client: Client; back: Back; request: WantedGrant | OauthError }
);
type WantedGrant = Omit<AuthorizeRequest, 'maxOrderCents'>;
type Back = { redirectUri: string; state: string | undefined; issuer: string };

const CHALLENGE = /^[\w-]{43}$/;
const FAULTS: Readonly<Record<NoClient, ClientFault>> = {
  unknown: 'unknownApp',
  unreadable: 'unreadableApp',
  secret: 'secretApp',
  blocked: 'blockedApp',
};

export function authorizeRoutes(http: Http, deps: SignInDeps & ClientDeps): void {
  signInForm(http, deps, {
    path: '/oauth/authorize',
    query: QUERY,
    answers: { 303: emptyAnswer('Redirects to the client, or to the next step.', LOCATION) },
    shows: {
      operationId: 'authorizeClient',
      summary: 'Open the page for signing in and authorizing an app',
      description: "Uses OAuth 2.1 with PKCE, at an account's custom domain if its shop is on.",
      example: { query: EXAMPLE },
    },
    takes: {
      operationId: 'submitAuthorizeForm',
      summary: 'Submit a contact, a code or the consent',
      description:
        "The page's forms send this request. Consent redirects to the client with a `code`, which it exchanges at `/oauth/token`.",
      example: { query: EXAMPLE, body: { csrf: '{csrf}', step: 'allow' } },
      next: 'Redirects to the next step, or to the client.',
    },
    prepare: (site, query) => readRequest(deps, site, query),
    refuse(found, frame) {
      if ('fault' in found) return { status: 400, html: clientFaultPage(frame, found.fault) };
      const { request, back } = found;
      return request instanceof OauthError ? sendBack(back, request.code, request.message) : undefined;
    },
    hintOf: ({ hint }) => hint,
    show: async (visit) => showConsent(visit, await placesOrders(deps, visit)),
    take: (visit, sent) => takeConsent(deps, visit, sent),
  });
}

/** The pair of RFC 7636, appendix B. */
const EXAMPLE = {
  response_type: 'code',
  client_id: '{client_id}',
  redirect_uri: 'https://app.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
const LOCATION = { Location: { type: 'string', description: "The browser's next page." } };

/** Reads a request. `iss` of a response tells the client which server it came from (RFC 9207). */
async function readRequest(deps: ClientDeps, site: SignInSite, query: Query): Promise<Found> {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', login_hint: hint = '', state } = query;
  const client = await findClient(deps, site, clientId, { redirectUri });
  if (typeof client === 'string') return { fault: FAULTS[client], targets: [], hint };
  if (!takesRedirect(client, redirectUri)) return { fault: 'unknownApp', targets: [], hint };
  const back = { redirectUri, state, issuer: site.issuer };
  const request = checkRequest(site, redirectUri, query);
  return { client, back, request, targets: [redirectSource(redirectUri)], hint };
}

function checkRequest(site: SignInSite, redirectUri: string, query: Query): WantedGrant | OauthError {
  if (query.response_type !== 'code') return new OauthError('unsupported_response_type', 'response_type is code.');
  const codeChallenge = query.code_challenge ?? '';
  if (query.code_challenge_method !== 'S256' || !CHALLENGE.test(codeChallenge)) {
    return new OauthError('invalid_request', 'Send a code_challenge with the code_challenge_method S256.');
  }
  const resource = readResource(site, query.resource);
  if (resource === undefined) return new OauthError('invalid_target', 'The resource does not belong to this site.');
  return { redirectUri, codeChallenge, scopes: readScopes(query.scope), resource };
}

/** A redirect with the fields of a response, after its own fields. */
function redirectTo({ redirectUri, state, issuer }: Back, members: Readonly<Record<string, string>>): FormAnswer {
  const query = new URLSearchParams({ ...members, ...(state !== undefined && { state }), iss: issuer });
  return { location: `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}` };
}

const sendBack = (back: Back, error: OauthCode, description: string) =>
  redirectTo(back, { error, error_description: description });

type Consent = { client: Client; back: Back; request: WantedGrant };

/** Only a request that nothing is wrong with gets this far. */
function consentOf(found: Found): Consent {
  if ('fault' in found || found.request instanceof OauthError)
    throw new Error('a refused request is found for consent');
  return { client: found.client, back: found.back, request: found.request };
}

/** Whether the client may be allowed to place orders: it asks, and the account lets agents place. */
async function placesOrders({ db }: SignInDeps, { prepared, site }: SignedInVisit<Found>): Promise<boolean> {
  if (!consentOf(prepared).request.scopes.includes('checkout:complete')) return false;
  return (await findAccount(db, site.accountId))?.agentOrders === 'place';
}

/** Shows the consent; with a limit that could not be read, again. */
function showConsent(visit: SignedInVisit<Found>, mayPlace: boolean, wrongLimit?: string): { html: string } {
  const { page, prepared, customer, branding } = visit;
  const { client, request, back } = consentOf(prepared);
  const { finish } = page.frame.locale.words.checkout;
  const [terms, privacy] = [safeHttpUrl(branding?.termsUrl ?? null), safeHttpUrl(branding?.privacyUrl ?? null)];
  const link = (url: string | undefined, label: string) => url && html`<a class="action" href="${url}">${label}</a>`;
  const links = html`${link(terms, finish.terms)}${link(privacy, finish.privacy)}`;
  const isOnDevice = redirectHost(back.redirectUri) === null;
  const consent = { client, isOnDevice, customer, scopes: request.scopes, links };
  return { html: consentPage(page, consent, mayPlace ? { wrongLimit } : undefined) };
}

async function takeConsent(
  deps: SignInDeps,
  visit: SignedInVisit<Found>,
  { step, complete, limit = '' }: SentFields,
): Promise<FormAnswer> {
  const { prepared, customer, site, address } = visit;
  const { client, back, request } = consentOf(prepared);
  if (step === 'deny') return sendBack(back, 'access_denied', 'The customer denied access.');
  if (step !== 'allow') return { location: address };
  const before = await listGrants(deps.db, customer);
  const isPlacing = complete === 'yes' && (await placesOrders(deps, visit));
  const maxOrderCents = isPlacing ? readAmount(limit) || Infinity : null;
  if (maxOrderCents !== null && maxOrderCents > MAX_AGENT_ORDER_CENTS) {
    return { status: 422, ...showConsent(visit, true, limit) };
  }
  const scopes = request.scopes.filter((scope) => scope !== 'checkout:complete' || maxOrderCents !== null);
  const { code, grantId } = await grantCode(deps, customer, client, { ...request, scopes, maxOrderCents });
  const isFirst = before.every(({ clientId }) => clientId !== client.clientId);
  if (isFirst && site.mode === 'live')
    await deps.jobs.enqueue(deps.db, SEND_GRANT_MAIL, { grantId, kind: 'connected' });
  return redirectTo(back, { code });
}
