import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { createAccount, issueKey } from '../../src/accounts/issue-key.flow.ts';
import { createSandboxGateway } from '../../src/adapters/payments/sandbox.ts';
import { sealProduct } from '../../src/catalog/catalog-tokens.ts';
import { openDb, openPool } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { importFiles } from '../../src/imports/import-files.flow.ts';
import { createTokenSealer, type TokenSecrets } from '../../src/lib/tokens.ts';
import { issueStoreKey } from '../../src/merchants/issue-store-key.flow.ts';
import { setChannels } from '../../src/offers/set-channels.flow.ts';
import { savePaymentMethod } from '../../src/payments/save-payment-method.flow.ts';
import { storeIdOf } from '../../src/stores/store-id.ts';
import { attachEndpoint } from '../../src/webhooks/endpoints.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { createGatewayBooks } from './simulated-gateway.ts';
import { JOBS_TABLE } from './simulated-jobs.ts';
import { simulateMachine } from './simulated-machine.ts';

export type WorldMode = 'sandbox' | 'live';
/** A product of the store: its price in cents, its first stock; null is not counted. */
export type WorldProduct = { token: string; productNo: number; name: string; stock: number | null };
export type WorldCard = { paymentMethodId: string; number: string };
export type World = {
  secrets: TokenSecrets;
  accountId: string;
  storeId: string;
  capacity: number;
  keys: Record<WorldMode, string>;
  storeKeys: Record<WorldMode, string>;
  products: WorldProduct[];
  cards: Record<WorldMode, WorldCard[]>;
  /** The card numbers that the live gateway keeps, by its tokens. */
  gatewayCards: ReadonlyMap<string, string>;
  /** Tables whose rows a run may change; `columns` of those that have rows before it. */
  tables: readonly { name: string; columns: string | undefined }[];
};

export const START_MS = Date.parse('2026-06-10T17:00:00Z');
const SECRETS = { current: 'the secret of every simulated node', previous: [] };
const SOURCE = 'simulation';
const CAPACITY = 2;
const NUMBERS = ['4242424242424242', '4000000000000002', '4000000000000259', '4000002500003155'];
/** No run writes these. */
const STILL = new Set(
  ['migrations', 'settings', 'accounts', 'api_keys', 'brandings', 'stores', 'categories', 'change_clock'].concat([
    'payment_methods',
    'sandbox_gateway_cards',
    'import_runs',
    'store_merges',
    'access_codes',
  ]),
);

/**
 * The schema in which all runs of a process happen, and what they all find in it: one account with both kinds of keys, one
 * store that is told on every channel, cards that pay, are declined, lose their answer or ask their customer. Its ids come
 * from a seed too, so that a run is the same in every process.
 */
export async function createWorld(connectionString: string, schema: string): Promise<World> {
  const machine = simulateMachine('world', START_MS);
  const pool = openPool({ connectionString, schema, max: 4 });
  try {
    await migrate(pool, schema);
    const world = await fill(openDb(pool));
    await pool.query(JOBS_TABLE);
    const tables = await keepTables((text) => pool.query(text).then(({ rows }) => rows), schema);
    return { ...world, tables };
  } finally {
    await pool.end();
    machine.restore();
  }
}

