import type { GaugeValue } from '../../platform/lib/metrics.ts';
import type { Deps } from './deps.ts';

type MemoryMetricsDeps = Pick<Deps, 'metrics' | 'connectionUse' | 'search' | 'storeFeed' | 'productIndexes'>;

const single = (value: number | undefined): readonly GaugeValue<never>[] =>
  value === undefined ? [] : [{ labels: {}, value }];

/** Registers memory metrics: of the process, its connections and, if it answers searches, its index. */
export function measureMemory(deps: MemoryMetricsDeps, { isSearching }: { isSearching: boolean }): void {
  const { metrics, connectionUse } = deps;
  metrics.gauges(
    {
      name: 'doorstep_database_connections',
      help: "Connections of the process's pool to the database, by state.",
      labels: ['state'],
    },
    () => {
      const { busy, idle } = connectionUse();
      return [
        { labels: { state: 'busy' }, value: busy },
        { labels: { state: 'idle' }, value: idle },
      ];
    },
  );
  metrics.gauge('doorstep_database_connections_max', 'Connections that the pool may open.', () => connectionUse().max);
  metrics.gauge(
    'doorstep_database_waiting',
    'Statements and transactions that wait for a connection.',
    () => connectionUse().waiting,
  );
  if (isSearching) measureIndex(deps);
}

function measureIndex({ metrics, search, storeFeed, productIndexes }: MemoryMetricsDeps): void {
  metrics.gauge('doorstep_search_loaded', 'Whether the search index has every store.', () =>
    storeFeed.isLoaded ? 1 : 0,
  );
  metrics.gauges(
    { name: 'doorstep_search_stores', help: 'Listed stores of the search index, by kind.', labels: ['kind'] },
    () => {
      const { stores, sellers } = search.count();
      return [
        { labels: { kind: 'listed' }, value: stores },
        { labels: { kind: 'with_catalog' }, value: sellers },
      ];
    },
  );
  metrics.gauge(
    'doorstep_search_document_bytes',
    'Bytes of the documents of stores in the search index.',
    () => search.documentBytes,
  );
  metrics.gauges(
    {
      name: 'doorstep_search_lag_seconds',
      help: 'How old the moment is up to which search has every change of a store; about a second.',
      labels: [],
    },
    () => single(storeFeed.lagSeconds()),
  );
  metrics.gauge('doorstep_product_indexes', 'Product indexes in memory.', () => productIndexes.indexCount);
  metrics.gauge('doorstep_product_index_products', 'Products in memory.', () => productIndexes.productCount);
}
