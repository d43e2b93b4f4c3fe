import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { readAmount } from '../../src/ordering/money/offered-tips.ts';
import { phoneInWords, readPhone } from '../../src/platform/lib/phone.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Dialog } from '../dialog.tsx';
import { messageOf, statusOf } from './api.ts';
import { Button } from './button.tsx';
import { MissingDialog } from './item-dialog.tsx';
import { keep, readStored } from './local-storage.ts';
import { Alert } from './notices.tsx';
import { CANCEL_REASONS, reasonInWords, vehicleInWords } from './order-words.ts';
import { RefundDialog } from './refund-dialog.tsx';
import type { Desk, Steps } from './use-step.ts';

/* Dialogs of one order: decline or cancel it, hand it over, name its driver, and print it. */

export type DialogName = 'cancel' | 'driver' | 'item' | 'print' | 'handover' | 'late' | 'refund';
type Props = { desk: Desk; order: StoreOrder; steps: Steps; name: DialogName | undefined; close: () => void };

/** The open dialog of an order; one at a time. */
export function OrderDialog({ name, ...props }: Props) {
  if (name === 'cancel') return <CancelDialog {...props} />;
  if (name === 'driver') return <DriverDialog {...props} />;
  if (name === 'handover') return <HandoverDialog {...props} />;
  if (name === 'late') return <LateDialog {...props} />;
  if (name === 'item') return <MissingDialog {...props} />;
  if (name === 'refund') return <RefundDialog {...props} />;
  return name === 'print' ? <PrintDialog {...props} /> : null;
}

const LATE_MINUTES = [5, 10, 15, 20, 30] as const;
const { late } = words;

