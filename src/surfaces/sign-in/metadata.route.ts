import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { displayNameOf } from '../../access/accounts/branding.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { findAgentRules } from '../../access/customers/agent-rules.db.ts';
import { CUSTOMER_SCOPES, RESOURCE_PATHS, type SignInSite, scopeText } from '../../access/customers/customer.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { signInSiteAt } from '../tracking/own-host.hook.ts';

/* The documents that lead programs to the sign-in of a site: its server (RFC 8414) and its resources (RFC 9728). */

const AUTH_METHODS = ['none', 'private_key_jwt', 'client_secret_basic', 'client_secret_post'];
const SIGNING = ['RS256', 'PS256', 'ES256'];
const SCOPES = scopeText(CUSTOMER_SCOPES).split(' ');

type Deps = { db: Db; config: Config; trackingSites: Pick<TrackingSites, 'ownHosts'> };

/** The site of a request; refuses with route_not_found at every other host. */
export function requireSite(
  { trackingSites, config }: Omit<Deps, 'db'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): SignInSite {
  const site = signInSiteAt(trackingSites, config, headers.host);
  if (!site) throw new Refusal('route_not_found', 'This host has no sign-in.');
  return site;
}

const serverOf = ({ issuer }: SignInSite, { baseUrl }: Config, isListed: boolean) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  ...(!isListed && { registration_endpoint: `${issuer}/oauth/register` }),
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  token_endpoint_auth_signing_alg_values_supported: SIGNING,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: SIGNING,
  scopes_supported: SCOPES,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${baseUrl}/docs/sign-in`,
  ui_locales_supported: LANGUAGES,
});

const describe = (operationId: string, summary: string, description: string) => ({
  operationId,
  summary,
  description: `${description} Available at an account's custom domain if its shop is on. Any other host returns 404.`,
  response: { 200: Type.Object({}, { additionalProperties: true, description: 'The metadata.' }) },
});

export function metadataRoutes(http: Http, deps: Deps): void {
  const config = { public: true, refuses: ['route_not_found', 'not_ready'] } as const;
  const send = (reply: FastifyReply, document: object) =>
    reply.allowCaching('public, max-age=3600').type('application/json').send(document) as never;
  const schema = describe('readAuthorizationServer', 'The authorization server of a site', 'RFC 8414.');
  http.get('/.well-known/oauth-authorization-server', { schema, config }, async (request, reply) => {
    const site = requireSite(deps, request);
    const { isListed } = await findAgentRules(deps.db, site.accountId);
    return send(reply, serverOf(site, deps.config, isListed));
  });
  for (const path of RESOURCE_PATHS) {
    if (deps.config.ucp === 'off' && path.startsWith('/ucp')) continue;
    const suffix = path.replaceAll('/', ' ').replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
    const of = path === '' ? 'A site as a protected resource' : `\`${path}\` of a site as a protected resource`;
    const resourceSchema = describe(`readProtectedResource${suffix}`, of, 'RFC 9728.');
    http.get(
      `/.well-known/oauth-protected-resource${path}`,
      { schema: resourceSchema, config },
      async (request, reply) => {
        const { issuer, accountId } = requireSite(deps, request);
        return send(reply, {
          resource: `${issuer}${path}`,
          authorization_servers: [issuer],
          scopes_supported: SCOPES,
          bearer_methods_supported: ['header'],
          resource_name: displayNameOf(await findBranding(deps.db, accountId)),
        });
      },
    );
  }
}
