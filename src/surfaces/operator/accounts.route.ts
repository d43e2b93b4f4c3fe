import { type Static, Type } from 'typebox';
import { AGENT_ORDERS, KEY_SCOPES } from '../../access/accounts/account.ts';
import { findAccount, listKeys, renameAccount, revokeKey } from '../../access/accounts/accounts.db.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { createAccount, issueKey, issuePublishableKey } from '../../access/accounts/issue-key.flow.ts';
import { MAX_ORIGINS, parseOrigin } from '../../access/accounts/publishable-key.ts';
import type { AccountPermissions } from '../../access/budgets/account-limits.db.ts';
import { DECLINE_KINDS, type LimitKind, MIN_DECLINE_LIMIT } from '../../access/budgets/budget.ts';
import { readBudgets } from '../../access/budgets/read-budgets.flow.ts';
import { operation } from '../../access/operations/operation.ts';
import { setAccountSettings } from '../../notify/messages/set-limits.flow.ts';
import { listBreakers } from '../../ordering/payments/declines.db.ts';
import { BUDGET_KINDS, type Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { describedObject, flag, optionalText } from '../../platform/http/api-components.ts';
import { BEFORE, cutPage, listCursor, NEXT, readBefore } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { UNLIMITED } from '../../platform/lib/parse-setting.ts';
import { UNPRINTABLE } from '../../platform/lib/plain-text.ts';
import {
  AccountLimitsSchema,
  AccountSchema,
  KeySchema,
  ListedAccountSchema,
  NewKeySchema,
  presentAccountLimits,
  ScopeSchema,
} from './accounts-schema.ts';
import { KEY_MODES, showRow } from './field-schemas.ts';
import { type ListedAccount, listEndpoints, listNewestAccounts } from './operator-lists.db.ts';
import { ACCOUNTS, KEYS } from './tables.ts';

/** Operator endpoints that list and change accounts, API keys and limits. */

type Deps = { db: Db; clock: Clock; config: Config };

const PAGE_SIZE = 50;

export const AccountParams = Type.Object({ account_id: Type.String({ maxLength: 64, description: 'An account.' }) });

export const accountNotFound = () => new Refusal('not_found', 'There is no such account.');

const NameSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, description: "The account's name, on one line." }),
});