/** Delays an order; the customer gets the new time. */
function LateDialog({ desk, order: { order_number: number, ready_by }, steps, close }: CancelProps) {
  async function delay(minutes: number): Promise<void> {
    await steps.take('delay', { minutes, ready_by: ready_by ?? undefined }, { transition_not_allowed: late.refused });
    close();
  }
  return (
    <Dialog title={late.title({ number })} close={close}>
      <p class="hint">{late.hint}</p>
      <div class="press-row">
        {LATE_MINUTES.map((minutes) => (
          <Button key={minutes} isBusy={steps.busy === 'delay'} onPress={() => void delay(minutes)}>
            +{desk.context.format.minutes(minutes)}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

const MAX_REASON = 200;
const OTHER = 'other';
const { cancel } = words;
const DECLINE = { title: cancel.declineTitle, action: cancel.decline, working: cancel.declining };
const CANCEL = { title: cancel.cancelTitle, action: cancel.cancel, working: cancel.canceling };

type CancelProps = { desk: Desk; order: StoreOrder; steps: Steps; close: () => void };

/** Asks for the reason and cancels the order; an order that is not confirmed yet is declined. */
function CancelDialog({ desk, order, steps, close }: CancelProps) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const sent = reason === OTHER ? typed.trim() : reason;
  const kind = order.status === 'awaiting_confirmation' ? DECLINE : CANCEL;
  const reasons = CANCEL_REASONS.filter((code) => code !== 'no_driver' || !order.pickup);
  const amount = desk.context.format.money(order.total_with_tip - order.refunded_amount);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    await steps.take('cancel', { reason: sent });
    close();
  }

  return (
    <Dialog title={kind.title({ number: order.order_number })} close={close}>
      <form onSubmit={submit}>
        <fieldset>
          <legend>{cancel.why}</legend>
          <div class="choices">
            {[...reasons, OTHER].map((code) => (
              <label class="choice" key={code}>
                <input
                  type="radio"
                  name="reason"
                  value={code}
                  checked={reason === code}
                  onChange={() => setReason(code)}
                />
                {code === OTHER ? cancel.other : reasonInWords(code)}
              </label>
            ))}
          </div>
        </fieldset>
        {reason === OTHER && (
          <label class="field">
            {cancel.inYourWords}
            <input
              type="text"
              maxLength={MAX_REASON}
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
        )}
        <p class="hint">{cancel.refund({ amount })}</p>
        <Alert text={steps.error} />
        <div class="buttons">
          <Button onPress={close}>{cancel.keep}</Button>
          <Button kind="danger" submit isOff={sent === ''} isBusy={steps.busy === 'cancel'}>
            {steps.busy === 'cancel' ? kind.working : kind.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Hands an order over: one with alcohol after an ID was seen, one with a code for the code, one in cash for the cash. */
function HandoverDialog({ order, steps, close }: Omit<CancelProps, 'desk'>) {
  const { idCheck, handoverCode, collected, frame } = words;
  const { order_number: number, min_age: age } = order;
  const [code, setCode] = useState('');
  const asksCode = order.drop_off?.code === true;
  const due = order.to_collect_cents;
  const [cash, setCash] = useState(((due ?? 0) / 100).toFixed(2));
  const cents = readAmount(cash);
  const isOff = (asksCode && code.length < 4) || cents === undefined;
  const isBusy = steps.busy === 'complete';
  async function complete(event: Event): Promise<void> {
    event.preventDefault();
    const body = {
      ...(age === null ? {} : { id_checked: true }),
      ...(asksCode ? { code } : {}),
      ...(due === undefined ? {} : { collected_cents: cents }),
    };
    if (await steps.take('complete', body, { wrong_code: handoverCode.wrong })) close();
  }
  const dialogWords = age !== null ? idCheck : asksCode ? handoverCode : collected;
  const title = dialogWords.title({ number });
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={(event) => void complete(event)}>
        {age !== null && <p>{idCheck.why({ age })}</p>}
        {asksCode && (
          <label class="field">
            {handoverCode.label}
            <input
              inputmode="numeric"
              autocomplete="off"
              maxLength={4}
              value={code}
              onInput={({ currentTarget }) => setCode(currentTarget.value)}
            />
            <span class="hint">{handoverCode.why}</span>
          </label>
        )}
        {due !== undefined && (
          <label class="field">
            {collected.label}
            <input
              inputmode="decimal"
              autocomplete="off"
              maxLength={10}
              value={cash}
              onInput={({ currentTarget }) => setCash(currentTarget.value)}
            />
          </label>
        )}
        <Alert text={steps.error} />
        <div class="buttons">
          <Button kind="primary" submit isOff={isOff} isBusy={isBusy}>
            {isBusy ? frame.saving : age === null ? handoverCode.done : idCheck.done}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const DRIVERS_KEY = 'drivers';
const MAX_RECENT_DRIVERS = 4;
const VEHICLES = ['car', 'bicycle', 'motorcycle', 'scooter', 'on foot'];

type Driver = { name: string; phone: number; vehicle_type: string };
/** Assigns a driver of the store to a delivery. The last drivers of this tablet are one tap away. */
function DriverDialog({ order, steps, close }: { order: StoreOrder; steps: Steps; close: () => void }) {
  const recent = readStored<readonly Driver[]>(DRIVERS_KEY, []);
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const [vehicle, setVehicle] = useState('car');
  const digits = readPhone(phone)?.number;

  async function assign(driver: Driver): Promise<void> {
    const taken = await steps.take('assign_driver', driver);
    if (!taken) return;
    keep(DRIVERS_KEY, [driver, ...recent.filter((other) => other.phone !== driver.phone)].slice(0, MAX_RECENT_DRIVERS));
    close();
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (digits !== undefined) void assign({ name: name.trim(), phone: digits, vehicle_type: vehicle });
  }

  const isBusy = steps.busy === 'assign_driver';
  return (
    <Dialog title={words.driver.title({ number: order.order_number })} close={close}>
      {recent.length > 0 && (
        <div class="choices">
          {recent.map((driver) => (
            <Button key={driver.phone} isBusy={isBusy} onPress={() => assign(driver)}>
              <span class="two-lines">
                <strong>{driver.name}</strong>
                <span>
                  {phoneInWords(driver.phone)}, {vehicleInWords(driver.vehicle_type)}
                </span>
              </span>
            </Button>
          ))}
        </div>
      )}
      <form onSubmit={submit}>
        <div class="fields">
          <label class="field">
            {words.driver.name}
            <input
              type="text"
              maxLength={100}
              autocomplete="off"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
          <label class="field">
            {words.driver.phone}
            <input
              type="tel"
              autocomplete="off"
              value={phone}
              onInput={({ currentTarget }) => setPhone(currentTarget.value)}
            />
          </label>
          <label class="field">
            {words.driver.vehicle}
            <select value={vehicle} onChange={({ currentTarget }) => setVehicle(currentTarget.value)}>
              {VEHICLES.map((each) => (
                <option key={each} value={each}>
                  {vehicleInWords(each)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <Alert text={steps.error} />
        <div class="buttons">
          <Button onPress={close}>{words.frame.back}</Button>
          <Button kind="primary" submit isOff={name.trim() === '' || digits === undefined} isBusy={isBusy}>
            {isBusy ? words.driver.assigning : words.driver.assign}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const { print } = words;
const DOCUMENTS = [
  { document: 'kitchen', words: print.kitchen, again: print.kitchenAgain, sent: print.kitchenSent },
  { document: 'receipt', words: print.receipt, again: print.receiptAgain, sent: print.receiptSent },
] as const;
type TicketDocument = (typeof DOCUMENTS)[number]['document'];

/** Lifetime of a print frame, longer than a printer dialog is open. A frame costs only its memory. */
const PRINT_FRAME_LIFETIME_MS = 600_000;

type PrintProps = { desk: Desk; order: StoreOrder; close: () => void };

/** Shows a ticket, prints it in the browser, or reprints it on the store's printer. */
export function PrintDialog({ desk: { context, tell }, order, close }: PrintProps) {
  const [busy, setBusy] = useState('');
  const [error, setError] = useState('');

  async function printAgain({ document, sent }: (typeof DOCUMENTS)[number]): Promise<void> {
    setBusy(document);
    setError('');
    try {
      await context.api.send('POST', `/store/orders/${encodeURIComponent(order.order_id)}/print`, { document });
      tell(sent({ number: order.order_number }));
      close();
    } catch (failure) {
      // A 409 here means that the store has no printer.
      setError(statusOf(failure) === 409 ? print.noPrinter : messageOf(failure));
      setBusy('');
    }
  }

  function printHere(document: TicketDocument): void {
    printPage(`${context.ticketPath(order.order_id)}?document=${document}`);
    close();
  }

  return (
    <Dialog title={print.title({ number: order.order_number })} close={close}>
      <h3>{print.here}</h3>
      <div class="choices">
        {DOCUMENTS.map((each) => (
          <Button key={each.document} onPress={() => printHere(each.document)}>
            {each.words}
          </Button>
        ))}
      </div>
      <h3>{print.onScreen}</h3>
      <div class="choices">
        {DOCUMENTS.map(({ document, words: name }) => (
          <a
            key={document}
            class="button plain"
            href={`${context.ticketPath(order.order_id)}?document=${document}`}
            target="_blank"
            rel="noopener"
          >
            {name}
          </a>
        ))}
      </div>
      <h3>{print.again}</h3>
      <div class="choices">
        {DOCUMENTS.map((each) => (
          <Button key={each.document} isBusy={busy === each.document} onPress={() => printAgain(each)}>
            {each.again}
          </Button>
        ))}
      </div>
      <Alert text={error} />
      <div class="buttons">
        <Button onPress={close}>{words.frame.back}</Button>
      </div>
    </Dialog>
  );
}

/** Opens the browser's print dialog for a page of this site. */
function printPage(url: string): void {
  const frame = document.createElement('iframe');
  frame.className = 'unseen';
  frame.title = print.frame;
  frame.src = url;
  frame.addEventListener('load', () => frame.contentWindow?.print());
  document.body.append(frame);
  window.setTimeout(() => frame.remove(), PRINT_FRAME_LIFETIME_MS);
}
