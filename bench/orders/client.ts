import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** An account's key and the body of its orders. */
export type Shopper = { key: string; body: string };

/** Orders placed sequentially per connection, round-robin over the shoppers. */
export type Orders = {
  url: string;
  shoppers: readonly Shopper[];
  connections: number;
  /** Maximum orders per connection; no order starts after `ms`. */
  rounds: number;
  ms: number;
};

export type Placed = {
  seconds: number;
  latenciesMs: number[];
};

/** A client in a child process that exits with this process. */
export type OrderClient = {
  place(orders: Partial<Orders> & Pick<Orders, 'url' | 'shoppers'>): Promise<Placed>;
  close(): Promise<void>;
};

export async function startOrderClient(): Promise<OrderClient> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'client-child.ts'), [], { serialization: 'advanced' });
  await once(child, 'message');
  return {
    async place(orders) {
      child.send({ connections: 1, rounds: Infinity, ms: Infinity, ...orders });
      const [placed] = (await once(child, 'message')) as [Placed | { fault: string }];
      if ('fault' in placed) throw new Error(placed.fault);
      return placed;
    },
    async close() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

const WARM_UP_CLIENTS = 32;
/** Orders until the code is JIT-compiled; the first ones cost several times as much. */
const WARM_UP_ORDERS = 4000;

/** Places unmeasured orders to warm up the process. */
export async function warmUp(client: OrderClient, orders: Parameters<OrderClient['place']>[0]): Promise<void> {
  await client.place({ ...orders, connections: WARM_UP_CLIENTS, rounds: WARM_UP_ORDERS / WARM_UP_CLIENTS });
}
