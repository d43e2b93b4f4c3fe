import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { call } from './api.ts';
import { useRun } from './hooks.ts';
import { DialogFoot } from './parts.tsx';

const MINUTES = [10, 15, 20, 30, 45, 60];
const REASONS = [
  "The store isn't answering",
  'The store is closed',
  'The kitchen is too busy',
  'Out of stock',
  'The customer asked to cancel',
];

type OrderLabel = { order_id: string; order_number: string; store_name: string };
type Props = { order: OrderLabel; onClose(): void; onDone(): void };

/** Confirms an order on behalf of its store. */
export function ConfirmDialog({ order, onClose, onDone }: Props) {
  const [minutes, setMinutes] = useState(20);
  const running = useRun();
  const submit = (event: Event) => {
    event.preventDefault();
    running.run(async () => {
      await call('confirmAnyOrder', { path: { order_id: order.order_id }, body: { preparation_minutes: minutes } });
      onDone();
    });
  };
  return (
    <Dialog title={`Confirm ${order.order_number} at ${order.store_name}`} close={onClose}>
      <form onSubmit={submit}>
        <p>Confirm only what the store told you. The customer sees the new time right away.</p>
        <fieldset>
          <legend>Minutes until ready</legend>
          <div class="choices">
            {MINUTES.map((choice) => (
              <button key={choice} type="button" aria-pressed={choice === minutes} onClick={() => setMinutes(choice)}>
                {choice}
              </button>
            ))}
            <input
              type="number"
              aria-label="Minutes"
              min="1"
              max="1440"
              required
              value={minutes}
              onInput={({ currentTarget }) => setMinutes(currentTarget.valueAsNumber)}
            />
          </div>
        </fieldset>
        <DialogFoot running={running} verb={`Confirm with ${minutes || '…'} min`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Cancels an order on behalf of its store; the customer is refunded in full. */
export function CancelDialog({ order, onClose, onDone }: Props) {
  const [reason, setReason] = useState(REASONS[0] ?? '');
  const running = useRun();
  const submit = (event: Event) => {
    event.preventDefault();
    running.run(async () => {
      await call('cancelAnyOrder', { path: { order_id: order.order_id }, body: { reason } });
      onDone();
    });
  };
  return (
    <Dialog title={`Cancel ${order.order_number} at ${order.store_name}`} close={onClose}>
      <form onSubmit={submit}>
        <p>The rest of the charge is refunded to the card. The customer and the account see this reason.</p>
        <label>
          Reason
          <input
            type="text"
            list="reasons"
            maxLength={200}
            required
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        <datalist id="reasons">
          {REASONS.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
        <DialogFoot running={running} verb="Cancel order" tone="bad" onClose={onClose} />
      </form>
    </Dialog>
  );
}
