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
const { refund } = words;

type Previewed = { preview_id: string; amount: number; taxes: number; payout: number };

/** An amount, else units of items, as JSON; empty while neither is filled in. */
function whatIn(form: FormData): string {
  const items = form
    .getAll('units')
    .flatMap((units, index) => (Number(units) ? [{ index, quantity: Number(units) }] : []));
  const amount = readAmount(String(form.get('amount')));
  return amount === undefined && items.length === 0
    ? ''
    : JSON.stringify(amount === undefined ? { items } : { amount });
}

/** Refunds units of items, or an amount: shows who gets what, and confirms exactly that. */
export function RefundDialog({ desk, order, close }: { desk: Desk; order: StoreOrder; close: () => void }) {
  const { api, format } = desk.context;
  const [what, setWhat] = useState('');
  const [shown, setShown] = useState<Previewed>();
  const { busy, error, run } = useRun();
  const send = (more: object) =>
    api.send<Previewed>('POST', `/store/orders/${order.order_id}/refund`, { ...JSON.parse(what), ...more });
  useEffect(() => {
    setShown(undefined);
    const preview = () => run('preview', async () => setShown(await send({ preview: true })));
    const timer = what === '' ? undefined : setTimeout(preview, PREVIEW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [what, order.refunds.length, order.adjusted_amount]);
  async function give(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const reason = new FormData(event.currentTarget as HTMLFormElement).get('reason');
    const isGiven = await run('give', () => send({ reason, preview_id: shown?.preview_id }));
    await desk.live.look();
    if (isGiven) close();
  }
  const { amount = 0, taxes = 0, payout = 0 } = shown ?? {};
  const outcome = { amount: format.money(amount), taxes: format.money(taxes), payout: format.money(payout) };
  return (
    <Dialog title={refund.title({ number: order.order_number })} close={close}>
      <form onInput={({ currentTarget }) => setWhat(whatIn(new FormData(currentTarget)))} onSubmit={give}>
        <div class="fields">
          {order.items.map(({ name, fulfilled_quantity: quantity }, at) => (
            <label key={at} class="field">
              {refund.units({ name, quantity })}
              <input type="number" name="units" min="0" max={quantity} />
            </label>
          ))}
          <label class="field">
            {refund.amount}
            <input type="text" name="amount" inputmode="decimal" maxLength={10} />
          </label>
          <label class="field">
            {words.cancel.why}
            <input type="text" name="reason" maxLength={200} required />
          </label>
        </div>
        <p class="hint" role="status">
          {shown && refund.outcome(outcome)}
        </p>
        <Alert text={error} />
        <div class="buttons">
          <Button onPress={close}>{words.frame.back}</Button>
          <Button kind="danger" submit isOff={!shown} isBusy={busy === 'give'}>
            {refund.give}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
