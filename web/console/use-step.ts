import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { ApiError, statusOf } from '../request.ts';
import { useRun } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';
import type { LiveOrders } from './live-orders.ts';
import type { Tell } from './notices.tsx';
import { conflictSentence } from './order-words.ts';

/** State that all parts of the page share. */
export type Desk = { context: ConsoleContext; live: LiveOrders; tell: Tell };

export type Steps = {
  /** Name of the running step; empty if there is none. */
  busy: string;
  error: string;
  /**
   * Takes a step and shows the changed order; undefined if the step was not taken. `refusals` are the step's own
   * sentences for error codes.
   */
  take(step: string, body?: object, refusals?: Refusals): Promise<StoreOrder | undefined>;
};

/** Props of an order's dialogs. */
export type DialogProps = { desk: Desk; order: StoreOrder; steps: Steps; close: () => void };

type Refusals = Readonly<Record<string, string>>;

/** Takes steps of an order. A step is shown as done only once the service has confirmed it. */
export function useSteps({ context, live, tell }: Desk, order: StoreOrder): Steps {
  const { busy, error, run } = useRun();

  async function take(step: string, body?: object, refusals?: Refusals): Promise<StoreOrder | undefined> {
    let taken: StoreOrder | undefined;
    const path = `/store/orders/${encodeURIComponent(order.order_id)}/${step}`;
    await run(step, async () => {
      try {
        taken = await context.api.send<StoreOrder>('POST', path, body);
        live.put(taken);
      } catch (failure) {
        // For a refused item, shows the reason; a refused step was usually taken elsewhere.
        const own = failure instanceof ApiError ? refusals?.[failure.code] : undefined;
        if (own) throw new Error(own);
        if (statusOf(failure) !== 409 || !(await live.look())) throw failure;
        tell(conflictSentence(live.now().orders.get(order.order_id) ?? order, context));
      }
    });
    return taken;
  }

  return { busy, error, take };
}