export const listAnyAccountsOperation = operation({
  endpoint: 'GET /accounts',
  summary: 'List accounts, newest first',
  description: "Returns 50 per page. `next` is the next page's `before`.",
  example: { query: { query: 'Demo' } },
  query: Type.Object({ query: optionalText(200, 'The beginning of a name or ID.'), before: BEFORE }),
  answer: Type.Object({ accounts: Type.Array(ListedAccountSchema), next: NEXT }, { description: '50 per page.' }),
  on: { operator: { command: 'accounts list', table: ACCOUNTS, role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { query }) => {
  const before = readBefore(query.before);
  const rows = await listNewestAccounts(db, { search: query.query, before, limit: PAGE_SIZE + 1 });
  const { page, next } = cutPage(rows, PAGE_SIZE, ({ createdAt: at, accountId: id }) => listCursor({ at, id }));
  return { accounts: page.map(presentAccount), next };
});

export const readAnyAccountOperation = operation({
  endpoint: 'GET /accounts/:account_id',
  refuses: ['not_found'],
  summary: 'Get an account with its keys, brand, webhook endpoints and limits',
  description: "The keys' secrets are not shown, because the service doesn't store them.",
  params: AccountParams,
  answer: AccountSchema,
  on: { operator: { command: 'accounts show <account_id>', role: 'viewer' } },
}).run(async (deps: Deps, { params }) => {
  const { db, clock } = deps;
  const account = await findAccount(db, params.account_id);
  if (!account) throw accountNotFound();
  const { accountId } = account;
  const [keys, brand, endpoints, limits] = await Promise.all([
    listKeys(db, { accountId, limit: MAX_KEYS }),
    findBranding(db, accountId),
    listEndpoints(db, accountId),
    readAccountLimits(deps, account, clock.now()),
  ]);
  return {
    ...presentAccount(account),
    limits,
    keys: keys.map(showRow),
    brand: {
      display_name: brand.displayName,
      logo_url: brand.logoUrl,
      from_address: brand.fromAddress,
      bcc_address: brand.bccAddress,
      tracking_host: brand.trackingHost,
      has_favicon: brand.favicon !== null,
    },
    endpoints: endpoints.map(showRow),
  };
});

export const createAccountOperation = operation({
  endpoint: 'POST /accounts',
  summary: 'Create an account',
  description: 'A new account has no keys.',
  example: { body: { name: 'Supper Club' } },
  body: Type.Object({
    ...NameSchema.properties,
    house: flag('`true`: phone orders that stores enter belong to this account. A service has one such account.'),
  }),
  answer: ListedAccountSchema,
  on: { operator: { role: 'admin' } },
}).run(async (_needs: object, { save, body }) => {
  const name = readName(body.name);
  const created = await save(
    async (tx, at) => ({ ...(await createAccount(tx, name, at, body.house)), createdAt: at }),
    ({ accountId }) => ({ action: 'account.create', target: accountId, details: { name } }),
  );
  return presentAccount(created);
});

const presentAccount = ({ accountId, name, createdAt }: ListedAccount) => showRow({ accountId, name, createdAt });

export const renameAccountOperation = operation({
  endpoint: 'POST /accounts/:account_id/name',
  refuses: ['not_found'],
  summary: 'Rename an account',
  description: "Customers see the account's brand, not this name.",
  example: { body: { name: 'Supper Club' } },
  params: AccountParams,
  body: NameSchema,
  answer: ListedAccountSchema,
  on: { operator: { command: 'accounts rename <account_id> <name>', role: 'admin' } },
}).run(async (_needs: object, { save, params, body }) => {
  const name = readName(body.name);
  const renamed = await save(
    async (tx) => {
      const account = await renameAccount(tx, params.account_id, name);
      if (!account) throw accountNotFound();
      return account;
    },
    ({ accountId }) => ({ action: 'account.rename', target: accountId, details: { name } }),
  );
  return presentAccount(renamed);
});

function readName(text: string): string {
  const name = text.trim();
  if (name !== '' && !UNPRINTABLE.test(name)) return name;
  throw invalidField('body', 'name', 'must have letters and no control characters');
}

const KeyBody = Type.Object({
  mode: Type.Enum([...KEY_MODES], { description: 'A live key creates real orders.' }),
  scopes: Type.Optional(
    Type.Array(ScopeSchema, { minItems: 1, maxItems: 3, description: "The key's scopes. Defaults to all." }),
  ),
  origins: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: MAX_ORIGINS,
      description:
        "Creates a publishable key for pages of these origins. Can't be combined with `scopes`. Required for a live key. A sandbox key also works from pages on localhost.",
      examples: [['https://shop.example']],
    }),
  ),
});

export const createKeyOperation = operation({
  endpoint: 'POST /accounts/:account_id/keys',
  refuses: ['not_found'],
  summary: 'Create an API key for an account',
  description: 'The key is shown only once, because the service stores only a hash.',
  example: { body: { mode: 'sandbox' } },
  params: AccountParams,
  body: KeyBody,
  answer: NewKeySchema,
  on: { operator: { role: 'admin' } },
}).run(async (deps: { db: Db; clock: Clock }, { save, params, body }) => {
  const { account_id: accountId } = params;
  const { mode } = body;
  const origins = readOrigins(body);
  const scopes = KEY_SCOPES.filter((scope) => (body.scopes ?? KEY_SCOPES).includes(scope));
  if (!(await findAccount(deps.db, accountId))) throw accountNotFound();
  const { keyId, key } = await save(
    (tx, at) =>
      origins ? issuePublishableKey(tx, accountId, mode, at, origins) : issueKey(tx, accountId, mode, at, scopes),
    (issued) => ({
      action: 'key.create',
      target: issued.keyId,
      details: { account_id: accountId, mode, ...(origins ? { origins } : { scopes }) },
    }),
  );
  return { key_id: keyId, key, mode, ...(origins && { origins }) };
});

