import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { BareField } from '../field.tsx';
import { call } from './api.ts';
import type { DeskProps } from './desk.tsx';
import { ActionDialog } from './parts.tsx';

const MINUTES = [10, 15, 20, 30, 45, 60];

/** Confirms an order on behalf of its store. */
export function ConfirmDialog({ order, onClose, onDone }: DeskProps) {
  const [minutes, setMinutes] = useState(20);
  const path = { order_id: order.order_id };
  const body = { preparation_minutes: minutes };
  return (
    <ActionDialog
      title={`Confirm ${order.order_number} at ${order.store_name}`}
      verb={`Confirm with ${minutes || '…'} min`}
      onClose={onClose}
      send={() => call('POST /operator/orders/:order_id/confirm', { path, body }).then(onDone)}
    >
      <p>Confirm only what the store told you. The customer sees the new time right away.</p>
      <fieldset>
        <legend>Minutes until ready</legend>
        <div class="buttons">
          {MINUTES.map((choice) => (
            <Button key={choice} aria-pressed={choice === minutes} onPress={() => setMinutes(choice)} text={choice} />
          ))}
          <BareField
            type="number"
            label="Minutes"
            min="1"
            max="1440"
            required
            value={minutes || ''}
            set={(typed) => setMinutes(Number(typed))}
          />
        </div>
      </fieldset>
    </ActionDialog>
  );
}
