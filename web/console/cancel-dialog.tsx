import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import { CANCEL_REASONS, money } from './order-words.ts';
import type { Steps } from './use-step.ts';

const MAX_REASON = 200;
const OTHER = 'other';
const DECLINE = { verb: 'Decline', working: 'Declining…' };
const CANCEL = { verb: 'Cancel', working: 'Canceling…' };

type Props = { order: StoreOrder; steps: Steps; close: () => void };

/** Asks why an order is canceled, and cancels it; an order that is not confirmed yet is declined. */
export function CancelDialog({ order, steps, close }: Props) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const sent = reason === OTHER ? typed.trim() : reason;
  const words = order.status === 'awaiting_confirmation' ? DECLINE : CANCEL;
  const reasons = CANCEL_REASONS.filter(({ code }) => code !== 'no_driver' || !order.pickup);

  async function cancel(event: Event): Promise<void> {
    event.preventDefault();
    await steps.take('cancel', { reason: sent });
    close();
  }

  return (
    <Dialog title={`${words.verb} order ${order.order_number}?`} close={close}>
      <form onSubmit={cancel}>
        <fieldset>
          <legend>Why? The customer reads it.</legend>
          <div class="choices">
            {[...reasons, { code: OTHER, words: 'Another reason' }].map((each) => (
              <label class="choice" key={each.code}>
                <input
                  type="radio"
                  name="reason"
                  value={each.code}
                  checked={reason === each.code}
                  onChange={() => setReason(each.code)}
                />
                {each.words}
              </label>
            ))}
          </div>
        </fieldset>
        {reason === OTHER && (
          <label class="field">
            In your words
            <input
              type="text"
              maxLength={MAX_REASON}
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
        )}
        <p class="hint">
          What the customer has paid, {money(order.total_with_tip - order.refunded_amount)}, is given back. This cannot
          be undone.
        </p>
        <Alert text={steps.error} />
        <div class="buttons">
          <Button onPress={close}>Keep the order</Button>
          <Button kind="danger" submit isOff={sent === ''} isBusy={steps.busy === 'cancel'}>
            {steps.busy === 'cancel' ? words.working : `${words.verb} the order`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
