import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Client, DoorstepConnectionError, DoorstepError } from '../../clients/typescript/src/main.ts';

/** The door of the example's only customer. An app of your own knows its customers and their addresses. */
const DOOR = { user_latitude: 41.8827, user_longitude: -87.6493 };
const ADDRESS = { user_street_num: '100', user_street_name: 'N Sangamon St', user_city: 'Chicago' };
const CUSTOMER = { user_id: 'example-1', user_name: 'Test Eater', user_email: 'eater@example.com' };
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
  const [, orderId = '', action = ''] = /^\/api\/orders\/([\w-]+)\/(place|steps)$/.exec(pathname) ?? [];
  const file = PAGE_FILES[pathname];
  if (request.method === 'GET' && file !== undefined) return sendFile(response, file);
  if (request.method !== 'GET' && !isFromOwnPage(request)) {
    return sendJson(response, { error: 'Orders come from the page of this shop.' }, 403);
  }
  switch (`${request.method} ${orderId ? `/api/orders/{id}/${action}` : pathname}`) {
    case 'GET /api/stores':
      return sendJson(response, await findStores(client, searchParams.get('query') ?? ''));
    case 'GET /api/menu':
      return sendJson(response, await readMenu(client, searchParams.get('store_id') ?? ''));
    case 'POST /api/orders':
      return sendJson(response, await quoteOrder(client, await readBody(request)));
    case 'POST /api/orders/{id}/place':
      return sendJson(response, await client.orders.finalize(orderId));
    case 'GET /api/orders/{id}/steps':
      return streamSteps(client, orderId, request, response);
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
  const items = categories.flatMap((category) => category.menu_item_list).filter((item) => item.is_available);
  return items.slice(0, 12).map(({ product_id, name, formatted_price }) => ({ product_id, name, formatted_price }));
}

/** Two of a product, priced to the cent, and not placed yet. The card is the sandbox's. */
async function quoteOrder(client: Client, { product_id }: { product_id?: unknown }) {
  const { user_id, user_email } = CUSTOMER;
  const card = await client.paymentMethods.create({ user_id, user_email, payment_token: 'tok_visa' });
  return client.orders.create({
    items: [{ product_id: String(product_id), quantity: 2 }],
    autofill_selected_options: true,
    payment_method_id: card.payment_method_id,
    pickup: false,
    ...DOOR,
    ...ADDRESS,
    ...CUSTOMER,
    user_state: 'IL',
    user_zipcode: '60607',
    user_phone: 13125550100,
    include_final_quote: true,
  });
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

async function readBody(request: IncomingMessage): Promise<{ product_id?: unknown }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError('The request is too large.');
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return typeof body === 'object' && body !== null ? body : {};
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
  if (error instanceof SyntaxError || error instanceof RangeError) return { status: 400, error: 'That is no order.' };
  return { status: 500, error: 'Something went wrong.' };
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, error: words } = wordsOf(error);
  if (response.headersSent) response.destroy();
  else sendJson(response, { error: words }, status);
}
