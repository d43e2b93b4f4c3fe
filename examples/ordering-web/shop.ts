import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
  type Client,
  type CreateOrderBody,
  DoorstepConnectionError,
  DoorstepError,
} from '../../clients/typescript/src/main.ts';

/** The only customer of the example, and the door. An app of your own has a sign-in, and its customers' addresses. */
const DOOR = { user_latitude: 41.8827, user_longitude: -87.6493 };
const CUSTOMER = {
  user_id: 'example-1',
  user_name: 'Test Eater',
  user_email: 'eater@example.com',
  user_phone: 13125550100,
  user_street_num: '100',
  user_street_name: 'N Sangamon St',
  user_city: 'Chicago',
  user_state: 'IL',
  user_zipcode: '60607',
};
const MAX_BODY_BYTES = 10_000;
const PAGE_FILES: Readonly<Record<string, string>> = {
  '/': 'page.html',
  '/page.js': 'page.js',
  '/page.css': 'page.css',
};
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
const HEADERS = {
  'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
};

/** A shop for one page. The key of the account stays here: the page asks the shop, and the shop asks the service. */
export function createShop(client: Client): Server {
  return createServer((request, response) => {
    answer(client, request, response).catch((error: unknown) => refuse(response, error));
  });
}

async function answer(client: Client, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test');
  const orderId = /^\/api\/orders\/([\w-]+)\/steps$/.exec(pathname)?.[1];
  const file = PAGE_FILES[pathname];
  if (request.method === 'GET' && file !== undefined) return sendFile(response, file);
  if (request.method !== 'GET' && !isFromOwnPage(request)) {
    return sendJson(response, { error: 'Orders come from the page of this shop.' }, 403);
  }
  switch (`${request.method} ${orderId ? '/api/steps' : pathname}`) {
    case 'GET /api/stores':
      return sendJson(response, await findStores(client, searchParams.get('query') ?? ''));
    case 'GET /api/menu':
      return sendJson(response, await readMenu(client, searchParams.get('store_id') ?? ''));
    case 'GET /api/item':
      return sendJson(response, await readItem(client, searchParams.get('product_id') ?? ''));
    case 'POST /api/cart':
      return sendJson(response, await saveCart(client, await readBody(request), `${request.headers.origin}/`));
    case 'GET /api/steps':
      return streamSteps(client, orderId ?? '', request, response);
    default:
      return sendJson(response, { error: 'There is no such page.' }, 404);
  }
}

/**
 * Whether the shop's own page sent the request. Without this check any site could order in the browser of a customer.
 * An app of your own compares `Origin` with its public address.
 */
function isFromOwnPage({ headers, socket }: IncomingMessage): boolean {
  return ['127.0.0.1', 'localhost'].some((host) => headers.origin === `http://${host}:${socket.localPort}`);
}

/** Restaurants alone: the products of a grocery are read level by level of its categories, which the page does not show. */
async function findStores(client: Client, query: string) {
  const near = { latitude: DOOR.user_latitude, longitude: DOOR.user_longitude };
  const where = { ...near, store_type: 'restaurant', open: true, delivers_here: true } as const;
  const { stores } = await client.stores.search({ ...where, query }).first();
  return stores.slice(0, 8).map(({ _id, name, miles }) => ({ _id, name, miles }));
}

async function readMenu(client: Client, storeId: string) {
  const { categories } = await client.stores.inventory({ store_id: storeId, pickup: false, ...DOOR });
  return categories.map(({ name, menu_item_list }) => ({
    name,
    items: menu_item_list.filter((item) => item.is_available),
  }));
}

/** An item with all of its choices: a menu leaves them out where there are many. */
function readItem(client: Client, productId: string) {
  return client.products.get({ product_id: productId, pickup: false });
}

/**
 * The cart is an order that is not placed yet: each change stores it again under its id, and the answer is priced to the
 * cent. The customer pays on the page at `checkout_url`, so the shop needs no form for cards.
 */
async function saveCart(client: Client, { order_id, items }: Cart, returnUrl: string) {
  const order = await client.orders.create({
    ...(order_id === undefined ? {} : { order_id }),
    items,
    pickup: false,
    ...DOOR,
    ...CUSTOMER,
    include_final_quote: true,
    checkout_return_url: returnUrl,
  });
  const { quote, total_with_tip = 0 } = order.final_quote ?? {};
  const amounts = quote && {
    Items: quote.subtotal,
    Delivery: quote.delivery_fee_cents,
    Service: quote.service_fee_cents + quote.small_order_fee_cents,
    Tax: quote.sales_tax_cents,
    Total: total_with_tip,
  };
  return { order_id: order.order_id, checkout_url: order.checkout_url, amounts };
}

/** Steps as server-sent events. A page that connects again tells the last step that it has, and misses none. */
async function streamSteps(
  client: Client,
  orderId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const after = Number(request.headers['last-event-id'] ?? 0);
  const steps = client.orders.follow(orderId, { after, pollMs: 1000, signal: left.signal });
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  try {
    for await (const { type, data } of steps) {
      const { status, order_number, tracking_link } = data.order;
      const step = JSON.stringify({ type, status, order_number, tracking_link });
      response.write(`id: ${data.sequence}\ndata: ${step}\n\n`);
    }
    response.end('event: end\ndata: {}\n\n');
  } catch (error) {
    if (left.signal.aborted) return;
    response.end(`event: end\ndata: ${JSON.stringify({ error: wordsOf(error).error })}\n\n`);
  }
}

type Cart = Pick<CreateOrderBody, 'items' | 'order_id'>;

/** What the page sent. The service checks it: a field that is wrong is refused by its name. */
async function readBody(request: IncomingMessage): Promise<Cart> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError('The request is too large.');
    chunks.push(chunk);
  }
  const { items, order_id } = JSON.parse(Buffer.concat(chunks).toString());
  return { items, order_id };
}

async function sendFile(response: ServerResponse, name: string): Promise<void> {
  const text = await readFile(join(import.meta.dirname, name));
  const type = TYPES[name.slice(name.indexOf('.') + 1)];
  response.writeHead(200, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(text);
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** What the customer reads, and the status: a refusal of the service in its words, and nothing of the inside. */
function wordsOf(error: unknown): { status: number; error: string } {
  if (error instanceof DoorstepError) return { status: error.status >= 500 ? 503 : error.status, error: error.detail };
  if (error instanceof DoorstepConnectionError) return { status: 503, error: 'The shop is away. Please try again.' };
  if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError)
    return { status: 400, error: 'That is no order.' };
  return { status: 500, error: 'Something went wrong.' };
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, error: words } = wordsOf(error);
  if (response.headersSent) response.destroy();
  else sendJson(response, { error: words }, status);
}
