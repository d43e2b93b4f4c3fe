import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { readAmount } from '../../src/ordering/money/offered-tips.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { phoneInWords, readPhone } from '../../src/platform/lib/phone.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Check, Field, Form, Radios, Select, TwoLines } from '../field.tsx';
import { statusOf } from '../request.ts';
import { usePreview, useRun } from '../use-read.ts';
import { keep, readStored } from './local-storage.ts';
import { Alert } from './notices.tsx';
import { CANCEL_REASONS, reasonInWords, vehicleInWords } from './order-words.ts';
import { FormDialog } from './panel.tsx';
import type { Product } from './product-row.tsx';
import { useProducts } from './use-products.ts';
import type { Desk, Steps } from './use-step.ts';
import { amountText, WeighDialog } from './weigh-dialog.tsx';

/* Dialogs of one order: decline or cancel it, hand it off, name its driver, and print it. */

export type DialogName = 'cancel' | 'driver' | 'item' | 'print' | 'handover' | 'late' | 'refund' | 'weigh';
type Props = { desk: Desk; order: StoreOrder; steps: Steps; name: DialogName | undefined; close: () => void };

/** The open dialog of an order; one at a time. */
export function OrderDialog({ name, ...props }: Props) {
  if (name === 'cancel') return <CancelDialog {...props} />;
  if (name === 'driver') return <DriverDialog {...props} />;
  if (name === 'handover') return <HandoverDialog {...props} />;
  if (name === 'late') return <LateDialog {...props} />;
  if (name === 'item') return <MissingDialog {...props} />;
  if (name === 'weigh') return <WeighDialog {...props} />;
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

type CancelProps = { desk: Desk; order: StoreOrder; steps: Steps; close: () => void };

/** Asks for the reason and cancels the order; an order that is not confirmed yet is declined. */
function CancelDialog({ desk, order, steps, close }: CancelProps) {
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
        <div class="choices">
          <Radios
            name="reason"
            value={reason}
            set={setReason}
            options={[...reasons.map((code) => [code, reasonInWords(code)] as const), [OTHER, cancel.other]]}
          />
        </div>
      </fieldset>
      {reason === OTHER && (
        <Field label={cancel.inYourWords} maxLength={MAX_REASON} required value={typed} set={setTyped} />
      )}
      <p class="hint">{cancel.refund({ amount })}</p>
    </FormDialog>
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

const { print } = words;
const DOCUMENTS = [
  { document: 'kitchen', words: print.kitchen, again: print.kitchenAgain, sent: print.kitchenSent },
  { document: 'receipt', words: print.receipt, again: print.receiptAgain, sent: print.receiptSent },
] as const;

/** Lifetime of a print frame, longer than a printer dialog is open. A frame costs only its memory. */
const PRINT_FRAME_LIFETIME_MS = 600_000;

type PrintProps = { desk: Desk; order: StoreOrder; close: () => void };

/** Shows a ticket, prints it in the browser, or reprints it on the store's printer. */
export function PrintDialog({ desk: { context, tell }, order, close }: PrintProps) {
  const { busy, error, run } = useRun();

  async function printAgain({ document, sent }: (typeof DOCUMENTS)[number]): Promise<void> {
    const path = `/store/orders/${encodeURIComponent(order.order_id)}/print`;
    // A 409 here means that the store has no printer.
    const refuse = (failure: unknown) =>
      Promise.reject(statusOf(failure) === 409 ? new Error(print.noPrinter) : failure);
    if (!(await run(document, () => context.api.send('POST', path, { document }).catch(refuse)))) return;
    tell(sent({ number: order.order_number }));
    close();
  }

  const pathOf = (document: string) => `${context.ticketPath(order.order_id)}?document=${document}`;
  function printHere(document: string): void {
    printPage(pathOf(document));
    close();
  }

  type Way = (document: (typeof DOCUMENTS)[number]) => ComponentChild;
  const ways: readonly (readonly [title: string, way: Way])[] = [
    [print.here, ({ document, words: name }) => <Button onPress={() => printHere(document)} text={name} />],
    [
      print.onScreen,
      ({ document, words: name }) => (
        <a class="button plain" href={pathOf(document)} target="_blank" rel="noopener">
          {name}
        </a>
      ),
    ],
    [
      print.again,
      (each) => <Button isBusy={busy === each.document} onPress={() => printAgain(each)} text={each.again} />,
    ],
  ];
  return (
    <Dialog title={print.title({ number: order.order_number })} close={close}>
      {ways.map(([title, way]) => (
        <>
          <h3>{title}</h3>
          <div class="choices">{DOCUMENTS.map(way)}</div>
        </>
      ))}
      <Alert text={error} />
      <div class="buttons">
        <Button onPress={close} text={words.frame.back} />
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

/* Dialogs for an item that the store lacks: which one, how many units, and the substitute. */

const { missing } = words;

type ItemDialogProps = { desk: Desk; order: StoreOrder; index: number; steps: Steps; close: () => void };

/** Asks which item the store lacks, unless there is only one, and then the substitute. */
function MissingDialog(props: Omit<ItemDialogProps, 'index'>) {
  const { order, close } = props;
  const [index, setIndex] = useState(order.items.length === 1 ? 0 : undefined);
  if (index !== undefined) return <ItemDialog {...props} index={index} />;
  return (
    <Dialog title={missing.which} close={close}>
      <div class="choices">
        {order.items.map((item, at) => (
          <Button
            key={at}
            onPress={() => setIndex(at)}
            text={`${amountText(item, props.desk.context.format)} ${item.ordered_name}`}
          />
        ))}
      </div>
      <div class="buttons">
        <Button onPress={close} text={words.frame.back} />
      </div>
    </Dialog>
  );
}

/** Adjusts an unavailable item: fewer units, none, or a substitute. */
function ItemDialog({ desk, order, index, steps, close }: ItemDialogProps) {
  const item = order.items[index];
  const [quantity, setQuantity] = useState(item ? Math.max(0, unitsOf(item, item.fulfilled_quantity) - 1) : 0);
  const [substitute, setSubstitute] = useState<Choice | undefined>(item && presentSubstitute(item));
  if (!item) return null;
  const { ordered_name: name } = item;
  const [ordered, handedOver] = [unitsOf(item, item.ordered_quantity), unitsOf(item, item.fulfilled_quantity)];
  const step = `items/${index}`;
  const isLast = quantity === 0 && order.items.every((one, at) => at === index || one.fulfilled_quantity === 0);
  const isSame = quantity === handedOver && substitute?.id === presentSubstitute(item)?.id;
  const isBusy = steps.busy === step;
  const refusals = {
    transition_not_allowed: missing.refused,
    product_unavailable: missing.unavailable({ name: substitute?.name ?? name }),
  };

  function choose(choice: Choice | undefined): void {
    setSubstitute(choice);
    if (choice) setQuantity(Math.max(1, handedOver));
    else setQuantity(Math.max(0, handedOver - 1));
  }

  async function save(): Promise<void> {
    if (isSame || isBusy) return;
    const body = quantity > 0 && substitute ? { quantity, substitute_product_id: substitute.id } : { quantity };
    if (await steps.take(step, body, refusals)) close();
  }

  return (
    <FormDialog
      title={missing.title({ name })}
      back={missing.keep}
      close={close}
      submit={save}
      error={steps.error}
      kind={isLast ? 'main danger' : 'main'}
      isOff={isSame}
      isBusy={isBusy}
      text={isBusy ? words.frame.saving : isLast ? missing.cancelOrder : missing.save}
    >
      <Units quantity={quantity} ordered={ordered} set={setQuantity} name={substitute?.name ?? name} />
      <SubstituteField desk={desk} item={item} chosen={substitute} choose={choose} />
      <p class="hint">{isLast ? missing.lastItem : missing.refund}</p>
    </FormDialog>
  );
}

/** A line of goods by weight is missing or not. */
const unitsOf = ({ unit }: StoreOrder['items'][number], quantity: number): number =>
  unit === undefined ? quantity : Math.min(1, Math.ceil(quantity));

/** The substitute that the store already hands off. */
function presentSubstitute({ substituted_for, product_id: id, name }: StoreOrder['items'][number]): Choice | undefined {
  return substituted_for === null ? undefined : { id, name };
}

type UnitsProps = { quantity: number; ordered: number; name: string; set: (quantity: number) => void };

function Units({ quantity, ordered, name, set }: UnitsProps) {
  return (
    <fieldset class="dial" aria-label={missing.units({ name })}>
      <Button label={missing.fewer} isOff={quantity <= 0} onPress={() => set(quantity - 1)} text="−" />
      <p role="status">
        <strong>{missing.of({ quantity, ordered })}</strong> <span>{quantity === 0 ? missing.noneLeft : name}</span>
      </p>
      <Button label={missing.more} isOff={quantity >= ordered} onPress={() => set(quantity + 1)} text="+" />
      {ordered > 2 && quantity > 0 && <Button onPress={() => set(0)} text={missing.none} />}
    </fieldset>
  );
}

/** Maximum products listed per search; more words narrow it down. */
const MAX_LISTED_PRODUCTS = 6;

/** A product by its token, or by its feed id. */
type Choice = { id: string; name: string };

type SubstituteProps = {
  desk: Desk;
  item: StoreOrder['items'][number];
  chosen: Choice | undefined;
  choose: (choice: Choice | undefined) => void;
};

/** The choice of a substitute, by the customer's preference. */
function SubstituteField({ desk, item, chosen, choose }: SubstituteProps) {
  const { preference } = item.substitution;
  if (preference === 'refund') return <p class="wish">{missing.refundOnly}</p>;
  const named = item.named_substitutes.map(({ product_id: id, name }) => ({ id, name }));
  return (
    <fieldset>
      <legend>{preference === 'specific' ? missing.oneOfThese : missing.yourChoice}</legend>
      {preference === 'specific' ? (
        <Choices choices={named} chosen={chosen} choose={choose} />
      ) : (
        <AnyProduct desk={desk} item={item} chosen={chosen} choose={choose} />
      )}
    </fieldset>
  );
}

/** Finds any product of the store by name. Not available with a one-order link. */
function AnyProduct({ desk, item, chosen, choose }: SubstituteProps) {
  const [query, setQuery] = useState('');
  if (desk.context.isLinked) return <p class="hint">{missing.inConsole}</p>;
  return (
    <>
      <Field
        label={missing.find}
        type="search"
        value={query}
        autocomplete="off"
        enterkeyhint="search"
        set={setQuery}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Found desk={desk} query={query} item={item} chosen={chosen} choose={choose} />
    </>
  );
}

function Found({ desk, query, item, chosen, choose }: SubstituteProps & { query: string }) {
  const { products, isLoading, error } = useProducts(desk, query, false);
  const found = products
    .filter((product) => isOffered(product, item.ordered_name))
    .slice(0, MAX_LISTED_PRODUCTS)
    .map(({ external_id: id, name }) => ({ id, name }));
  const isListed = found.some(({ id }) => id === chosen?.id);
  return (
    <div aria-busy={isLoading}>
      <Choices choices={chosen && !isListed ? [chosen, ...found] : found} chosen={chosen} choose={choose} />
      {found.length === 0 && !isLoading && !error && <p class="hint">{missing.noMatch}</p>}
      <Alert text={error} />
    </div>
  );
}

function isOffered({ name, available, qty_available: left }: Product, orderedName: string): boolean {
  return available && left !== 0 && name !== orderedName;
}

type ChoicesProps = { choices: readonly Choice[]; chosen: Choice | undefined; choose: SubstituteProps['choose'] };

function Choices({ choices, chosen, choose }: ChoicesProps) {
  return (
    <div class="choices">
      <Radios
        name="substitute"
        value={chosen?.id ?? ''}
        set={(id) => choose(choices.find((one) => one.id === id))}
        options={[['', missing.noSubstitute], ...choices.map(({ id, name }) => [id, name] as const)]}
      />
    </div>
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
function RefundDialog({ desk, order, close }: { desk: Desk; order: StoreOrder; close: () => void }) {
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
    <Dialog title={refund.title({ number: order.order_number })} close={close}>
      <Form onInput={({ currentTarget }) => setWhat(whatIn(new FormData(currentTarget), order))} submit={give}>
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
        <Alert text={error || refusal} />
        <div class="buttons">
          <Button onPress={close} text={words.frame.back} />
          <Button kind="main danger" submit isOff={!shown} isBusy={busy === 'give'} text={refund.give} />
        </div>
      </Form>
    </Dialog>
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