/** The origins of a publishable key; undefined for any other key. */
function readOrigins({ mode, scopes, origins }: Static<typeof KeyBody>): string[] | undefined {
  if (origins === undefined) return undefined;
  const refuse = (name: string, message: string) => invalidField('body', name, message);
  if (scopes) throw refuse('scopes', 'is not for a publishable key');
  if (mode === 'live' && origins.length === 0) throw refuse('origins', 'is required for a live publishable key');
  return origins.map((origin, index) => {
    const parsed = parseOrigin(origin);
    if (parsed === undefined)
      throw refuse(`origins[${index}]`, 'must be one origin such as https://shop.example, without *');
    return parsed;
  });
}

export const revokeKeyOperation = operation({
  endpoint: 'POST /keys/:key_id/revoke',
  refuses: ['not_found'],
  summary: "Revoke an account's or a store's key",
  description: 'Requests with the key are refused from now on.',
  params: Type.Object({ key_id: Type.String({ maxLength: 64, description: 'A key.' }) }),
  body: Type.Object({}),
  answer: describedObject('Every node refuses the key within a second.', {
    key_id: Type.String(),
    revoked: Type.Literal(true),
  }),
  on: { operator: { command: 'keys revoke <key_id>', role: 'admin' } },
}).run(async (_needs: object, { save, params }) => {
  const { key_id: keyId } = params;
  await save(
    async (tx, at) => {
      if (!(await revokeKey(tx, keyId, at))) throw new Refusal('not_found', 'There is no such key.');
    },
    () => ({ action: 'key.revoke', target: keyId, details: {} }),
  );
  return { key_id: keyId, revoked: true as const };
});

const MAX_KEYS = 1000;