async function fill(db: ReturnType<typeof openDb>): Promise<Omit<World, 'tables'>> {
  const at = Temporal.Instant.fromEpochMilliseconds(START_MS);
  const clock = { now: () => at };
  const stock = { Counted: 4, Few: 2, Plain: null };
  const products = Object.entries(stock).map(([name, quantity], index) => ({
    ...{ id: name.toLowerCase(), name, price: 1000 + 250 * index },
    ...(quantity === null ? {} : { qty_available: quantity }),
  }));
  const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: CAPACITY };
  const line = pizzeria({ external_id: 'one', categories: [{ id: 'c', name: 'C', products }], scheduling });
  const stdin = Readable.from([`${JSON.stringify(line)}\n`]);
  const { result } = await importFiles({ db, clock }, { files: ['-'], source: SOURCE, stdin });
  assert.deepEqual(result.errors, []);
  const storeId = storeIdOf(SOURCE, 'one');
  const { accountId } = await createAccount(db, 'Simulated account', at);
  const channels = { email: 'store@example.com', sms: '+12125550111', printer: 'printer.test:9100', operator: true };
  await db.transaction().execute((tx) => setChannels(tx, storeId, { ...channels, webhook: 'https://pos.test/' }, at));
  for (const mode of ['sandbox', 'live'] as const) {
    const secret = `whsec_${Buffer.alloc(32, mode).toString('base64')}`;
    await attachEndpoint(db, { accountId, mode, url: `https://${mode}.test/hook`, secret }, at);
  }
  const books = createGatewayBooks();
  const tokens = createTokenSealer(SECRETS);
  const rows = await db
    .selectFrom('products')
    .select(['productNo', 'name', 'qtyAvailable'])
    .orderBy('productNo')
    .execute();
  const keyOf = async (mode: WorldMode) => (await issueKey(db, accountId, mode, at)).key;
  const storeKeyOf = async (account: string | null) =>
    (await issueStoreKey(db, { storeId, accountId: account }, at)).key;
  return {
    ...{ secrets: SECRETS, accountId, storeId, capacity: CAPACITY },
    keys: { sandbox: await keyOf('sandbox'), live: await keyOf('live') },
    storeKeys: { sandbox: await storeKeyOf(accountId), live: await storeKeyOf(null) },
    products: rows.map(({ productNo, name, qtyAvailable }) => {
      return { productNo, name, stock: qtyAvailable, token: sealProduct(tokens, { storeId, productNo }) };
    }),
    cards: await saveCards(db, accountId, books.cards, at),
    gatewayCards: books.cards,
  };
}

async function saveCards(
  db: ReturnType<typeof openDb>,
  accountId: string,
  gatewayCards: Map<string, string>,
  at: Temporal.Instant,
): Promise<Record<WorldMode, WorldCard[]>> {
  const sandbox = createSandboxGateway({ db, clock: { now: () => at }, pagesUrl: 'https://doorstep.test' });
  const cards: Record<WorldMode, WorldCard[]> = { sandbox: [], live: [] };
  for (const mode of ['sandbox', 'live'] as const) {
    for (const number of NUMBERS) {
      const card = { number, expirationMonth: 12, expirationYear: 2031, cvc: '123' };
      const token = mode === 'sandbox' ? (await sandbox.saveCard(card)).token : `card_${gatewayCards.size + 1}`;
      if (mode === 'live') gatewayCards.set(token, number);
      const saved = {
        token,
        brand: 'visa',
        last4: number.slice(-4),
        expirationMonth: 12,
        expirationYear: 2031,
        fingerprint: null,
      } as const;
      const owner = { accountId, mode, userId: 'u1', userEmail: 'u1@example.com' };
      cards[mode].push({ number, paymentMethodId: await savePaymentMethod(db, owner, saved, at) });
    }
  }
  return cards;
}

type Ask = (text: string) => Promise<{ name: string }[]>;

/** Keeps a copy of each table that runs change; autovacuum would change between runs how PostgreSQL reads them. */
async function keepTables(ask: Ask, schema: string): Promise<World['tables']> {
  const all = await ask(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = '${schema}' and c.relkind = 'r' order by c.relname`,
  );
  const kept = [];
  for (const { name } of all) {
    await ask(`alter table ${name} set (autovacuum_enabled = false)`);
    if (STILL.has(name)) continue;
    const isFilled = (await ask(`select '${name}' as name from ${name} limit 1`)).length > 0;
    if (isFilled) await ask(`create table base_${name} as table ${name}`);
    const [row] = await ask(columnsText(schema, name));
    kept.push({ name, columns: isFilled ? row?.name : undefined });
  }
  return kept;
}

const columnsText = (schema: string, table: string) => `
  select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as name from information_schema.columns
  where table_schema = '${schema}' and table_name = '${table}' and is_generated = 'NEVER'`;

/** The tables that have ever had a row since they were made anew: the others need no new files. */
export const USED_TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind = 'r' and pg_relation_size(c.oid) > 0`;

/**
 * Puts these tables back to the state before the first run, their files included: as if they had been made anew. Only
 * products have triggers of their own, which would count the menu's versions up.
 */
export function resetText({ tables }: World, used: ReadonlySet<string>): string {
  const changed = tables.filter(({ name }) => used.has(name));
  if (changed.length === 0) return '';
  const filled = changed.flatMap(({ name, columns }) =>
    columns === undefined ? [] : `insert into ${name} (${columns}) select ${columns} from base_${name};`,
  );
  return `alter table products disable trigger user;
    truncate ${changed.map(({ name }) => name).join(', ')} restart identity cascade; ${filled.join(' ')}
    alter table products enable trigger user;`;
}
