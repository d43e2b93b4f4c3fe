import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { readAmount } from '../../src/ordering/money/offered-tips.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import { useRun } from './hooks.ts';
import { Alert } from './notices.tsx';
import type { Desk } from './use-step.ts';

const PREVIEW_DELAY_MS = 250;
const MAX_REASON = 200;
const { refund } = words;

type Previewed = { preview_id: string; amount: number; taxes: number; payout: number };
type Props = { desk: Desk; order: StoreOrder; close: () => void };

/** Refunds units of items, or an amount: shows who gets what, and confirms exactly that. */
export function RefundDialog({ desk: { context, live }, order, close }: Props) {
  const [units, setUnits] = useState<readonly number[]>(order.items.map(() => 0));
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [shown, setShown] = useState<Previewed>();
  const { busy, error, run } = useRun();
  const items = units.flatMap((quantity, index) => (quantity > 0 ? [{ index, quantity }] : []));
  const what = typed === '' ? { items } : { amount: readAmount(typed) };
  const request = items.length > 0 || what.amount ? JSON.stringify(what) : '';
  const path = `/store/orders/${encodeURIComponent(order.order_id)}/refund`;
  const send = (more: object) => context.api.send<Previewed>('POST', path, { ...what, ...more });

  useEffect(() => {
    setShown(undefined);
    if (request === '') return;
    const timer = setTimeout(
      () => run('preview', async () => setShown(await send({ preview: true }))),
      PREVIEW_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [request, order.timestamp, order.refunds.length]);

  async function give(event: Event): Promise<void> {
    event.preventDefault();
    const isGiven = await run('give', () => send({ reason: reason.trim(), preview_id: shown?.preview_id }));
    await live.look();
    if (isGiven) close();
  }

  const { money } = context.format;
  const outcome = shown && { amount: money(shown.amount), taxes: money(shown.taxes), payout: money(shown.payout) };
  return (
    <Dialog title={refund.title({ number: order.order_number })} close={close}>
      <form onSubmit={give}>
        <div class="fields">
          {order.items.map(({ name, fulfilled_quantity: quantity }, at) => (
            <label key={at} class="field">
              {refund.units({ name, quantity })}
              <input
                type="number"
                min="0"
                max={quantity}
                value={units[at]}
                disabled={typed !== ''}
                onInput={({ currentTarget }) => setUnits(units.with(at, currentTarget.valueAsNumber || 0))}
              />
            </label>
          ))}
          <Text label={refund.amount} value={typed} max={10} set={setTyped} />
          <Text label={words.cancel.why} value={reason} max={MAX_REASON} set={setReason} />
        </div>
        <p class="hint" role="status">
          {outcome && refund.outcome(outcome)}
        </p>
        <Alert text={error} />
        <div class="buttons">
          <Button onPress={close}>{words.frame.back}</Button>
          <Button kind="danger" submit isOff={!shown || reason.trim() === ''} isBusy={busy === 'give'}>
            {refund.give}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type TextProps = { label: string; value: string; max: number; set: (text: string) => void };
const Text = ({ label, value, max, set }: TextProps) => (
  <label class="field">
    {label}
    <input type="text" maxLength={max} value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
  </label>
);
