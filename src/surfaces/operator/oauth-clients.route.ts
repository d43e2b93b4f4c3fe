import { Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import { findAgentRules, saveAgentRules } from '../../access/customers/agent-rules.db.ts';
import { isAllowedHost } from '../../access/customers/agent-rules.ts';
import { isRedirect } from '../../access/customers/client.ts';
import { insertClient, listClients, removeClient, rotateSecret } from '../../access/customers/clients.db.ts';
import { CUSTOMER_SCOPES, scopeText } from '../../access/customers/customer.ts';
import { listGrantHosts, revokeGrants } from '../../access/customers/grants.db.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { describedObject, flag } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { AccountParams, accountNotFound } from './accounts.route.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';

/* Programs that the operator registers with an account, for hosts of agents that want an ID and a secret typed in. */

const SECRET_BYTES = 32;
const ID_BYTES = 12;
/** Days the secret before a rotation stays valid. */
const OVERLAP_DAYS = 7;

const ClientParams = Type.Object({ client_id: Type.String({ maxLength: 64, description: 'A registered app.' }) });
const noClient = () => new Refusal('not_found', 'There is no such app.');
const url = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description });
const SECRET = maybeText('Shown only once. Null if there is none.');

const NewClient = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', description: 'The name shown for consent.' }),
  redirect: Type.Array(url('A redirect URI, matched exactly.'), {
    minItems: 1,
    maxItems: 10,
    description: "The redirect URIs: https, http to the customer's device (`127.0.0.1`), or an app's own scheme.",
  }),
  jwks_uri: Type.Optional(url('The URL of its keys, used for signing instead of a secret.')),
  public: flag('Whether it has no secret and relies on PKCE.'),
});

export const addOauthClientOperation = operation({
  endpoint: 'POST /accounts/:account_id/oauth-clients',
  refuses: ['not_found'],
  summary: "Register an app that an account's customers can authorize",
  description:
    'Use this for agent hosts that require an ID and a secret. Most require neither (`/docs/sign-in`). The secret is shown only once.',
  example: { body: { name: 'Helper', redirect: ['https://app.example/callback'] } },
  params: AccountParams,
  body: NewClient,
  answer: describedObject("The values to enter at the agent's host.", {
    client_id: Type.String(),
    client_secret: SECRET,
    redirect_uris: Type.Array(Type.String()),
    authorization_url: Type.String(),
    token_url: Type.String(),
    revocation_url: Type.String(),
    scope: Type.String(),
  }),
  on: { operator: { command: 'agents add-client <account_id>', role: 'admin' } },
}).run(async (needs: { db: Db; clock: Clock; config: Pick<Config, 'trackingUrl'> }, { save, params, body }) => {
  const { account_id: accountId } = params;
  if (!(await findAccount(needs.db, accountId))) throw accountNotFound();
  const { name, redirect: redirectUris, jwks_uri: jwksUri = null } = body;
  const message = 'must be https, http to 127.0.0.1, or of an app’s own scheme';
  if (!redirectUris.every(isRedirect)) throw invalidField('body', 'redirect', message);
  const secret = jwksUri !== null || body.public === true ? null : randomId('', SECRET_BYTES);
  const clientId = randomId('cli_', ID_BYTES);
  const client = {
    clientId,
    accountId,
    name,
    redirectUris,
    secretHash: secret === null ? null : sha256(secret),
    jwksUri,
  };
  await save(
    (tx, at) => insertClient(tx, client, at),
    () => ({ action: 'oauth_client.add', target: clientId, details: { account_id: accountId, name } }),
  );
  const { siteUrl } = trackingSiteOf(await findBranding(needs.db, accountId), needs.config.trackingUrl);
  return {
    client_id: clientId,
    client_secret: secret,
    redirect_uris: redirectUris,
    authorization_url: `${siteUrl}/oauth/authorize`,
    token_url: `${siteUrl}/oauth/token`,
    revocation_url: `${siteUrl}/oauth/revoke`,
    scope: scopeText(CUSTOMER_SCOPES),
  };
});

export const listOauthClientsOperation = operation({
  endpoint: 'GET /accounts/:account_id/oauth-clients',
  refuses: ['not_found'],
  summary: "List an account's registered apps",
  description: "Excludes apps that registered themselves or use their own document, because they aren't stored.",
  params: AccountParams,
  answer: describedObject('Oldest first.', {
    clients: Type.Array(
      Type.Object({
        client_id: Type.String(),
        name: Type.String(),
        redirect_uris: Type.Array(Type.String()),
        jwks_uri: maybeText("The URL of the app's keys."),
        created_at: moment('When the app was registered.'),
      }),
    ),
  }),
  on: {
    operator: {
      command: 'agents list-clients <account_id>',
      role: 'viewer',
      table: { Name: 'name', ID: 'client_id', Created: 'created_at' },
    },
  },
}).run(async ({ db }: { db: Db }, { params }) => {
  if (!(await findAccount(db, params.account_id))) throw accountNotFound();
  const clients = await listClients(db, params.account_id);
  return {
    clients: clients.map(({ clientId, name, redirectUris, jwksUri, createdAt }) =>
      showRow({ clientId, name, redirectUris: [...redirectUris], jwksUri, createdAt }),
    ),
  };
});

