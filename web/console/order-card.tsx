import { useEffect, useRef, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import {
  isOnItsWay,
  laneOf,
  lengthInWords,
  type OptionLine,
  type OrderOption,
  optionLines,
  quotedMinutes,
  readyEpochS,
  steppedMinutes,
} from './order-board.ts';
import { type DialogName, OrderDialog } from './order-dialog.tsx';
import { dueOf, mainStepOf, modeInWords, money, phoneInWords, reasonInWords, slotOf } from './order-words.ts';
import { type Desk, type Steps, useSteps } from './use-step.ts';

type Props = { desk: Desk; order: StoreOrder; nowEpochS: number; isRinging?: boolean };

/** One order, as the kitchen works on it. */
export function OrderCard({ desk, order, nowEpochS, isRinging = false }: Props) {
  const steps = useSteps(desk, order);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<DialogName | undefined>();
  const { clock } = desk.context;
  const due = dueOf(order, clock, nowEpochS);
  const lane = order.status === 'canceled' ? 'canceled' : laneOf(order);
  const scheduled = slotOf(order, clock, nowEpochS);
  return (
    <article class={`order ${lane}${isRinging ? ' ringing' : ''}`} aria-labelledby={`n-${order.order_id}`}>
      <header>
        <h3 id={`n-${order.order_id}`} class="number">
          <span class="unseen">Order </span>
          {order.order_number}
        </h3>
        <p class={`due ${due.mood}`}>
          <strong>{due.large}</strong> <span>{due.small}</span>
        </p>
        <button type="button" class="button toggle" aria-expanded={isMenuOpen} onClick={() => setMenuOpen(!isMenuOpen)}>
          <span aria-hidden="true">⋯</span>
          <span class="unseen">More for order {order.order_number}</span>
        </button>
      </header>
      <p class="who">
        <span class={`mode ${order.pickup ? 'pickup' : 'delivery'}`}>{modeInWords(order)}</span>
        <span class="name">{order.user_name || 'No name'}</span>
        <span class="total">{money(order.store_part.total + order.driver_tip_cents)}</span>
      </p>
      {isMenuOpen && <OrderMenu desk={desk} order={order} open={setDialog} />}
      {scheduled && <p class="slot">For {scheduled}</p>}
      {order.status === 'canceled' && <p class="why">Canceled: {reasonInWords(order.cancel_reason ?? '')}.</p>}
      <OrderItems order={order} />
      <CustomerNotes order={order} />
      <DriverLine order={order} />
      <Alert text={steps.error} />
      <OrderActions desk={desk} order={order} steps={steps} nowEpochS={nowEpochS} open={setDialog} />
      <OrderDialog desk={desk} order={order} steps={steps} name={dialog} close={() => setDialog(undefined)} />
    </article>
  );
}

function CustomerNotes({ order }: { order: StoreOrder }) {
  const notes = order.pickup ? order.user_pickup_notes : order.user_dropoff_notes;
  const street = [order.user_street_name, order.user_apt_num && `Apt ${order.user_apt_num}`].filter(Boolean).join(', ');
  const house = order.user_street_name.startsWith(order.user_street_num) ? '' : `${order.user_street_num} `;
  return (
    <>
      {!order.pickup && street && (
        <p class="address">
          To {house}
          {street}
        </p>
      )}
      {notes && <p class="note">{notes}</p>}
    </>
  );
}

function DriverLine({ order }: { order: StoreOrder }) {
  const { driver_name: name, driver_phone: phone, vehicle_type: vehicle } = order.tracking;
  if (!name || order.status !== 'in_progress') return null;
  return (
    <p class="driver">
      <span>
        {isOnItsWay(order) ? 'On the way with ' : 'Driver: '}
        <strong>{name}</strong>
        {vehicle && `, ${vehicle}`}
      </span>
      {phone !== undefined && (
        <a href={`tel:+${phone}`}>
          <span class="unseen">Call the driver {name}: </span>
          {phoneInWords(phone)}
        </a>
      )}
    </p>
  );
}

type OpenDialog = (dialog: DialogName) => void;
type ActionsProps = { desk: Desk; order: StoreOrder; steps: Steps; nowEpochS: number; open: OpenDialog };

/** The next action of an order: confirm or decline it, or take its next step. */
function OrderActions(props: ActionsProps) {
  if (laneOf(props.order) === 'done') return null;
  return (
    <div class="actions">
      {props.order.status === 'awaiting_confirmation' ? <Answer {...props} /> : <NextStep {...props} />}
    </div>
  );
}

/** A confirmation has a time of preparation: the quoted time, or other minutes in steps of five. */
function Answer({ desk, order, steps, nowEpochS, open }: ActionsProps) {
  const [chosen, setChosen] = useState<number | undefined>();
  const minutes = chosen ?? quotedMinutes(order, nowEpochS);
  const { clock } = desk.context;

  async function confirm(): Promise<void> {
    const askedEpochS = readyEpochS(order, minutes, desk.context.now());
    const taken = await steps.take('confirm', { preparation_minutes: minutes });
    if (!taken?.ready_by || Math.abs(taken.ready_by - askedEpochS) < 60) return;
    desk.tell(`Order ${order.order_number} was confirmed before, to be ready by ${clock.time(taken.ready_by)}.`);
  }

  return (
    <>
      <fieldset class="stepper" aria-label="Prep time">
        <Button label="5 minutes less" isOff={minutes <= 5} onPress={() => setChosen(steppedMinutes(minutes, -1))}>
          −5
        </Button>
        <p>
          <strong>{lengthInWords(minutes)}</strong>{' '}
          <span>ready {clock.time(readyEpochS(order, minutes, nowEpochS))}</span>
        </p>
        <Button label="5 minutes more" onPress={() => setChosen(steppedMinutes(minutes, 1))}>
          +5
        </Button>
      </fieldset>
      <Button onPress={() => open('cancel')}>
        Decline<span class="unseen"> order {order.order_number}</span>
      </Button>
      <Button kind="primary" isBusy={steps.busy === 'confirm'} onPress={confirm}>
        {steps.busy === 'confirm' ? 'Confirming…' : 'Confirm'}
        <span class="unseen"> order {order.order_number}</span>
      </Button>
    </>
  );
}

const MAIN = {
  ready: { words: 'Ready', working: 'Saving…' },
  assign_driver: { words: 'Assign a driver', working: '' },
  pick_up: { words: 'Picked up by the driver', working: 'Saving…' },
  complete: { words: 'Handed over', working: 'Saving…' },
} as const;

function NextStep({ order, steps, open }: ActionsProps) {
  const step = mainStepOf(order);
  if (step === undefined) return null;
  const isBusy = steps.busy === step;
  const words = step === 'complete' && !order.pickup ? 'Delivered' : MAIN[step].words;
  return (
    <Button
      kind="primary"
      isBusy={isBusy}
      onPress={() => (step === 'assign_driver' ? open('driver') : void steps.take(step))}
    >
      {isBusy ? MAIN[step].working : words}
      <span class="unseen"> order {order.order_number}</span>
    </Button>
  );
}

type Item = StoreOrder['items'][number];

const isOption = (value: unknown): value is OrderOption =>
  typeof value === 'object' && value !== null && 'name' in value && 'options' in value;

/** The items to prepare, with nested options indented. */
function OrderItems({ order }: { order: StoreOrder }) {
  return (
    <ul class="items">
      {order.items.map((item, index) => (
        <li key={index}>
          <Line item={item} />
          {item.fulfilled_quantity > 0 && <Details item={item} />}
        </li>
      ))}
    </ul>
  );
}

function Line({ item }: { item: Item }) {
  const { fulfilled_quantity: quantity, ordered_quantity: ordered, name, ordered_name: orderedName } = item;
  const isMissing = quantity === 0;
  return (
    <div class="item">
      <span class={quantity > 1 ? 'quantity many' : 'quantity'}>{quantity}×</span>
      <p>
        {isMissing ? <s>{name}</s> : name}
        {quantity < ordered && <em class="lacks">{isMissing ? `missing, ${ordered} ordered` : `of ${ordered}`}</em>}
        {item.substituted_for !== null && <em class="lacks">instead of {orderedName}</em>}
      </p>
    </div>
  );
}

function Details({ item }: { item: Item }) {
  return (
    <>
      <Options options={item.options} />
      {item.notes && <p class="note">{item.notes}</p>}
      <Allergens label="Allergens" words={item.allergens} />
      <Allergens label="May contain" words={item.may_contain} />
      <Wish item={item} />
    </>
  );
}

/** What the customer wants if the item is missing; nothing where that is the money back. */
function Wish({ item }: { item: Item }) {
  const { substitution, named_substitutes: named, substituted_for: replaced } = item;
  if (substitution.preference === 'refund' || replaced !== null) return null;
  const words =
    substitution.preference === 'specific' ? named.map(({ name }) => name).join(' or ') : 'something of your choice';
  return <p class="wish">If missing: {words}</p>;
}

/** Unknown and none look alike: no line says that an item is free of anything. */
function Allergens({ label, words }: { label: string; words: readonly string[] | null }) {
  if (!words || words.length === 0) return null;
  return (
    <p class="allergens">
      {label}: {words.map((word) => word.replaceAll('_', ' ')).join(', ')}
    </p>
  );
}

function Options({ options }: { options: readonly unknown[] }) {
  if (options.length === 0) return null;
  return (
    <ul class="options">
      {optionLines(options.filter(isOption)).map((line, index) => (
        <OptionRow key={index} line={line} />
      ))}
    </ul>
  );
}

function OptionRow({ line: { customization, options } }: { line: OptionLine }) {
  return (
    <li>
      {customization && <span class="soft">{customization}: </span>}
      {options.map(({ quantity, name }) => (quantity > 1 ? `${quantity}× ${name}` : name)).join(', ')}
      {options.map((option, index) => (
        <Options key={index} options={option.options} />
      ))}
    </li>
  );
}

type MenuProps = { desk: Desk; order: StoreOrder; open: (dialog: DialogName) => void };

/** Secondary actions. An item can change while the order can be canceled, that is until it leaves the store. */
function OrderMenu({ desk, order, open }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), []);
  const isAssigned = order.driver_link !== null && order.steps.includes('pick_up');
  const canDrive = isAssigned || (order.steps.includes('assign_driver') && mainStepOf(order) !== 'assign_driver');
  return (
    <div class="more" ref={element}>
      {order.user_phone !== undefined && (
        <a class="button quiet" href={`tel:+${order.user_phone}`}>
          Call {phoneInWords(order.user_phone)}
        </a>
      )}
      <Button kind="quiet" onPress={() => open('print')}>
        Print…
      </Button>
      {canDrive && (
        <Button kind="quiet" onPress={() => open('driver')}>
          {isAssigned ? 'Another driver' : 'Assign a driver'}
        </Button>
      )}
      {order.driver_link !== null && order.status === 'in_progress' && <DriverLink desk={desk} order={order} />}
      {order.steps.includes('cancel') && (
        <Button kind="quiet" onPress={() => open('item')}>
          Missing item…
        </Button>
      )}
      {order.steps.includes('cancel') && order.status !== 'awaiting_confirmation' && (
        <Button kind="quiet" onPress={() => open('cancel')}>
          Cancel the order
        </Button>
      )}
    </div>
  );
}

function DriverLink({ desk, order }: { desk: Desk; order: StoreOrder }) {
  const link = order.driver_link ?? '';
  const { driver_phone: phone } = order.tracking;
  async function copy(): Promise<void> {
    const isCopied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    desk.tell(isCopied ? "The driver's link is copied." : `The driver's link: ${link}`);
  }
  return (
    <>
      {phone !== undefined && (
        <a class="button quiet" href={`sms:+${phone}?body=${encodeURIComponent(link)}`}>
          Text the link
        </a>
      )}
      <Button kind="quiet" onPress={copy}>
        Copy driver’s link
      </Button>
    </>
  );
}
