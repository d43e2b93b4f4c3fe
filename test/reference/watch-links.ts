import type { KeyScope } from '../../src/access/accounts/account.ts';
import { issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { createTrackingKeys } from '../../src/access/accounts/tracking-site.ts';
import { openDriverLink } from '../../src/fulfillment/deliveries/driver-link.ts';
import { openShortLink } from '../../src/notify/messages/shorten-links.flow.ts';
import { openCheckoutToken } from '../../src/ordering/order/checkout-link.ts';
import type { Exchange, WireAnswer, WireRequest } from './example-client.ts';
import type { Demo } from './given-demo.ts';

/** All scopes but that to do what a customer does: keys with fewer of them read less. */
const LESSER_SCOPES: readonly KeyScope[] = ['read', 'webhooks'];

type LinkKind = 'customer' | 'checkout' | 'driver' | 'store';
type Reader = 'key with order' | 'lesser key' | 'store' | 'operator' | 'holder of a link' | 'nobody';

/** The links that may do no more than their reader may. */
const ALLOWED: Readonly<Record<Reader, readonly LinkKind[]>> = {
  'key with order': ['customer', 'checkout'],
  'lesser key': [],
  store: ['driver'],
  operator: [],
  'holder of a link': ['customer', 'checkout', 'driver', 'store'],
  nobody: [],
};

/** Views as `reader: operation: kind`, and those that may do more than their reader. */
export type WatchedLinks = { exchange: Exchange; seen: ReadonlySet<string>; faults: ReadonlySet<string> };

/** Sends each request, then again with a key of lesser scopes, and judges the links of every response. */
export async function watchLinks(demo: Demo, exchange: Exchange): Promise<WatchedLinks> {
  const [seen, faults] = [new Set<string>(), new Set<string>()];
  const lesserKeys = new Map<unknown, string>();
  for (const caller of ['account', 'live'] as const) {
    const mode = caller === 'live' ? 'live' : 'sandbox';
    const { key } = await issueKey(demo.app.service.deps.db, demo.accountId, mode, demo.app.now(), LESSER_SCOPES);
    lesserKeys.set(demo.callers[caller]['id-token'], key);
  }
  const judge = async (request: WireRequest, reader: Reader, { text, headers }: WireAnswer) => {
    const operation = `${request.method} ${request.path.replace(/\?.*/, '')}`;
    for (const kind of await linksIn(demo, `${text} ${headers.location ?? ''}`)) {
      seen.add(`${reader}: ${operation}: ${kind}`);
      if (!ALLOWED[reader].includes(kind)) faults.add(`${reader}: ${operation}: ${kind}`);
    }
  };
  return {
    seen,
    faults,
    async exchange(request) {
      const answer = await exchange(request);
      await judge(request, readerOf(demo, request), answer);
      const key = lesserKeys.get(request.headers['id-token']);
      if (key !== undefined) {
        const same = { ...request, headers: { ...request.headers, 'id-token': key } };
        await judge(same, 'lesser key', await exchange(same));
      }
      return answer;
    },
  };
}

function readerOf(demo: Demo, { path, headers, body = '' }: WireRequest): Reader {
  const { account, live, store, console: session, operator } = demo.callers;
  if ([account, live].some((caller) => caller['id-token'] === headers['id-token'])) return 'key with order';
  if (headers['id-token'] === store['id-token'] || headers.cookie === session.cookie) return 'store';
  if (headers.cookie === operator.cookie) return 'operator';
  return /[?&]key=|\/(checkout|driver|console\/order|t)\/|^\/payment\//.test(`${path}&${body}`)
    ? 'holder of a link'
    : 'nobody';
}

/** The kinds of acting links in a response, and of keys that stand by themselves. */
async function linksIn(demo: Demo, answer: string): Promise<Set<LinkKind>> {
  const { db, tokens } = demo.app.service.deps;
  const codes = [...answer.matchAll(/\/t\/([\w-]{11,16})/g)].map(([, code = '']) => code);
  const targets = await Promise.all(codes.map((code) => openShortLink({ db, tokens }, code)));
  const text = `${answer} ${targets.map((path) => `/${path}`).join(' ')}`;
  const found = new Set<LinkKind>();
  const keyOf = createTrackingKeys(tokens);
  const orders = await db.selectFrom('orders').select('orderId').execute();
  if (orders.some(({ orderId }) => text.includes(keyOf(orderId)))) found.add('customer');
  const tokensAfter = (folder: string) =>
    [...text.matchAll(new RegExp(`/${folder}/([\\w-]{20,})`, 'g'))].map(([, token = '']) => token);
  if (tokensAfter('checkout').some((token) => openCheckoutToken(tokens, token))) found.add('checkout');
  if (tokensAfter('driver').some((token) => openDriverLink(tokens, token))) found.add('driver');
  if (tokensAfter('console/order').length > 0) found.add('store');
  return found;
}
