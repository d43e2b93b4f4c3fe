import type { Report } from '../report.ts';
import { type LoadClient, quantile, startLoadClient } from './load.ts';
import type { MeasuredMenus } from './measure-products.ts';
import { asksOfKind, cartAsks, cartPath, PRODUCT_KINDS, productPath } from './product-workloads.ts';

const MAX_P95_RATIO = 2;
/** A machine's own hiccups are longer than the fastest answers: below this a doubled p95 says nothing. */
const MIN_P95_MS = 5;
const PHASE_MS = 15_000;
/** Fewer than an account may have waiting: none is refused. */
const FLOOD_CONNECTIONS = 24;
const NEIGHBOUR_QUERIES = 100;

/** What an account that searches products feels of another account that searches carts over many connections. */
export async function measureFairness({ client, url, keys, sellers }: MeasuredMenus, report: Report): Promise<void> {
  const paths = PRODUCT_KINDS.flatMap((kind) => asksOfKind(kind, sellers, NEIGHBOUR_QUERIES).map(productPath));
  const neighbour = { url, keys: keys.slice(-1), paths, connections: 1, ms: PHASE_MS };
  const { latenciesMs: quiet } = await client.run(neighbour);
  const flooding = await startLoadClient();
  const flood = floodOf(flooding, { url, keys: keys.slice(0, 1), sellers });
  const { latenciesMs: flooded } = await client.run(neighbour);
  const { latenciesMs: carts } = await flood;
  await flooding.close();
  const [before, after] = [quantile(quiet, 0.95), quantile(flooded, 0.95)];
  report.add({
    what: 'products beside a flood of carts, p95',
    value: after / Math.max(before, MIN_P95_MS),
    unit: 'times quiet',
    limit: { max: MAX_P95_RATIO },
    details: `${after.toFixed(1)} after ${before.toFixed(1)} ms; p50 ${quantile(flooded, 0.5).toFixed(1)} after ${quantile(quiet, 0.5).toFixed(1)} ms; ${carts.length} carts over ${FLOOD_CONNECTIONS} connections`,
  });
}

function floodOf(client: LoadClient, { url, keys, sellers }: Pick<MeasuredMenus, 'url' | 'keys' | 'sellers'>) {
  const paths = cartAsks(sellers).map(cartPath);
  return client.run({ url, keys, paths, connections: FLOOD_CONNECTIONS, ms: PHASE_MS });
}
