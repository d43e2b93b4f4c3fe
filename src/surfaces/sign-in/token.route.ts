import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { dynamicSecret, readRegistration, registerDynamicClient } from '../../access/customers/client.ts';
import { type SignInSite, scopeText } from '../../access/customers/customer.ts';
import { authenticateClient, type ClientDeps, type ClientProof } from '../../access/customers/find-client.flow.ts';
import {
  ACCESS_SECONDS,
  exchangeCode,
  refreshTokens,
  revokeToken,
  type TokenPair,
} from '../../access/customers/give-tokens.flow.ts';
import { type OauthCode, OauthError } from '../../access/customers/oauth-error.ts';
import type { Config } from '../../platform/config/config.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { limitPerMinute } from '../../platform/load/rate-limit.ts';
import { requireSite } from './metadata.route.ts';
import { SEND_GRANT_MAIL } from './send-letters.job.ts';

/* Endpoints for programs without a browser: tokens, revocation (RFC 7009) and registration (RFC 7591). */

const PER_CLIENT = 600;
const PER_TOKEN = 20;
const WRONG_SECRETS = 10;
const REGISTRATIONS = 30;

const MAX_SENT = 8000;
const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));
const CLIENT_FIELDS = {
  client_id: text(2000, "The client's ID, unless another part of the request contains it."),
  client_secret: text(200, 'The secret of a client that has one and sends no `Authorization`.'),
  client_assertion_type: text(200, '`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.'),
  client_assertion: text(MAX_SENT, 'A JWT signed by the client (RFC 7523).'),
};
const TokenFields = Type.Object({
  grant_type: text(100, '`authorization_code` or `refresh_token`.'),
  code: text(200, "The redirect's code."),
  redirect_uri: text(2000, 'The redirect URI of the request for the code.'),
  code_verifier: text(200, 'Of PKCE.'),
  refresh_token: text(200, "The last response's token."),
  scope: text(1000, 'A narrower scope, for a refresh.'),
  resource: text(2000, 'As in the request for the code.'),
  ...CLIENT_FIELDS,
});
const RevokeFields = Type.Object({ token: text(200, 'To revoke.'), token_type_hint: text(40, ''), ...CLIENT_FIELDS });
type ClientFields = { [Name in keyof typeof CLIENT_FIELDS]?: string | undefined };

