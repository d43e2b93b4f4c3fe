import { Type } from 'typebox';
import { findAccount, listKeys } from '../accounts/accounts.db.ts';
import { findBranding } from '../accounts/brandings.db.ts';
import { createAccount } from '../accounts/issue-key.flow.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import type { Clock } from '../lib/clock.ts';
import { epochSeconds } from '../lib/time.ts';
import { AccountSchema, ListedAccountSchema, presentKey } from './accounts-schema.ts';
import { BEFORE, NEXT } from './field-schemas.ts';
import { pageOf, readBefore } from './list-cursor.ts';
import { type ListedAccount, listEndpoints, listNewestAccounts } from './operator-lists.db.ts';
import { readAccountLimits } from './read-account-limits.flow.ts';
import { recordChange } from './record-change.flow.ts';

const PAGE = 50;
const tags = ['Operator'];
const audience = 'operator' as const;

export const AccountParams = Type.Object({ account_id: Type.String({ maxLength: 64, description: 'An account.' }) });

const listSchema = {
  operationId: 'listAnyAccounts',
  tags,
  summary: 'Accounts, newest first',
  description: '50 a page; `next` is the `before` of the following page.',
  example: { query: { query: 'Demo' } },
  querystring: Type.Object({
    query: Type.Optional(Type.String({ maxLength: 200, description: 'How the name or the id begins.' })),
    before: BEFORE,
  }),
  response: {
    200: Type.Object({ accounts: Type.Array(ListedAccountSchema), next: NEXT }, { description: '50 a page.' }),
  },
};
const readSchema = {
  operationId: 'readAnyAccount',
  tags,
  summary: 'An account with its keys, brand, webhook endpoints and limits',
  description: 'Secrets of keys are not shown: the service does not keep them.',
  params: AccountParams,
  response: { 200: AccountSchema },
};
const createSchema = {
  operationId: 'createAccount',
  tags,
  summary: 'Create an account',
  description: 'The account has no key yet. The change is recorded.',
  example: { body: { name: 'Supper Club' } },
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Its name, on one line.' }),
  }),
  response: { 200: ListedAccountSchema },
};

export const accountNotFound = () => new Refusal('not_found', 'There is no such account.');

/** GET and POST /operator/accounts, and GET /operator/accounts/{account_id}. */
export function accountsRoutes(http: Http, deps: { db: Db; clock: Clock; config: Config }): void {
  const { db } = deps;
  http.get('/operator/accounts', { schema: listSchema, config: { audience } as const }, async ({ query }) => {
    const before = readBefore(query.before);
    const rows = await listNewestAccounts(db, { search: query.query, before, limit: PAGE + 1 });
    const { page, next } = pageOf(rows, PAGE, ({ createdAt: at, accountId: id }) => ({ at, id }));
    return { accounts: page.map(presentAccount), next };
  });

  const refuses = ['not_found'] as const;
  http.get(
    '/operator/accounts/:account_id',
    { schema: readSchema, config: { audience, refuses } as const },
    async ({ params }) => {
      const account = await findAccount(db, params.account_id);
      if (!account) throw accountNotFound();
      const { accountId } = account;
      const [keys, brand, endpoints, limits] = await Promise.all([
        listKeys(db, accountId),
        findBranding(db, accountId),
        listEndpoints(db, accountId),
        readAccountLimits(deps, account, deps.clock.now()),
      ]);
      return {
        ...presentAccount(account),
        limits,
        keys: keys.map(presentKey),
        brand: {
          display_name: brand.displayName,
          logo_url: brand.logoUrl,
          from_address: brand.fromAddress,
          bcc_address: brand.bccAddress,
          tracking_host: brand.trackingHost,
          has_favicon: brand.favicon !== null,
        },
        endpoints: endpoints.map(({ failingSince, ...endpoint }) => ({
          ...endpoint,
          failing_since: failingSince && epochSeconds(failingSince),
        })),
      };
    },
  );

  http.post(
    '/operator/accounts',
    { schema: createSchema, config: { audience } as const },
    async ({ session, body }) => {
      const name = body.name.trim();
      if (name === '' || /\p{Cc}/u.test(name)) {
        throw invalidRequest([{ in: 'body', name: 'name', message: 'must have letters and no control characters' }]);
      }
      const created = await recordChange(
        deps,
        session,
        async (tx, at) => ({ ...(await createAccount(tx, name, at)), createdAt: at }),
        ({ accountId }) => ({ action: 'account.create', target: accountId, details: { name } }),
      );
      return presentAccount(created);
    },
  );
}

function presentAccount({ accountId, name, createdAt }: ListedAccount) {
  return { account_id: accountId, name, created_at: epochSeconds(createdAt) };
}
