import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import type { ConsoleContext } from './console-context.ts';
import type { Connection } from './live-orders.ts';

/** Warns at once when the shown orders may be out of date. */
export function ConnectionBar({ connection }: { connection: Connection }) {
  const { streamDown: looking, lost } = words.frame;
  const text = { live: '', connecting: '', looking, lost }[connection];
  return (
    <div role="alert" class={text ? `strip ${connection}` : 'unseen'}>
      {text && <p>{text}</p>}
    </div>
  );
}

/** Shown in every view of a sandbox console. */
export function SandboxBar({ sandbox }: { sandbox: string | undefined }) {
  if (sandbox === undefined) return null;
  return (
    <aside class="strip sandbox" aria-label={words.frame.sandbox}>
      <p>
        <strong>{words.frame.sandbox}</strong> {words.frame.sandboxBar({ account: sandbox })}
      </p>
    </aside>
  );
}

/** Beyond it, a bar of their numbers would take the place of the orders. */
const MAX_NAMED = 5;

type RingProps = { context: ConsoleContext; ringing: readonly StoreOrder[]; acknowledge: () => void };

/** New orders that have not been acknowledged, and the button that stops the ringing. */
export function RingBar({ context, ringing, acknowledge }: RingProps) {
  const count = ringing.length;
  const numbers = context.format.list(ringing.slice(0, MAX_NAMED).map(({ order_number }) => order_number));
  const { newOrders, manyNewOrders } = words.frame;
  return (
    <div role="status" class={count > 0 ? 'strip ring' : 'unseen'}>
      {count > 0 && (
        <>
          <p>
            <strong>{count > MAX_NAMED ? manyNewOrders({ count }) : newOrders({ count, numbers })}</strong>
          </p>
          <Button kind="main" onPress={acknowledge} text={words.frame.onIt} />
        </>
      )}
    </div>
  );
}

/** Asks for a first touch of the page, which browsers require before it may play sound. */
export function SoundBar({ isAllowed }: { isAllowed: boolean }) {
  if (isAllowed) return null;
  return (
    <div role="status" class="strip sound">
      <p>{words.frame.soundOff}</p>
      <Button text={words.frame.soundOn} />
    </div>
  );
}
