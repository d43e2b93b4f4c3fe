import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The workloads of the growth bench, by their names in bench/continent/workloads.ts. */
export const SEARCHES = ['browse', 'one word of a name', 'cuisine and minimum rating'] as const;
export type SearchName = (typeof SEARCHES)[number];

/** What a search costs: microseconds of the service's processor each, and answers per second on 8 connections. */
export type SearchCost = { cpuMicros: number; perSecond: number; p99Ms: number };

/** One node with so many stores. Memory is resident. */
export type SizeFigures = {
  stores: number;
  at: string;
  searches: Record<SearchName, SearchCost>;
  /** Seconds from the start of the process until a search is answered. */
  readyS: number;
  readyFromSnapshotS: number;
  startedMb: number;
  loadedMb: number;
  snapshotMb: number;
};

/** Placed and charged orders at so many clients, beside one-row commits through the same driver. */
export type OrderFigures = {
  clients: number;
  at: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the service, without PostgreSQL. */
  cpuMicros: number;
  /** One-row insert-commits a second, over at most as many connections as the service has. */
  commitsPerSecond: number;
};

export type Growth = { machine: string; sizes: SizeFigures[]; orders: OrderFigures[] };

const DOCS = join(import.meta.dirname, '../../docs');
/** The figures that docs/performance.md shows; a later run adds to the file. */
const FILE = join(DOCS, 'growth.json');
export const IMAGES = join(DOCS, 'images');
export const PAGE = join(DOCS, 'performance.md');

export function readGrowth(machine: string): Growth {
  if (!existsSync(FILE)) return { machine, sizes: [], orders: [] };
  return { ...(JSON.parse(readFileSync(FILE, 'utf8')) as Growth), machine };
}

export function writeGrowth({ machine, sizes, orders }: Growth): void {
  const sorted: Growth = {
    machine,
    sizes: sizes.toSorted((a, b) => a.stores - b.stores),
    orders: orders.toSorted((a, b) => a.clients - b.clients),
  };
  writeFileSync(FILE, `${JSON.stringify(sorted, rounded, 2)}\n`);
}

/** Three digits after the point say more than a measurement repeats. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(3)) : value;
}