export const rotateOauthSecretOperation = operation({
  endpoint: 'POST /oauth-clients/:client_id/rotate',
  refuses: ['not_found'],
  summary: "Rotate a registered app's secret",
  description: `The previous secret stays valid for ${OVERLAP_DAYS} days.`,
  params: ClientParams,
  body: Type.Object({}),
  answer: describedObject('The secret is shown only once.', { client_id: Type.String(), client_secret: Type.String() }),
  on: { operator: { command: 'agents rotate-secret <client_id>', role: 'admin' } },
}).run(async (_needs: object, { save, params: { client_id: clientId } }) => {
  const secret = randomId('', SECRET_BYTES);
  await save(
    async (tx, at) => {
      const until = at.add({ hours: 24 * OVERLAP_DAYS });
      if (!(await rotateSecret(tx, clientId, sha256(secret), until))) throw noClient();
    },
    () => ({ action: 'oauth_client.rotate', target: clientId, details: {} }),
  );
  return { client_id: clientId, client_secret: secret };
});

export const removeOauthClientOperation = operation({
  endpoint: 'POST /oauth-clients/:client_id/remove',
  refuses: ['not_found'],
  summary: 'Remove a registered app',
  description: 'Immediately ends all of its connections with customers.',
  params: ClientParams,
  body: Type.Object({}),
  answer: describedObject('Every node refuses its tokens immediately.', {
    client_id: Type.String(),
    removed: Type.Literal(true),
  }),
  on: { operator: { command: 'agents remove-client <client_id>', role: 'admin' } },
}).run(async (_needs: object, { save, params: { client_id: clientId } }) => {
  await save(
    async (tx, at) => {
      const accountId = await removeClient(tx, clientId, at);
      if (accountId === undefined) throw noClient();
      await revokeGrants(tx, { clientId, accountId }, at);
    },
    () => ({ action: 'oauth_client.remove', target: clientId, details: {} }),
  );
  return { client_id: clientId, removed: true as const };
});

const hosts = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z\\d.-]{1,253}$', maxLength: 253, description: 'A domain.' }), {
      maxItems: 100,
      description,
    }),
  );

export const setAgentRulesOperation = operation({
  endpoint: 'POST /accounts/:account_id/agents',
  refuses: ['not_found'],
  summary: "Set which apps an account's customers can authorize",
  description:
    'Apps are identified by the domain shown for consent, including its subdomains. Omitted fields stay unchanged. Connections of apps that are no longer allowed end immediately. Apps that you registered are always allowed.',
  example: { body: { agents: 'listed', host: ['chatgpt.com'] } },
  params: AccountParams,
  body: Type.Object({
    agents: Type.Optional(Type.Enum(['any', 'listed'], { description: '`listed`: only the domains in `host`.' })),
    host: hosts('Allowed domains, replacing the previous list.'),
    block: hosts('Blocked domains, replacing the previous list.'),
  }),
  answer: describedObject('The rules that now apply.', {
    agents: Type.Enum(['any', 'listed']),
    host: Type.Array(Type.String()),
    block: Type.Array(Type.String()),
    ended: Type.Integer({ description: 'The number of connections that ended.' }),
  }),
  on: { operator: { command: 'agents allow <account_id>', role: 'admin' } },
}).run(async ({ db }: { db: Db }, { save, params: { account_id: accountId }, body }) => {
  if (!(await findAccount(db, accountId))) throw accountNotFound();
  const before = await findAgentRules(db, accountId);
  const rules = {
    isListed: body.agents === undefined ? before.isListed : body.agents === 'listed',
    hosts: body.host ?? before.hosts,
    blockedHosts: body.block ?? before.blockedHosts,
  };
  let ended = 0n;
  await save(
    async (tx, at) => {
      await saveAgentRules(tx, accountId, rules);
      const registered = new Set((await listClients(tx, accountId)).map(({ clientId }) => clientId));
      const grants = (await listGrantHosts(tx, accountId)).filter(
        ({ clientId, clientHost }) => !registered.has(clientId) && !isAllowedHost(rules, clientHost),
      );
      const grantIds = grants.map(({ grantId }) => grantId);
      if (grantIds.length > 0) ended = await revokeGrants(tx, { grantIds }, at);
    },
    () => ({ action: 'agents.allow', target: accountId, details: { ...body } }),
  );
  const { isListed, hosts: host, blockedHosts: block } = rules;
  return {
    agents: isListed ? ('listed' as const) : ('any' as const),
    host: [...host],
    block: [...block],
    ended: Number(ended),
  };
});
