import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { readAmount } from '../../src/ordering/money/offered-tips.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { phoneInWords, readPhone } from '../../src/platform/lib/phone.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Check, Field, Radios, Select, TwoLines } from '../field.tsx';
import { usePreview, useRun } from '../use-read.ts';
import { keep, readStored } from './local-storage.ts';
import { MissingDialog } from './missing-dialog.tsx';
import { CANCEL_REASONS, reasonInWords, vehicleInWords } from './order-words.ts';
import { FormDialog } from './panel.tsx';
import { PrintDialog } from './print-dialog.tsx';
import type { DialogProps } from './use-step.ts';
import { WeighDialog } from './weigh-dialog.tsx';

/* Dialogs of one order: decline, cancel, delay or refund it, hand it off, and name its driver. */

const LATE_MINUTES = [5, 10, 15, 20, 30] as const;
const { late } = words;

/** Delays an order; the customer gets the new time. */
function LateDialog({ desk, order: { order_number: number, ready_by }, steps, close }: DialogProps) {
  async function delay(minutes: number): Promise<void> {
    await steps.take('delay', { minutes, ready_by: ready_by ?? undefined }, { transition_not_allowed: late.refused });
    close();
  }
  return (
    <Dialog title={late.title({ number })} close={close}>
      <p class="hint">{late.hint}</p>
      <div class="press-row">
        {LATE_MINUTES.map((minutes) => (
          <Button
            key={minutes}
            isBusy={steps.busy === 'delay'}
            onPress={() => void delay(minutes)}
            text={`+${desk.context.format.minutes(minutes)}`}
          />
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

/** Asks for the reason and cancels the order; an order that is not confirmed yet is declined. */
function CancelDialog({ desk, order, steps, close }: DialogProps) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const sent = reason === OTHER ? typed.trim() : reason;
  const kind = order.status === 'awaiting_confirmation' ? DECLINE : CANCEL;
  const reasons = CANCEL_REASONS.filter((code) => code !== 'no_driver' || !order.pickup);
  const amount = desk.context.format.money(order.total_with_tip - order.refunded_amount);

  async function submit(): Promise<void> {
    await steps.take('cancel', { reason: sent });
    close();
  }

  return (
    <FormDialog
      title={kind.title({ number: order.order_number })}
      back={cancel.keep}
      close={close}
      submit={submit}
      error={steps.error}
      kind="main danger"
      isOff={sent === ''}
      isBusy={steps.busy === 'cancel'}
      text={steps.busy === 'cancel' ? kind.working : kind.action}
    >
      <fieldset>
        <legend>{cancel.why}</legend>
        <Radios
          name="reason"
          value={reason}
          set={setReason}
          options={[...reasons.map((code) => [code, reasonInWords(code)] as const), [OTHER, cancel.other]]}
        />
      </fieldset>
      {reason === OTHER && (
        <Field label={cancel.inYourWords} maxLength={MAX_REASON} required value={typed} set={setTyped} />
      )}
      <p class="hint">{cancel.refund({ amount })}</p>
    </FormDialog>
  );
}

/** Hands an order over: one with alcohol after an ID was seen, one with a code for the code, one in cash for the cash. */
function HandoverDialog({ order, steps, close }: DialogProps) {
  const { idCheck, handoverCode, collected, frame } = words;
  const { order_number: number, min_age: age } = order;
  const [code, setCode] = useState('');
  const asksCode = order.drop_off?.code === true;
  const due = order.to_collect_cents;
  const [cash, setCash] = useState(((due ?? 0) / 100).toFixed(2));
  const cents = readAmount(cash);
  const isOff = (asksCode && code.length < 4) || cents === undefined;
  const isBusy = steps.busy === 'complete';
  async function complete(): Promise<void> {
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
    <FormDialog
      title={title}
      close={close}
      submit={complete}
      error={steps.error}
      isOff={isOff}
      isBusy={isBusy}
      text={isBusy ? frame.saving : age === null ? handoverCode.done : idCheck.done}
    >
      {age !== null && <p>{idCheck.why({ age })}</p>}
      {asksCode && (
        <Field
          label={handoverCode.label}
          inputmode="numeric"
          autocomplete="off"
          maxLength={4}
          minLength={4}
          required
          value={code}
          set={setCode}
        >
          <span class="hint">{handoverCode.why}</span>
        </Field>
      )}
      {due !== undefined && (
        <Field
          label={collected.label}
          inputmode="decimal"
          autocomplete="off"
          maxLength={10}
          value={cash}
          aria-invalid={cents === undefined}
          set={setCash}
        />
      )}
    </FormDialog>
  );
}

const DRIVERS_KEY = 'drivers';
const MAX_RECENT_DRIVERS = 4;
const VEHICLES = ['car', 'bicycle', 'motorcycle', 'scooter', 'on foot'];

type Driver = { name: string; phone: number; vehicle_type: string };

/** Assigns a store's driver to a delivery. The last drivers of this tablet are one tap away. */
function DriverDialog({ order, steps, close }: DialogProps) {
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

  function submit(): void {
    if (digits !== undefined) void assign({ name: name.trim(), phone: digits, vehicle_type: vehicle });
  }

  const isBusy = steps.busy === 'assign_driver';
  return (
    <FormDialog
      title={words.driver.title({ number: order.order_number })}
      close={close}
      submit={submit}
      error={steps.error}
      isOff={name.trim() === '' || digits === undefined}
      isBusy={isBusy}
      text={isBusy ? words.driver.assigning : words.driver.assign}
    >
      {recent.length > 0 && (
        <div class="choices">
          {recent.map((driver) => (
            <Button
              key={driver.phone}
              isBusy={isBusy}
              onPress={() => assign(driver)}
              text={
                <TwoLines
                  main={driver.name}
                  more={`${phoneInWords(driver.phone)}, ${vehicleInWords(driver.vehicle_type)}`}
                />
              }
            />
          ))}
        </div>
      )}
      <div class="fields">
        <Field label={words.driver.name} maxLength={100} required autocomplete="off" value={name} set={setName} />
        <Field
          label={words.driver.phone}
          type="tel"
          autocomplete="off"
          value={phone}
          refusal={digits === undefined ? words.driver.phone : ''}
          set={setPhone}
        />
        <Select
          label={words.driver.vehicle}
          value={vehicle}
          set={setVehicle}
          options={VEHICLES.map((each) => [each, vehicleInWords(each)] as const)}
        />
      </div>
    </FormDialog>
  );
}

const { refund } = words;

type Previewed = { preview_id: string; amount: number; taxes: number; payout: number };

/** An amount, otherwise units, weights or all that is left of items, as JSON; empty while nothing is filled in. */
function whatIn(form: FormData, order: StoreOrder): string {
  const rest = form.getAll('rest');
  const items = form.getAll('units').flatMap((typed, index) => {
    if (rest.includes(String(index))) return [{ index }];
    if (!Number(typed)) return [];
    return [{ index, ...(order.items[index]?.unit ? { weight: String(typed) } : { quantity: Number(typed) }) }];
  });
  const amount = readAmount(String(form.get('amount')));
  return amount === undefined && items.length === 0
    ? ''
    : JSON.stringify(amount === undefined ? { items } : { amount });
}

/** Refunds units or weights of items, or an amount: shows who gets what, and confirms exactly that. */
function RefundDialog({ desk, order, close }: DialogProps) {
  const { api, format } = desk.context;
  const [what, setWhat] = useState('');
  const { busy, error, run } = useRun();
  const send = (more: object) =>
    api.send<Previewed>('POST', `/store/orders/${order.order_id}/refund`, { ...JSON.parse(what), ...more });
  const change = what === '' ? undefined : [what, order.refunds.length, order.adjusted_amount].join(' ');
  const { data: shown, error: refusal } = usePreview(change, () => send({ preview: true }));
  async function give(fields: FormData): Promise<void> {
    const isGiven = await run('give', () => send({ reason: fields.get('reason'), preview_id: shown?.preview_id }));
    await desk.live.look();
    if (isGiven) close();
  }
  const { amount = 0, taxes = 0, payout = 0 } = shown ?? {};
  const outcome = { amount: format.money(amount), taxes: format.money(taxes), payout: format.money(payout) };
  return (
    <FormDialog
      title={refund.title({ number: order.order_number })}
      close={close}
      onInput={({ currentTarget }) => setWhat(whatIn(new FormData(currentTarget), order))}
      submit={give}
      error={error || refusal}
      kind="main danger"
      isOff={!shown}
      isBusy={busy === 'give'}
      text={refund.give}
    >
      <div class="fields">
        {order.items.map((_, at) => (
          <RefundField key={at} order={order} at={at} format={format} />
        ))}
        <Field label={refund.amount} name="amount" inputmode="decimal" maxLength={10} />
        <Field label={words.cancel.why} name="reason" maxLength={200} required />
      </div>
      <p class="hint" role="status">
        {shown && refund.outcome(outcome)}
      </p>
    </FormDialog>
  );
}

/** How much of an item: units; for goods by weight a weight, or all of the rest. */
function RefundField({ order, at, format }: { order: StoreOrder; at: number; format: Format }) {
  const { name = '', unit, fulfilled_quantity: most = 0 } = order.items[at] ?? {};
  const quantity = unit ? format.weight(most, unit) : `${most}`;
  return (
    <>
      <Field
        label={refund.units({ name, quantity })}
        type="number"
        name="units"
        min="0"
        max={most}
        step={unit ? 0.001 : 1}
      />
      {unit && most > 0 && <Check label={refund.rest({ name })} name="rest" value={at} />}
    </>
  );
}

const DIALOGS = {
  cancel: CancelDialog,
  driver: DriverDialog,
  handover: HandoverDialog,
  item: MissingDialog,
  late: LateDialog,
  print: PrintDialog,
  refund: RefundDialog,
  weigh: WeighDialog,
};
export type DialogName = keyof typeof DIALOGS;

/** The open dialog of an order; one at a time. */
export function OrderDialog({ name, ...props }: DialogProps & { name: DialogName | undefined }) {
  const Named = name && DIALOGS[name];
  return Named ? <Named {...props} /> : null;
}
