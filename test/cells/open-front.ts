import type { FastifyRequest } from 'fastify';
import { findRecord } from '../../src/access/idempotency/idempotency.db.ts';
import { admitRequests } from '../../src/app/wiring/admit-requests.hook.ts';
import { createServer } from '../../src/app/wiring/app.ts';
import { findAnyOrder } from '../../src/ordering/orders/orders.db.ts';
import { BufferPool } from '../../src/platform/http/buffer-pool.ts';
import type { Http } from '../../src/platform/http/http.ts';
import { isJsonObject, memberOf } from '../../src/platform/lib/json-object.ts';
import { limitRates } from '../../src/platform/load/limit-rates.hook.ts';
import { paceAnswers } from '../../src/platform/load/pace-answers.hook.ts';
import { boundUnreadAnswers } from '../../src/platform/load/unread-answers.hook.ts';
import { searchRoute } from '../../src/search/stores/search.route.ts';
import { openProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { type StoreFeed, StoreFollower } from '../../src/supply/stores/store-feed.cache.ts';
import { SearchIndex } from '../given/search-index.ts';
import { copyAccount } from './copy-account.ts';
import { createDirectory, type Directory } from './directory.ts';
import type { Cell } from './given-cell.ts';

export type Front = {
  http: Http;
  directory: Directory;
  /** Waits until search and the directory have applied all commits of every cell. */
  catchUp(): Promise<void>;
  /** Resolves once a cell's in-flight requests have ended; later requests are not awaited. */
  drained(cell: Cell): Promise<void>;
  close(): Promise<void>;
};

const BUFFERS = { bufferBytes: 192 * 1024, maxKept: 4 };
const FORWARDED = ['id-token', 'content-type', 'idempotency-key'] as const;
const RETURNED = ['content-type', 'retry-after', 'idempotent-replayed'] as const;

/**
 * One API over several cells (docs/cells.md#the-running-proof): store search covers all cells, and every other request
 * is forwarded to the cell of its store or order. The first cell is home and has the accounts. This layer is stateless.
 */
export async function openFront(cells: readonly [Cell, ...Cell[]]): Promise<Front> {
  const { deps } = cells[0].app.service;
  const directory = createDirectory();
  const search = new SearchIndex();
  const storeFeed = followAll(
    cells.map(
      ({ name, app: { service, connectionString } }) =>
        new StoreFollower({
          db: service.deps.db,
          connectionString,
          log: deps.log,
          apply: (store) => search.upsert(directory.take(name, store)),
        }),
    ),
  );
  storeFeed.start();
  const underWay = new Map<Cell, Set<Promise<unknown>>>(cells.map((cell) => [cell, new Set()]));
  const { http, endpoints } = await createServer(deps);
  const { config, clock, peers } = deps;
  const limits = limitRates(http, { perMinute: config.rateLimitPerMinute, clock, peers: peers.counters });
  admitRequests(http, { ...deps, endpoints, limits });
  paceAnswers(http, config.rateLimitPerMinute);
  boundUnreadAnswers(http, { nowMs: () => clock.now().epochMilliseconds });
  searchRoute(http, { ...deps, search, storeFeed }, new BufferPool(BUFFERS));
  forwardRequests(http, { cells, directory, underWay });
  return {
    http,
    directory,
    catchUp: storeFeed.catchUp,
    drained: async (cell) => void (await Promise.allSettled(underWay.get(cell) ?? [])),
    async close() {
      await http.close();
      await storeFeed.close();
    },
  };
}

function followAll(feeds: readonly StoreFeed[]): StoreFeed {
  return {
    start() {
      for (const feed of feeds) feed.start();
    },
    catchUp: async () => void (await Promise.all(feeds.map((feed) => feed.catchUp()))),
    get isLoaded() {
      return feeds.every(({ isLoaded }) => isLoaded);
    },
    lagSeconds() {
      const lags = feeds.map((feed) => feed.lagSeconds());
      return lags.includes(undefined) ? undefined : Math.max(...lags.map((lag) => lag ?? 0));
    },
    close: async () => void (await Promise.all(feeds.map((feed) => feed.close()))),
  };
}

type Forwarding = {
  cells: readonly [Cell, ...Cell[]];
  directory: Directory;
  underWay: ReadonlyMap<Cell, Set<Promise<unknown>>>;
};
type Rule = (request: FastifyRequest, forwarding: Forwarding) => Promise<Cell | undefined>;

function forwardRequests(http: Http, forwarding: Forwarding): void {
  const { cells, underWay } = forwarding;
  const forward = (
    method: 'GET' | 'POST',
    url: string,
    rule: Rule,
    after?: (request: FastifyRequest) => Promise<void>,
  ) =>
    http.route({
      method,
      url,
      async handler(request, reply) {
        // Requests that refer to nothing known are refused by the home cell.
        const cell = (await rule(request, forwarding)) ?? cells[0];
        const asking = ask(cell, request);
        underWay.get(cell)?.add(asking);
        const answer = await asking.finally(() => underWay.get(cell)?.delete(asking));
        if (answer.status < 300) await after?.(request);
        return reply.code(answer.status).headers(answer.headers).send(answer.text);
      },
    });
  forward(
    'POST',
    '/payment/create',
    async () => cells[0],
    (request) => shareAccount(request, forwarding),
  );
  forward('GET', '/details/inventory', cellOfStore);
  forward('GET', '/details/product', cellOfProduct);
  forward('POST', '/order/order/v2', cellToOrder);
  forward('GET', '/account/orders', cellOfOrder);
  forward('GET', '/sandbox/charges', cellOfOrder);
  for (const step of ['finalize', 'cancel', 'refund', 'tip']) forward('POST', `/order/${step}`, cellOfOrder);
}

/** Copies the account to every cell before its client gets the answer. */
async function shareAccount({ caller }: FastifyRequest, { cells: [home, ...others] }: Forwarding): Promise<void> {
  for (const { app } of others) {
    await copyAccount(home.app.service.deps.db, app.service.deps.db, caller.accountId);
  }
}

async function ask({ url }: Cell, { method, url: path, headers, body }: FastifyRequest) {
  const given = FORWARDED.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: given as [string, string][],
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const returned = RETURNED.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status: answer.status, headers: Object.fromEntries(returned), text: await answer.text() };
}

