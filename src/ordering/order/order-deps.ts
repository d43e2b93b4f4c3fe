import type { Coordinate } from 'doorstep/search-engine/geography';
import type { Logger } from 'pino';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Geocoding } from '../../supply/addresses/geocoding.cache.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import type { TaxCalculator } from '../../supply/pricing/tax-calculator.ts';
import type { CodeGuesses } from '../../supply/promotions/code-guesses.flow.ts';
import type { Gateways } from '../payments/payment-gateway.ts';
import type { Order } from './order.ts';
import type { OrderStatements } from './order-statements.db.ts';
import type { OrderMessage } from './present-order.ts';

/** The part of store search that orders need: stores with a name, nearest first. One may fulfill the whole order. */
export type NamedStores = {
  nearestNamed(name: string, near: Coordinate, sandbox: string | null, limit: number): string[];
};

/** Dependencies of an order's whole life. Each flow, route and job selects its part with `Pick`. */
export type OrderDeps = {
  db: Db;
  clock: Clock;
  config: Config;
  log: Logger;
  tokens: TokenSealer;
  inventory: InventoryCache;
  orderStatements: OrderStatements;
  codeGuesses: CodeGuesses;
  gateways: Gateways;
  geocoding: Geocoding;
  jobs: Jobs;
  search: NamedStores;
  /** Computes the taxes of live orders; undefined where they are the store's. */
  taxes: TaxCalculator | undefined;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
};

/** Dependencies of flows that charge, look up a charge, or refund it. */
export type ResolveChargeDeps = Pick<
  OrderDeps,
  'config' | 'clock' | 'db' | 'jobs' | 'gateways' | 'inventory' | 'orderStatements'
>;

/** Dependencies of placing a quoted order. */
export type PlaceOrderDeps = ResolveChargeDeps & Pick<OrderDeps, 'tokens'>;

/** Dependencies of quoting and placing an order. */
export type CreateOrderDeps = PlaceOrderDeps &
  Pick<OrderDeps, 'codeGuesses' | 'geocoding' | 'log' | 'search' | 'taxes'>;

/** Reads the messages to the customers of orders, in the order of the orders. */
export type MessagesOfOrders = (orders: readonly Order[]) => Promise<OrderMessage[][]>;
