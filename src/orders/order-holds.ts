import { type Sandbox, sandboxOf } from '../accounts/account.ts';
import type { HeldStock, Order } from './order.ts';

/** What an order holds of its store, and in whose count: a sandbox's, or the live count (null). */
export type Holds = { sandbox: Sandbox; stock: readonly HeldStock[]; slot: boolean };

type HoldFields = Pick<Order, 'stockHeld' | 'slotHeld' | 'sandboxStockHeld' | 'sandboxSlotHeld'>;

/**
 * An order holds in one count at a time: in its sandbox's, or in the live count. A sandbox order that an earlier version
 * of the service has placed holds in the live count until it ends, and gives back to that count.
 */
export function holdsOf(order: HoldFields & Pick<Order, 'accountId' | 'mode'>): Holds {
  const { stockHeld, slotHeld, sandboxStockHeld, sandboxSlotHeld } = order;
  const sandbox = slotHeld || stockHeld.length > 0 ? null : sandboxOf(order);
  if (sandbox === null) return { sandbox, stock: stockHeld, slot: slotHeld };
  return { sandbox, stock: sandboxStockHeld, slot: sandboxSlotHeld };
}

/** The fields of an order that holds this and nothing else. */
export function holdFieldsOf({ sandbox, stock, slot }: Holds): HoldFields {
  const [live, own] = sandbox === null ? [{ stock, slot }, NOTHING] : [NOTHING, { stock, slot }];
  return { stockHeld: live.stock, slotHeld: live.slot, sandboxStockHeld: own.stock, sandboxSlotHeld: own.slot };
}

const NOTHING = { stock: [], slot: false };
