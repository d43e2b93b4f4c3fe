import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { createAccount, issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { issueStoreKey } from '../../src/access/sessions/store-keys.db.ts';
import { createSandboxGateway } from '../../src/app/adapters/payments/sandbox.ts';
import { setChannels } from '../../src/fulfillment/store-channels/set-channels.flow.ts';
import { attachEndpoint } from '../../src/notify/webhooks/endpoints.db.ts';
import { CASH_TOKEN } from '../../src/ordering/payments/payment-gateway.ts';
import { savePaymentMethod } from '../../src/ordering/payments/save-card.flow.ts';
import { setStoreTerms } from '../../src/ordering/statements/store-terms.db.ts';
import { type Db, openDb, openPool } from '../../src/platform/db/connect.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createTokenSealer, type TokenSecrets } from '../../src/platform/lib/tokens.ts';
import { sealProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { pizzeria } from '../feed-lines.ts';
import { createGatewayBooks } from './simulated-gateway.ts';
import { simulateMachine } from './simulated-machine.ts';

export type WorldMode = 'sandbox' | 'live';
/** A product: its initial stock, null if not counted, and whether it is sold by weight. */
export type WorldProduct = {
  token: string;
  productNo: number;
  name: string;
  stock: number | null;
  isWeighed: boolean;
};
export type WorldCard = { paymentMethodId: string; number: string };
/** A store with every channel; one party's customers share its stock and slots. */
export type Shop = { storeId: string; storeKeys: Record<WorldMode, string>; products: WorldProduct[] };
export type World = {
  secrets: TokenSecrets;
  accountId: string;
  capacity: number;
  keys: Record<WorldMode, string>;
  shops: readonly Shop[];
  cards: Record<WorldMode, WorldCard[]>;
  /** The live gateway's card numbers, by token. */
  gatewayCards: ReadonlyMap<string, string>;
  /** Tables that a run may change; `columns` of those that have rows before it. */
  tables: readonly { name: string; columns: string | undefined }[];
};

export const START_MS = Date.parse('2026-06-10T17:00:00Z');
/** The world is older than any time of a run, in which the database's clock may be set back. */
const MADE_MS = START_MS - 3_600_000;
const SECRETS = { current: 'the secret of every simulated node', previous: [] };
const SOURCE = 'simulation';
/** Maximum parties of a run. */
export const SHOPS = 12;
const CAPACITY = 2;
/** The fee per order in the terms of every store. */
export const PER_ORDER_CENTS = 30;
/** The last one, in place of a number, is cash. */
const NUMBERS = ['4242424242424242', '4000000000000002', '4000000000000259', '4000002500003155', CASH_TOKEN];
const STILL = new Set(
  ['migrations', 'accounts', 'api_keys', 'brandings', 'stores', 'categories', 'change_clock'].concat([
    'sandbox_gateway_cards',
    'import_runs',
    'store_merges',
    'store_terms',
    'access_codes',
  ]),
);

/**
 * The shared start of all runs in a process: one account with both kinds of keys, stores on every channel, cards that
 * pay, decline, lose their answer or require approval. Seeded ids make runs equal in every process.
 */
export async function createWorld(connectionString: string, schema: string): Promise<World> {
  const machine = simulateMachine('world', MADE_MS);
  const pool = openPool({ connectionString, schema, max: 4 });
  try {
    await migrate(pool, schema);
    const world = await fill(openDb(pool));
    const tables = await keepTables((text) => pool.query(text).then(({ rows }) => rows), schema);
    return { ...world, tables };
  } finally {
    await pool.end();
    machine.restore();
  }
}

async function fill(db: Db): Promise<Omit<World, 'tables'>> {
  const at = Temporal.Instant.fromEpochMilliseconds(MADE_MS);
  const numbers = Array.from({ length: SHOPS }, (_, index) => index + 1);
  const stdin = Readable.from(numbers.map((number) => `${JSON.stringify(shopLine(number))}\n`));
  const { result } = await importFiles({ db, clock: { now: () => at } }, { files: ['-'], source: SOURCE, stdin });
  assert.deepEqual(result.errors, []);
  const { accountId } = await createAccount(db, 'Simulated account', at);
  for (const mode of ['sandbox', 'live'] as const) {
    const secret = `whsec_${Buffer.alloc(32, mode).toString('base64')}`;
    await attachEndpoint(db, { accountId, mode, url: `https://${mode}.test/hook`, secret }, at);
  }
  const books = createGatewayBooks();
  const keyOf = async (mode: WorldMode) => (await issueKey(db, accountId, mode, at)).key;
  const shops: Shop[] = [];
  for (const number of numbers) shops.push(await openShop(db, accountId, number, at));
  return {
    secrets: SECRETS,
    accountId,
    capacity: CAPACITY,
    shops,
    keys: { sandbox: await keyOf('sandbox'), live: await keyOf('live') },
    cards: await saveCards(db, accountId, books.cards, at),
    gatewayCards: books.cards,
  };
}

/**
 * A similar store at another position, because two records of one place would be merged. Every other store itemizes its
 * taxes.
 */
function shopLine(number: number): object {
  const stock = { Counted: 4, Few: 2, Plain: null, Weighed: null };
  const products = Object.entries(stock).map(([name, quantity], index) => ({
    id: name.toLowerCase(),
    name,
    price: 1000 + 250 * index,
    ...(quantity === null ? {} : { qty_available: quantity }),
    ...(name === 'Weighed' ? { sold_by: 'weight', weight: { unit: 'lb' } } : {}),
  }));
  const address = { street_addr: `${number} 5th Ave`, city: 'New York', state: 'NY', zipcode: '10011', country: 'US' };
  const taxes = [
    { name: 'State', percent: 4 },
    { name: 'City', percent: 4.875 },
  ];
  return pizzeria({
    ...(number % 2 === 0 ? { fees: { ...(pizzeria().fees as object), taxes } } : {}),
    external_id: String(number),
    name: `Pizzeria ${number}`,
    phone: `+1212555${1000 + number}`,
    address,
    latitude: 40.7383 + number / 1000,
    categories: [{ id: 'c', name: 'C', products }],
    scheduling: { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 14, capacity: CAPACITY },
  });
}

async function openShop(db: Db, accountId: string, number: number, at: Temporal.Instant): Promise<Shop> {
  const storeId = storeIdOf(SOURCE, String(number));
  const tokens = createTokenSealer(SECRETS);
  const channels = {
    ...{
      email: `store-${number}@example.com`,
      sms: `+1212555${2000 + number}`,
      printer: `printer-${number}.test:9100`,
    },
    operator: true,
    webhook: `https://pos-${number}.test/`,
  };
  await db.transaction().execute((tx) => setChannels(tx, storeId, channels, at));
  const terms = { commissionPercent: 15, perOrderCents: PER_ORDER_CENTS };
  await db.transaction().execute((tx) => setStoreTerms(tx, storeId, terms, at));
  const storeKeyOf = async (account: string | null) =>
    (await issueStoreKey(db, { storeId, accountId: account }, at)).key;
  const rows = await db
    .selectFrom('products')
    .select(['productNo', 'name', 'qtyAvailable', 'weight'])
    .where('storeId', '=', storeId)
    .orderBy('productNo')
    .execute();
  assert.equal(rows.length, 4);
  return {
    storeId,
    storeKeys: { sandbox: await storeKeyOf(accountId), live: await storeKeyOf(null) },
    products: rows.map(({ productNo, name, qtyAvailable: stock, weight }) => {
      const token = sealProduct(tokens, { storeId, productNo });
      return { productNo, name, stock, isWeighed: weight !== null, token };
    }),
  };
}

async function saveCards(
  db: Db,
  accountId: string,
  gatewayCards: Map<string, string>,
  at: Temporal.Instant,
): Promise<Record<WorldMode, WorldCard[]>> {
  const sandbox = createSandboxGateway({ db, clock: { now: () => at }, pagesUrl: 'https://doorstep.test' });
  const cards: Record<WorldMode, WorldCard[]> = { sandbox: [], live: [] };
  for (const mode of ['sandbox', 'live'] as const) {
    for (const number of NUMBERS) {
      const card = { number, expirationMonth: 12, expirationYear: 2031, cvc: '123' };
      const isCash = number === CASH_TOKEN;
      const saving = () => (isCash ? sandbox.acceptToken(number) : sandbox.saveCard(card));
      const token = mode === 'sandbox' ? (await saving()).token : `card_${gatewayCards.size + 1}`;
      if (mode === 'live') gatewayCards.set(token, number);
      const saved = {
        token,
        brand: isCash ? 'cash' : 'visa',
        last4: isCash ? '' : number.slice(-4),
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

/** Copies each table that runs change; disables autovacuum, which would change query plans between runs. */
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

/** Tables that had rows since they were last recreated; the others need no new files. */
export const USED_TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind = 'r' and pg_relation_size(c.oid) > 0`;

/**
 * Restores these tables to their state before the first run, as new files. Only products have triggers, which would
 * increment the menu's versions.
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
