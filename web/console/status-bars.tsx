import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { Button } from './button.tsx';
import type { Connection } from './live-orders.ts';

/** Says at once when the page may not show the orders as they are. */
export function ConnectionBar({ connection }: { connection: Connection }) {
  const words = {
    live: '',
    connecting: '',
    looking: 'The live connection is down. The list is read every ten seconds.',
    lost: 'No connection. New orders do not arrive here; trying again by itself.',
  }[connection];
  return (
    <div role="alert" class={words ? `bar ${connection}` : 'unseen'}>
      {words && <p>{words}</p>}
    </div>
  );
}

/** In every view of a sandbox console. */
export function SandboxBar({ sandbox }: { sandbox: string | undefined }) {
  if (sandbox === undefined) return null;
  return (
    <aside class="bar sandbox" aria-label="Sandbox">
      <p>
        <strong>Sandbox</strong> Test orders from {sandbox}: nothing is cooked, and no card is charged.
      </p>
    </aside>
  );
}

type RingProps = { ringing: readonly StoreOrder[]; isHeard: boolean; acknowledge: () => void };

/** The new orders that nobody has seen yet, and how to end their ringing. */
export function RingBar({ ringing, isHeard, acknowledge }: RingProps) {
  const numbers = ringing.map(({ order_number }) => order_number).join(', ');
  return (
    <div role="status" class={ringing.length > 0 ? 'bar ring' : 'unseen'}>
      {ringing.length > 0 && (
        <>
          <p>
            <strong>
              {ringing.length === 1 ? `New order ${numbers}` : `${ringing.length} new orders: ${numbers}`}
            </strong>
          </p>
          <Button kind="primary" onPress={acknowledge}>
            {isHeard ? 'Stop ringing' : 'Seen'}
          </Button>
        </>
      )}
    </div>
  );
}

/** Browsers let a page sound only after a first touch of it. */
export function SoundBar({ isAllowed }: { isAllowed: boolean }) {
  if (isAllowed) return null;
  return (
    <div role="status" class="bar sound">
      <p>The sound is off until this page is touched once.</p>
      <Button>Turn the sound on</Button>
    </div>
  );
}