export const listAnyKeysOperation = operation({
  endpoint: 'GET /keys',
  refuses: ['not_found'],
  summary: 'List the keys of accounts and stores, oldest first',
  description: "The keys' secrets are not shown, because the service doesn't store them.",
  query: Type.Object({ account_id: optionalText(64, "Only this account's keys."), before: BEFORE }),
  answer: Type.Object(
    { keys: Type.Array(KeySchema), next: NEXT },
    { description: 'Includes revoked keys, 1,000 per page.' },
  ),
  on: { operator: { command: 'keys list', table: KEYS, role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { query: { account_id: accountId, before } }) => {
  if (accountId !== undefined && !(await findAccount(db, accountId))) throw accountNotFound();
  const rows = await listKeys(db, { accountId, after: readBefore(before), limit: MAX_KEYS + 1 });
  const { page, next } = cutPage(rows, MAX_KEYS, ({ createdAt: at, keyId: id }) => listCursor({ at, id }));
  return { keys: page.map(showRow), next };
});

const KINDS: readonly LimitKind[] = [...BUDGET_KINDS, ...DECLINE_KINDS];
/** Words that lift a limit or restore its default. */
const WORDS: Readonly<Record<string, number | null>> = { unlimited: UNLIMITED, default: null };

/** The limits' units: declines per hour, all others per day. */
const LIMIT_WORDS: Readonly<Record<LimitKind, string>> = {
  sms: 'SMS of live orders',
  emails: 'Emails of live orders',
  unpaid_orders: 'Live orders placed without a charge',
  directory_lookups: 'Billed place and address lookups with live keys',
  sandbox_directory_lookups: 'The same with sandbox keys',
  unplaced_orders: 'Unplaced orders, in each mode',
  unplaced_bytes: 'Bytes of unplaced orders, in each mode',
  declines_user: 'Declined cards of one user',
  declines_card: 'Declined charges of one card',
  declines_key: 'Declined cards with one live key',
};

const limitFields = (kinds: readonly LimitKind[], period: string, minimum: number) => {
  const limit = (kind: LimitKind) =>
    Type.Union([Type.Integer({ minimum, maximum: 1e12 }), Type.Enum(['unlimited', 'default'])], {
      description: `${LIMIT_WORDS[kind]}, per ${period}. \`default\` is the service's setting.`,
    });
  return Object.fromEntries(kinds.map((kind) => [kind, Type.Optional(limit(kind))]));
};

export const setAccountLimitsOperation = operation({
  endpoint: 'POST /accounts/:account_id/limits',
  refuses: ['not_found'],
  summary: "Set an account's permissions and limits",
  description:
    'Omitted fields stay unchanged. Raising a budget for text messages or emails sends the messages that were over budget and are still useful.',
  example: { body: { limits: { sms: 5000, emails: 'default' } } },
  params: AccountParams,
  body: Type.Object({
    agent_orders: Type.Optional(
      Type.Enum([...AGENT_ORDERS], { description: 'Whether agents place orders themselves.' }),
    ),
    agent_unpaid: flag('Whether agents can quote orders without a charge.'),
    language: Type.Optional(Type.Enum([...LANGUAGES], { description: 'Used if an order names none.' })),
    negative_markup: flag("Whether carts can cost less than their stores' prices."),
    limits: Type.Optional(
      describedObject('The budgets by type.', {
        ...limitFields(BUDGET_KINDS, 'day', 0),
        ...limitFields(DECLINE_KINDS, 'hour', MIN_DECLINE_LIMIT),
      }),
    ),
  }),
  answer: AccountLimitsSchema,
  on: { operator: { command: 'accounts set <account_id>', role: 'admin' } },
}).run(async (deps: Deps, { save, params, body }) => {
  const { db, clock, config } = deps;
  const { account_id: accountId } = params;
  if (!(await findAccount(db, accountId))) throw accountNotFound();
  const { agent_orders, agent_unpaid, negative_markup, language, limits: given } = body;
  const permissions = { negativeMarkup: negative_markup, agentOrders: agent_orders, agentUnpaid: agent_unpaid };
  const limits = new Map(KINDS.flatMap((kind) => limitChange(kind, given?.[kind])));
  await save(
    (tx, at) => setAccountSettings(config, tx, { accountId, ...permissions, language, limits }, at),
    () => ({
      action: 'account.set_limits',
      target: accountId,
      details: {
        agent_orders,
        agent_unpaid,
        negative_markup,
        language,
        ...(given && { limits: Object.fromEntries(KINDS.map((kind) => [kind, given[kind]])) }),
      },
    }),
  );
  const account = await findAccount(db, accountId);
  if (!account) throw accountNotFound();
  return readAccountLimits(deps, account, clock.now());
});

function limitChange(kind: LimitKind, given: number | string | undefined): [LimitKind, number | null][] {
  if (given === undefined) return [];
  return [[kind, typeof given === 'string' ? (WORDS[given] ?? null) : given]];
}

const MAX_BREAKERS = 100;

/** An account's permissions and limits, today's use, and blocks because of declined cards. */
async function readAccountLimits(
  deps: { db: Sql; config: Pick<Config, 'dailyBudgets'> },
  { accountId, ...permissions }: AccountPermissions & { accountId: string },
  now: Temporal.Instant,
) {
  const budgets = await readBudgets(deps, accountId, now);
  const breakers = await listBreakers(deps.db, { accountId, now, limit: MAX_BREAKERS });
  const { language } = await findBranding(deps.db, accountId);
  return presentAccountLimits({ ...permissions, language }, budgets, breakers);
}
