import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

/**
 * An agent of the Universal Commerce Protocol. It knows the protocol and a domain, and nothing else of the service: it
 * finds a store that delivers, searches its catalog, and orders.
 *
 *   node agent.ts https://shop.example --listen 8099 --profile https://agent.example/profile
 *     --latitude 40.744 --longitude -73.988 --token tok_visa --want soda
 *
 * With `--token` it places the order itself, which the operator of the domain allows by binding its profile. Otherwise
 * a person finishes the order.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the protocol describes them
type Json = any;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listen: { type: 'string', default: '8099' },
    profile: { type: 'string', default: 'http://127.0.0.1:8099/profile' },
    latitude: { type: 'string', default: '40.744' },
    longitude: { type: 'string', default: '-73.988' },
    street: { type: 'string', default: '10 W 21st St' },
    city: { type: 'string', default: 'New York' },
    region: { type: 'string', default: 'NY' },
    zip: { type: 'string', default: '10010' },
    token: { type: 'string' },
    want: { type: 'string', default: '' },
  },
});
const [domain = ''] = positionals;
const door = { latitude: Number(values.latitude), longitude: Number(values.longitude) };
const say = (...words: unknown[]) => process.stdout.write(`${words.join(' ')}\n`);

// The agent's own profile: its key, and every capability of the business, since it is written for all of these.
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const kid = 'agent-1';
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }];
let own: Json;
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' });
  response.end(JSON.stringify(own));
});

const discovered: Json = await (await fetch(new URL('/.well-known/ucp', domain))).json();
const { version, capabilities } = discovered.ucp;
const rest = (service: string): string =>
  discovered.ucp.services[service].find(({ transport }: Json) => transport === 'rest').endpoint;
own = { ucp: { version, services: {}, capabilities, payment_handlers: {} }, keys };
await new Promise<void>((done) => server.listen(Number(values.listen), '127.0.0.1', done));

/** Sends a signed request (RFC 9421), and returns its response. */
async function call(method: string, url: string, body?: object): Promise<Json> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers: Record<string, string> = { 'ucp-agent': `profile="${values.profile}"` };
  if (text !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-digest'] = `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
    headers['idempotency-key'] = randomUUID();
  }
  const { host, pathname, search } = new URL(url);
  const derived: Record<string, string> = { '@method': method, '@authority': host, '@path': pathname };
  if (search !== '') derived['@query'] = search;
  const covered = { ...derived, ...headers };
  const list = `(${Object.keys(covered)
    .map((name) => `"${name}"`)
    .join(' ')});keyid="${kid}"`;
  const lines = Object.entries(covered).map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${list}`].join('\n');
  const signature = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  headers['signature-input'] = `sig1=${list}`;
  headers.signature = `sig1=:${signature.toString('base64')}:`;
  const response = await fetch(url, { method, headers, ...(text === undefined ? {} : { body: text }) });
  const answer: Json = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const errorsOf = ({ messages = [] }: Json): Json[] => messages.filter(({ type }: Json) => type === 'error');

/** Orders at a location: one of the first product that it sells by that name, or as many as its minimum asks for. */
async function order({ id, name }: Json): Promise<Json | undefined> {
  const endpoint = rest('dev.ucp.shopping');
  const context = { location: id };
  const { products = [] } = await call('POST', `${endpoint}/catalog/search`, { query: values.want, context });
  const [variant] = products.flatMap(({ variants }: Json) => variants);
  if (!variant) return undefined;
  const destination = {
    street_address: values.street,
    address_locality: values.city,
    address_region: values.region,
    postal_code: values.zip,
    address_country: 'US',
  };
  const wanted = (quantity: number) => ({
    line_items: [{ item: { id: variant.id }, quantity }],
    context,
    buyer: { first_name: 'Jane', last_name: 'Doe', email: 'jane.doe@example.com', phone_number: '+14155550199' },
    fulfillment: { methods: [{ type: 'shipping', destinations: [destination] }] },
  });
  let checkout = await call('POST', `${endpoint}/checkout-sessions`, wanted(1));
  const isSmall = () => errorsOf(checkout).some(({ code }) => code === 'minimum_order_unmet');
  for (let quantity = 2; checkout.id && isSmall() && quantity <= 20; quantity += 1) {
    checkout = await call('PUT', `${endpoint}/checkout-sessions/${checkout.id}`, wanted(quantity));
  }
  say(`${name}: ${variant.title}, ${checkout.status ?? 'no checkout'}`);
  for (const { code, content } of errorsOf(checkout)) say(`  ${code}: ${content}`);
  for (const { display_text: label, amount } of checkout.totals ?? []) say(`  ${label}: ${(amount / 100).toFixed(2)}`);
  if (checkout.status === 'requires_escalation') say(`  Finish it here: ${checkout.continue_url}`);
  if (checkout.status !== 'ready_for_complete' || values.token === undefined) return checkout.continue_url && checkout;
  const [handler] = Object.values<Json>(checkout.ucp.payment_handlers)[0];
  const credential = { type: 'token', token: values.token };
  const instruments = [{ id: 'card', handler_id: handler.id, type: 'card', selected: true, credential }];
  return call('POST', `${endpoint}/checkout-sessions/${checkout.id}/complete`, { payment: { instruments } });
}

const found = await call('POST', `${rest('dev.ucp.common')}/locations/search`, {
  serves: { point: door },
  filters: { hours: { open_at: Temporal.Now.instant().toString() } },
});
say(`${found.locations.length} locations deliver there and are open.`);
let done: Json;
for (const location of found.locations) {
  done = await order(location);
  if (done) break;
}
if (done?.order) say(`Order ${done.order.label}: ${done.order.permalink_url}`);
server.close();
process.exitCode = done?.order || done?.continue_url ? 0 : 1;