const named = ({ cells }: Forwarding, name: string | undefined) => cells.find((cell) => cell.name === name);
const textIn = (part: unknown, name: string): string => {
  const value = isJsonObject(part) ? memberOf(part, name) : undefined;
  return typeof value === 'string' ? value : '';
};

const cellOfStore: Rule = async ({ query }, forwarding) =>
  named(forwarding, forwarding.directory.cellOf(textIn({ ...(query as object) }, 'store_id')));

const cellOfProduct: Rule = async ({ query }, forwarding) =>
  named(
    forwarding,
    forwarding.directory.cellOf(storeOfProduct(textIn({ ...(query as object) }, 'product_id'), forwarding)),
  );

function storeOfProduct(token: string, { cells }: Forwarding): string {
  return openProduct(cells[0].app.service.deps.tokens, token)?.storeId ?? '';
}

/** The cell of an order. Order ids do not encode their cell yet, so each cell is queried. */
const cellOfOrder: Rule = async ({ body, query }, { cells }) => {
  const orderId = textIn(body, 'order_id') || textIn({ ...(query as object) }, 'order_id');
  for (const cell of cells) if (await findAnyOrder(cell.app.service.deps.db, orderId)) return cell;
  return undefined;
};

/**
 * The cell of the replaced order, otherwise of the store. A request whose key is recorded in the store's former cell is
 * sent there again, because another cell would create a second order.
 */
const cellToOrder: Rule = async (request, forwarding) => {
  const { body, caller, headers } = request;
  if (textIn(body, 'order_id') !== '') return cellOfOrder(request, forwarding);
  const items = isJsonObject(body) ? memberOf(body, 'items') : undefined;
  const [first] = Array.isArray(items) ? items : [];
  const storeId = storeOfProduct(textIn(first, 'product_id'), forwarding);
  const { directory } = forwarding;
  const key = headers['idempotency-key'];
  for (const name of key === undefined ? [] : directory.formerCellsOf(storeId)) {
    const cell = named(forwarding, name);
    if (cell && (await findRecord(cell.app.service.deps.db, caller, String(key)))) return cell;
  }
  return named(forwarding, directory.cellOf(storeId));
};