const FAILURE = Type.Object({ error: Type.String(), error_description: Type.String() });
const failure = (description: string, more: object = {}) => ({
  description,
  content: { 'application/json': { schema: FAILURE } },
  ...more,
});
const FAILURES = {
  400: failure('The error (RFC 6749, section 5.2).'),
  401: failure('`invalid_client`: unknown, removed, or not authenticated.', {
    headers: { 'WWW-Authenticate': { type: 'string', description: '`Basic`.' } },
  }),
};
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const tags = ['Sign-in'];
const consumes = ['application/x-www-form-urlencoded'];
const tokenSchema = {
  operationId: 'giveTokens',
  tags,
  consumes,
  summary: 'Exchange a code or a refresh token',
  description:
    'An access token is valid for one day. A public client gets a new refresh token each time. Reusing an old one after more than 30 seconds ends the connection.',
  example: {
    body: {
      grant_type: 'authorization_code',
      client_id: '{client_id}',
      code: '{code}',
      redirect_uri: 'https://app.example/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
  },
  body: TokenFields,
  response: {
    200: Type.Object(
      {
        access_token: Type.String(),
        token_type: Type.Literal('Bearer'),
        expires_in: Type.Integer({ format: 'int32', description: 'Seconds.' }),
        refresh_token: Type.String(),
        scope: Type.String({ description: 'The granted scopes.' }),
      },
      { description: 'The tokens.' },
    ),
    ...FAILURES,
  },
};
const revokeSchema = {
  operationId: 'revokeToken',
  tags,
  consumes,
  summary: 'Revoke a token',
  description: 'A refresh token ends its connection and its access tokens. An unknown token gets the same response.',
  example: { body: { client_id: '{client_id}', token: '{refresh_token}' } },
  body: RevokeFields,
  response: { 200: Type.Object({}, { description: 'The token is no longer valid.' }), ...FAILURES },
};
const registerSchema = {
  operationId: 'registerClient',
  tags,
  summary: 'Register a client',
  description: 'For clients without their own document (RFC 7591). Nothing is stored: the ID contains the data.',
  example: {
    body: {
      redirect_uris: ['https://app.example/callback'],
      client_name: 'Helper',
      token_endpoint_auth_method: 'none',
    },
  },
  body: Type.Object(
    {
      redirect_uris: Type.Optional(
        Type.Array(Type.String(), { maxItems: 100, description: 'The first ten allowed URIs are registered.' }),
      ),
      client_name: text(1000, 'Up to 80 characters are used.'),
      token_endpoint_auth_method: text(40, '`none`, `client_secret_basic` or `client_secret_post`.'),
    },
    { additionalProperties: true },
  ),
  response: {
    201: Type.Object({}, { additionalProperties: true, description: 'The registered client.' }),
    400: FAILURES[400],
  },
};

export type ProgramDeps = ClientDeps & { config: Config; jobs: Jobs; trackingSites: Pick<TrackingSites, 'ownHosts'> };

/** POST /oauth/token, /oauth/revoke and /oauth/register. */
export function programRoutes(http: Http, deps: ProgramDeps): void {
  const { clock, tokens, jobs } = deps;
  const countClient = limitPerMinute(PER_CLIENT, clock, `Limit: ${PER_CLIENT} token requests per client and minute.`);
  const countToken = limitPerMinute(PER_TOKEN, clock, `Limit: ${PER_TOKEN} requests per token and minute.`);
  const countWrong = limitPerMinute(WRONG_SECRETS, clock, `Limit: ${WRONG_SECRETS} incorrect secrets per minute.`);
  const countNew = limitPerMinute(REGISTRATIONS, clock, `Limit: ${REGISTRATIONS} registrations per minute.`);
  const refuses = ['route_not_found', 'rate_limited', 'not_ready'] as const;
  // Hosts of agents call for all their customers from few addresses: right calls are not counted by address.
  const common = {
    config: { public: true, countsCallers: true, refuses },
    errorHandler: refusing('invalid_request'),
  } as const;

  /** The client of a request; counts wrong proofs by address. */
  async function proveClient(request: FastifyRequest, site: SignInSite, fields: ClientFields, isRefresh = false) {
    const proof = readProof(request.headers.authorization, fields);
    try {
      const proven = await authenticateClient(deps, site, proof, isRefresh);
      // Anyone can name a client that proves nothing, so such requests count for their address too.
      const from = proven.isConfidential ? '' : ` ${request.client.name}`;
      countClient(`${site.accountId} ${proven.client.clientId}${from}`);
      return proven;
    } catch (error) {
      if (error instanceof OauthError) countWrong(request.client.name);
      throw error;
    }
  }

  withForms(http, (scope) => {
    scope.post('/oauth/token', { schema: tokenSchema, ...common }, async (request) => {
      const { body } = request;
      const site = requireSite(deps, request);
      const isRefresh = body.grant_type === 'refresh_token';
      if (!isRefresh && body.grant_type !== 'authorization_code') {
        throw new OauthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
      }
      const proven = await proveClient(request, site, body, isRefresh);
      if (!isRefresh) {
        const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '', resource } = body;
        return tokensOf(await exchangeCode(deps, site, proven, { code, redirectUri, verifier, resource }));
      }
      const { refresh_token: refreshToken = '', scope: narrower } = body;
      countToken(refreshToken);
      const onTheft: Parameters<typeof refreshTokens>[0]['onTheft'] = async (tx, { grantId, mode }) => {
        if (mode === 'live') await jobs.enqueue(tx, SEND_GRANT_MAIL, { grantId, kind: 'ended' });
      };
      return tokensOf(await refreshTokens({ ...deps, onTheft }, site, proven, { refreshToken, scope: narrower }));
    });
    scope.post('/oauth/revoke', { schema: revokeSchema, ...common }, async (request) => {
      const site = requireSite(deps, request);
      const { client } = await proveClient(request, site, request.body, true);
      await revokeToken(deps, site, client, request.body.token ?? '');
      return {};
    });
  });

  const registering = {
    schema: registerSchema,
    config: { public: true, refuses },
    errorHandler: refusing('invalid_client_metadata'),
  } as const;
  http.post('/oauth/register', registering, async (request, reply) => {
    const site = requireSite(deps, request);
    countNew(request.client.name);
    const wanted = readRegistration(request.body);
    if ('error' in wanted) throw new OauthError(wanted.error, wanted.description);
    const registered = registerDynamicClient(tokens, site.accountId, wanted, clock.now());
    if (!registered) throw new OauthError('invalid_redirect_uri', 'The redirect_uris are too long.');
    const { clientId, redirectUris } = registered;
    reply.code(201);
    return {
      client_id: clientId,
      client_id_issued_at: Math.floor(clock.now().epochMilliseconds / 1000),
      ...(wanted.method !== 'none' && { client_secret: dynamicSecret(tokens, clientId) }),
      client_secret_expires_at: 0,
      redirect_uris: redirectUris,
      client_name: wanted.name,
      token_endpoint_auth_method: wanted.method,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
  });
}

function tokensOf({ accessToken, refreshToken, scopes }: TokenPair) {
  return {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: ACCESS_SECONDS,
    refresh_token: refreshToken,
    scope: scopeText(scopes),
  };
}

/** Sends an error of the protocol; `code` is for an unreadable request. */
const refusing = (code: OauthCode) => (error: Error, _request: FastifyRequest, reply: FastifyReply) => {
  const isUnread = error instanceof Refusal && error.code === 'invalid_request';
  const known = isUnread ? new OauthError(code, error.message) : error;
  if (!(known instanceof OauthError)) throw error;
  if (known.code === 'invalid_client') reply.code(401).header('www-authenticate', 'Basic realm="oauth"');
  else reply.code(400);
  return reply.send({ error: known.code, error_description: known.message });
};

/** Characters of an `Authorization` header: an ID of 1,500 and a secret, in Base64. */
const MAX_AUTHORIZATION = 4096;

/** Reads the client credentials of a request: up to one way. */
function readProof(authorization: string | undefined, fields: ClientFields): ClientProof {
  const { client_id: clientId = '', client_secret: secret, client_assertion: assertion } = fields;
  const header = (authorization ?? '').length > MAX_AUTHORIZATION ? '' : authorization;
  const basic = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1];
  const ways = [basic, secret, assertion].filter((way) => way !== undefined);
  if (ways.length > 1) throw new OauthError('invalid_request', 'Authenticate the client with one method only.');
  if (assertion !== undefined && fields.client_assertion_type !== ASSERTION) {
    throw new OauthError('invalid_client', `client_assertion_type is ${ASSERTION}.`);
  }
  if (basic === undefined) return { clientId, secret, assertion };
  const [id = '', password = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':', 2).map(decodeField);
  if (clientId !== '' && clientId !== id) throw new OauthError('invalid_request', 'The request names two clients.');
  return { clientId: id, secret: password };
}

/** Both parts of Basic are form-encoded (RFC 6749, section 2.3.1); texts that are not stay as they are. */
function decodeField(sent: string): string {
  try {
    return decodeURIComponent(sent.replaceAll('+', ' '));
  } catch {
    return sent;
  }
}
