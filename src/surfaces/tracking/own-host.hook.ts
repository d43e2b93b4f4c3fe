import { Type } from 'typebox';
import { findBrandingByHost, type OwnHost } from '../../access/accounts/brandings.db.ts';
import { HOST_PROOF_PATH, hostProof, isChallenge } from '../../access/accounts/host-proof.ts';
import { hostSiteUrl } from '../../access/accounts/tracking-site.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { SignInSite } from '../../access/customers/customer.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { hostNameOf } from './brand.ts';
import { findTracked } from './find-tracked.flow.ts';
import { helpLinks } from './order-sections.ts';
import { beginPage } from './site-page.hook.ts';
import { frontPage } from './tracking.page.ts';

/* Accounts' own hosts: the paths of each, its first page, and the proof that it leads to this service. */

type OwnHosts = Pick<TrackingSites, 'ownHosts'>;

/** Paths of an account's own host: its tracking pages, the checkout, its shop, and UCP's paths. */
const OWN_PATHS =
  /^\/(tracking$|tracking\/|t\/|checkout\/|s\/|cart\/|orders$|sitemap\.xml$|robots\.txt$|shop\/assets\/|\.well-known\/(?:ucp|apple-developer-merchantid-domain-association)$|ucp\/(?!draft)|$)/;

/** Paths that an account's own host has while its shop is on: the sign-in of its customers, and the pages behind it. */
const SIGN_IN_PATHS = /^\/(oauth\/|connections$|profile$|mcp$|\.well-known\/oauth-)/;

/**
 * Whether an endpoint is hidden at the host. An account's own host serves only that account's pages; until it is
 * verified, only `/` and the challenge.
 */
export function isHiddenAt(sites: OwnHosts, host: string | undefined, url: string | undefined): boolean {
  const own = ownHostOf(sites, host);
  if (!own) return false;
  if (!own.isVerified) return url !== '/' && url !== HOST_PROOF_PATH;
  if (SIGN_IN_PATHS.test(url ?? 'none')) return own.shop === null;
  return !OWN_PATHS.test(url ?? 'none');
}

/** The site where customers sign in: an account's own host whose shop is on, in the mode of the shop. */
export function signInSiteAt(
  sites: OwnHosts,
  { trackingUrl }: Pick<Config, 'trackingUrl'>,
  header: string | undefined,
): SignInSite | undefined {
  const own = ownHostOf(sites, header);
  if (!own?.isVerified || own.shop === null) return undefined;
  const host = hostNameOf(header);
  return { accountId: own.accountId, mode: own.shop, host, issuer: hostSiteUrl(host, trackingUrl) };
}

function ownHostOf(sites: OwnHosts, host: string | undefined): OwnHost | undefined {
  const hosts = sites.ownHosts();
  return hosts.size > 0 ? hosts.get(hostNameOf(host)) : undefined;
}

/** For the person who sets the host up; customers have no link to it yet. */
const BEING_SET_UP =
  '<!doctype html><html lang="en"><title>Being set up</title><p>This address is being set up.</p></html>\n';

type OwnHostDeps = { trackingSites: OwnHosts; config: Config; db: Db; tokens: TokenSealer };

/** Serves a short page with the account's brand at `/` of the account's own host. */
export function answerOwnHosts(http: Http, deps: OwnHostDeps): void {
  http.addHook('onRoute', (route) => {
    if (route.url !== '/') return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const { headers, query } = request;
      const own = ownHostOf(deps.trackingSites, headers.host);
      if (!own) return handler.call(this, request, reply);
      if (!own.isVerified) {
        return reply.type('text/html; charset=utf-8').send(BEING_SET_UP);
      }
      const { lang } = query as { lang?: unknown };
      const visit = await findTracked(deps, headers, typeof lang === 'string' ? { lang } : {});
      const frame = await beginPage(deps, visit, reply);
      return reply.send(frontPage(frame, visit.branding ? helpLinks(visit.branding, visit.locale) : null));
    };
  });
}

const schema = {
  operationId: 'proveTrackingHost',
  summary: "Verify that an account's custom domain leads to this service",
  description: "Available only at accounts' custom domains. Any other host returns 404.",
  example: { query: { challenge: 'kJ8dV2mQ0xT5aZ3n' } },
  querystring: Type.Object({
    challenge: Type.Optional(Type.String({ description: '16 to 64 letters, digits, `-` and `_` of your choice.' })),
  }),
  response: {
    200: contentAnswer('A proof for the challenge at this host that only this service can create.', ['text/plain']),
  },
};

/** GET /tracking/host, the domain verification challenge, answered only at tracking hosts of accounts. */
export function hostProofRoute(http: Http, { db, tokens }: { db: Db; tokens: TokenSealer }): void {
  const config = { public: true, refuses: ['route_not_found', 'not_ready'] } as const;
  http.get(HOST_PROOF_PATH, { schema, config }, async ({ query, headers }, reply) => {
    const { challenge = '' } = query;
    const host = hostNameOf(headers.host);
    const isKnown = isChallenge(challenge) && host !== '' && (await findBrandingByHost(db, host));
    if (!isKnown)
      throw new Refusal('route_not_found', "This isn't an account's custom domain, or there is no challenge.");
    return reply.type('text/plain').send(hostProof(tokens, host, challenge));
  });
}
