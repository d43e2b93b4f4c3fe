import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { Dialog } from '../dialog.tsx';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import { MissingDialog } from './item-dialog.tsx';
import { keep, readKept } from './local-storage.ts';
import { Alert } from './notices.tsx';
import { CANCEL_REASONS, money, phoneInWords } from './order-words.ts';
import type { Desk, Steps } from './use-step.ts';

export type DialogName = 'cancel' | 'driver' | 'item' | 'print';
type Props = { desk: Desk; order: StoreOrder; steps: Steps; name: DialogName | undefined; close: () => void };

/** The dialog that is open for an order, one at a time. */
export function OrderDialog({ name, ...props }: Props) {
  if (name === 'cancel') return <CancelDialog {...props} />;
  if (name === 'driver') return <DriverDialog {...props} />;
  if (name === 'item') return <MissingDialog {...props} />;
  return name === 'print' ? <PrintDialog {...props} /> : null;
}

const MAX_REASON = 200;
const OTHER = 'other';
const DECLINE = { verb: 'Decline', working: 'Declining…' };
const CANCEL = { verb: 'Cancel', working: 'Canceling…' };

type CancelProps = { order: StoreOrder; steps: Steps; close: () => void };

/** Asks why an order is canceled, and cancels it; an order that is not confirmed yet is declined. */
function CancelDialog({ order, steps, close }: CancelProps) {
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

const KEPT = 'drivers';
const MAX_KEPT = 4;
const VEHICLES = ['car', 'bicycle', 'motorcycle', 'scooter', 'on foot'];

type Driver = { name: string; phone: number; vehicle_type: string };
type DriverProps = { order: StoreOrder; steps: Steps; close: () => void };

/** Digits of a phone number with its country code; a number of ten digits is American. */
function digitsOf(text: string): number | undefined {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length === 10) return Number(`1${digits}`);
  return digits.length >= 8 && digits.length <= 15 ? Number(digits) : undefined;
}

/** Gives a delivery to a driver of the store; the last drivers of this tablet are one tap away. */
function DriverDialog({ order, steps, close }: DriverProps) {
  const recent = readKept<readonly Driver[]>(KEPT, []);
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const [vehicle, setVehicle] = useState('car');
  const digits = digitsOf(phone);

  async function assign(driver: Driver): Promise<void> {
    const taken = await steps.take('assign_driver', driver);
    if (!taken) return;
    keep(KEPT, [driver, ...recent.filter((other) => other.phone !== driver.phone)].slice(0, MAX_KEPT));
    close();
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (digits !== undefined) void assign({ name: name.trim(), phone: digits, vehicle_type: vehicle });
  }

  const isBusy = steps.busy === 'assign_driver';
  return (
    <Dialog title={`Who brings order ${order.order_number}?`} close={close}>
      {recent.length > 0 && (
        <div class="choices">
          {recent.map((driver) => (
            <Button key={driver.phone} isBusy={isBusy} onPress={() => assign(driver)}>
              <span class="two-lines">
                <strong>{driver.name}</strong>
                <span>
                  {phoneInWords(driver.phone)}, {driver.vehicle_type}
                </span>
              </span>
            </Button>
          ))}
        </div>
      )}
      <form onSubmit={submit}>
        <div class="fields">
          <label class="field">
            Name
            <input
              type="text"
              maxLength={100}
              autocomplete="off"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
          <label class="field">
            Phone
            <input
              type="tel"
              autocomplete="off"
              value={phone}
              onInput={({ currentTarget }) => setPhone(currentTarget.value)}
            />
          </label>
          <label class="field">
            By
            <select value={vehicle} onChange={({ currentTarget }) => setVehicle(currentTarget.value)}>
              {VEHICLES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </div>
        <Alert text={steps.error} />
        <div class="buttons">
          <Button onPress={close}>Back</Button>
          <Button kind="primary" submit isOff={name.trim() === '' || digits === undefined} isBusy={isBusy}>
            {isBusy ? 'Assigning…' : 'Assign'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const DOCUMENTS = [
  { document: 'kitchen', words: 'Kitchen ticket' },
  { document: 'receipt', words: 'Receipt' },
] as const;
type TicketDocument = (typeof DOCUMENTS)[number]['document'];

/** Longer than any dialog of a printer is open; a frame that stays costs nothing but its memory. */
const FRAME_KEPT_MS = 600_000;

type PrintProps = { desk: Desk; order: StoreOrder; close: () => void };

/** Prints a ticket: by the browser, or again on the printer of the store. */
function PrintDialog({ desk: { context, tell }, order, close }: PrintProps) {
  const [busy, setBusy] = useState('');
  const [error, setError] = useState('');

  async function printAgain(document: TicketDocument, words: string): Promise<void> {
    setBusy(document);
    setError('');
    try {
      await context.api.send('POST', `/store/orders/${encodeURIComponent(order.order_id)}/print`, { document });
      tell(`${words} of order ${order.order_number}: sent to the printer.`);
      close();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy('');
    }
  }

  function printHere(document: TicketDocument): void {
    printPage(`${context.ticketPath(order.order_id)}?document=${document}`);
    close();
  }

  return (
    <Dialog title={`Print order ${order.order_number}`} close={close}>
      <h3>From this device</h3>
      <div class="choices">
        {DOCUMENTS.map(({ document, words }) => (
          <Button key={document} onPress={() => printHere(document)}>
            {words}
          </Button>
        ))}
      </div>
      <h3>Again on the store’s printer</h3>
      <div class="choices">
        {DOCUMENTS.map(({ document, words }) => (
          <Button key={document} isBusy={busy === document} onPress={() => printAgain(document, words)}>
            {words}, a copy
          </Button>
        ))}
      </div>
      <Alert text={error} />
      <div class="buttons">
        <Button onPress={close}>Back</Button>
      </div>
    </Dialog>
  );
}

/** Lets the browser print a page of this site. */
function printPage(url: string): void {
  const frame = document.createElement('iframe');
  frame.className = 'unseen';
  frame.title = 'Ticket';
  frame.src = url;
  frame.addEventListener('load', () => frame.contentWindow?.print());
  document.body.append(frame);
  window.setTimeout(() => frame.remove(), FRAME_KEPT_MS);
}
