import { Readable } from 'node:stream';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { listActions, type RecordedAction } from '../../src/access/sessions/actions.db.ts';
import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { startService } from '../../src/app/wiring/service.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { pizzeria } from '../feed-lines.ts';
import { CARD, orderBody } from './orders.ts';

export type CommandShop = {
  storeId: string;
  accountId: string;
  /** Places a sandbox order of four Margheritas, with a card unless `changes` say otherwise; returns its id. */
  place(changes?: object): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
  get(url: string, query: Record<string, string>): Promise<any>;
  /** Listens on this machine; returns its URL. */
  listen(): Promise<string>;
  /** The history of operators, newest first. */
  actions(): Promise<RecordedAction[]>;
  close(): Promise<void>;
};

/** A pizzeria behind a service without workers, in the database that commands use. */
export async function givenCommandShop(databaseUrl: string | undefined): Promise<CommandShop> {
  const config = readSettings({ LOG_LEVEL: 'silent', SANDBOX_PACE: 'manual' });
  const connectionString = databaseUrl ?? '';
  const log = createLog('silent');
  const service = await startService({ config, connectionString, log, clock: systemClock, role: 'api' });
  const { db, clock } = service.deps;
  const stdin = Readable.from([`${JSON.stringify(pizzeria())}\n`]);
  await importFiles({ db, clock }, { files: ['-'], source: 'test', stdin });
  await service.deps.storeFeed.catchUp();
  const { accountId } = await createAccount(db, 'Test account', clock.now());
  const { key } = await issueKey(db, accountId, 'sandbox', clock.now());
  const headers = { 'id-token': key };
  const storeId = storeIdOf('test', 'pizzeria');
  const get: CommandShop['get'] = async (url, query) => (await service.http.inject({ url, query, headers })).json();
  const post = async (url: string, payload: object) =>
    (await service.http.inject({ method: 'POST', url, payload, headers })).json();
  const inventory = await get('/details/inventory', { store_id: storeId, pickup: 'false' });
  const items = [{ product_id: inventory.categories[0].menu_item_list[1].product_id, quantity: 4 }];
  const payment = { payment_method: CARD, user_id: 'u1', user_email: 'u1@example.com' };
  const card = await post('/payment/create', payment);
  return {
    storeId,
    accountId,
    get,
    place: async (changes = {}) =>
      (await post('/order/order/v2', orderBody(undefined, card.payment_method_id, { items, ...changes }))).order_id,
    listen: () => service.http.listen({ host: '127.0.0.1', port: 0 }),
    actions: () => listActions(db, { limit: 100 }),
    close: () => service.close(),
  };
}
