import { useEffect, useRef, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { handoverLines } from '../../src/ordering/order/drop-off.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { dialUrl, phoneInWords, phoneOnOneLine } from '../../src/platform/lib/phone.ts';
import { NO_ADDRESS, writeAddressLines, writeUnit } from '../../src/supply/stores/street-address.ts';
import { dropOff } from '../../src/texts/en/drop-off.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { copyLink, useTimed } from './hooks.ts';
import { Alert } from './notices.tsx';
import { isOnItsWay, isOption, laneOf, type OptionLine, optionLines, readyEpochS, stepMinutes } from './order-board.ts';
import { type DialogName, OrderDialog } from './order-dialog.tsx';
import { dueOf, lengthInWords, mainStepOf, modeInWords, reasonInWords, slotOf, vehicleInWords } from './order-words.ts';
import { type Desk, type Steps, useSteps } from './use-step.ts';
import { amountText, isByWeight, isOpen } from './weigh-dialog.tsx';

/* An order on the kitchen's board: its state, items, timer and the next step. */

type Props = { desk: Desk; order: StoreOrder };
/** `hold` keeps the card where it is while a dialog is open. */
type CardProps = Props & { isRinging?: boolean; hold?: (order: StoreOrder | undefined) => void };

/** An order, as the kitchen works on it. */
export function OrderCard({ desk, order, isRinging = false, hold }: CardProps) {
  const steps = useSteps(desk, order);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<DialogName | undefined>();
  function open(name?: DialogName): void {
    setDialog(name);
    hold?.(name && order);
  }
  const { format } = desk.context;
  const { order_number: number } = order;
  const lane = order.status === 'canceled' ? 'canceled' : laneOf(order);
  const scheduled = slotOf(order, desk.context, desk.context.now());
  return (
    <article
      class={`order ${lane}${isRinging ? ' ringing' : ''}`}
      aria-labelledby={`n-${order.order_id}`}
      tabIndex={-1}
    >
      <header>
        <h3 id={`n-${order.order_id}`} class="shown-number" aria-label={words.order.title({ number })}>
          {number}
        </h3>
        <DueTime desk={desk} order={order} />
        <button type="button" class="button toggle" aria-expanded={isMenuOpen} onClick={() => setMenuOpen(!isMenuOpen)}>
          <span aria-hidden="true">⋯</span>
          <span class="unseen">{words.order.more({ number })}</span>
        </button>
      </header>
      <p class="who">
        <span class={`mode ${order.pickup ? 'pickup' : 'delivery'}`}>{modeInWords(order)}</span>
        <span class="name">{order.user_name || words.terms.noName}</span>
        <span class="total">{format.money(order.store_part.total + order.driver_tip_cents)}</span>
      </p>
      {isMenuOpen && <OrderMenu desk={desk} order={order} open={open} />}
      {order.to_collect_cents !== undefined && (
        <p class="note">{words.order.collect({ amount: format.money(order.to_collect_cents) })}</p>
      )}
      {scheduled && <p class="slot">{words.order.scheduledFor({ slot: scheduled })}</p>}
      {order.status === 'canceled' && (
        <p class="why">{words.order.canceled({ reason: reasonInWords(order.cancel_reason ?? '') })}</p>
      )}
      <OrderItems order={order} format={format} />
      {order.final_quote.discounts?.map(({ title, amount }) => (
        <p key={title} class="note">
          {words.order.discount({ title, amount: format.money(-amount) })}
        </p>
      ))}
      <Refunds order={order} desk={desk} />
      <CustomerNotes order={order} />
      <DriverLine order={order} />
      {needsLink(order) && <DriverLink desk={desk} order={order} />}
      <Alert text={steps.error} />
      <OrderActions desk={desk} order={order} steps={steps} open={open} />
      <OrderDialog desk={desk} order={order} steps={steps} name={dialog} close={() => open()} />
    </article>
  );
}

/** Refunds by anyone, in the store's part. */
function Refunds({ order, desk: { context } }: { order: StoreOrder; desk: Desk }) {
  return order.refunds.map(({ at, by, amount, reason, is_done: isDone }, index) => (
    <p key={index} class="note">
      {context.clock.of(order).time(at)}{' '}
      {[`${words.refund.by[by]} ${context.format.money(amount)}`, reason, isDone ? '' : words.refund.pending]
        .filter((text) => text !== '')
        .join(' · ')}
    </p>
  ));
}

function DueTime({ desk: { context }, order }: Props) {
  const [element, { large, small, mood }] = useTimed(context, (now) => dueOf(order, context, now));
  return (
    <p ref={element} class={`due ${mood}`}>
      <strong>{large}</strong> <span>{small}</span>
    </p>
  );
}

function CustomerNotes({ order }: { order: StoreOrder }) {
  const notes = order.pickup ? order.user_pickup_notes : order.user_dropoff_notes;
  const instructions = handoverLines({ isDelivery: !order.pickup, dropOff: order.drop_off, notes }, dropOff);
  const { user_street_num: streetNum, user_street_name: streetName, user_apt_num: aptNum } = order;
  const [address] = writeAddressLines({
    ...NO_ADDRESS,
    streetNum,
    streetName,
    aptNum: writeUnit(aptNum, words.order.apartment),
  });
  return (
    <>
      {!order.pickup && address && <p class="address">{words.order.deliverTo({ address })}</p>}
      {instructions.map((line) => (
        <p key={line} class="note">
          {line}
        </p>
      ))}
    </>
  );
}

function DriverLine({ order }: { order: StoreOrder }) {
  const { driver_name: name, driver_phone: phone, vehicle_type: vehicle } = order.tracking;
  if (!name || order.status !== 'in_progress') return null;
  const driver = vehicle ? words.order.driverIn({ name, vehicle: vehicleInWords(vehicle) }) : name;
  return (
    <p class="order-driver">
      <span>{isOnItsWay(order) ? words.order.onTheWay({ driver }) : words.order.driver({ driver })}</span>
      {phone !== undefined && (
        <a href={dialUrl(phone)} aria-label={words.order.callDriver({ name, phone: phoneInWords(phone) })}>
          {phoneInWords(phone)}
        </a>
      )}
    </p>
  );
}

type OpenDialog = (dialog: DialogName) => void;
type ActionsProps = { desk: Desk; order: StoreOrder; steps: Steps; open: OpenDialog };

/** The next action on an order: confirm or decline it, or take its next step. */
function OrderActions(props: ActionsProps) {
  if (laneOf(props.order) === 'done') return null;
  return (
    <div class="order-steps">
      {props.order.status === 'awaiting_confirmation' ? <Answer {...props} /> : <NextStep {...props} />}
    </div>
  );
}

/** Preparation time of a confirmation: by default the quoted one, adjustable in steps of five minutes. */
function Answer({ desk, order, steps, open }: ActionsProps) {
  const [chosen, setChosen] = useState<number | undefined>();
  const minutes = chosen ?? order.quoted_preparation_minutes;
  const confirmWords = steps.busy === 'confirm' ? words.order.confirming : words.order.confirm;
  const { clock, format } = desk.context;
  const { order_number: number } = order;
  const [element, time] = useTimed(desk.context, (now) => clock.of(order).time(readyEpochS(order, minutes, now)));

  async function confirm(): Promise<void> {
    const requestedEpochS = readyEpochS(order, minutes, desk.context.now());
    const taken = await steps.take('confirm', { preparation_minutes: minutes });
    if (!taken?.ready_by || Math.abs(taken.ready_by - requestedEpochS) < 60) return;
    desk.tell(words.order.confirmedBefore({ number, time: clock.of(taken).time(taken.ready_by) }));
  }

  return (
    <>
      <fieldset class="dial" aria-label={words.order.prepTime}>
        <Button
          label={words.order.fewerMinutes({ minutes: 5 })}
          isOff={minutes <= 5}
          onPress={() => setChosen(stepMinutes(minutes, -1))}
          text="−5"
        />
        <p>
          <strong>{lengthInWords(minutes, format)}</strong> <span ref={element}>{words.order.readyAt({ time })}</span>
        </p>
        <Button
          label={words.order.moreMinutes({ minutes: 5 })}
          onPress={() => setChosen(stepMinutes(minutes, 1))}
          text="+5"
        />
      </fieldset>
      <Button
        label={words.order.actionFor({ action: words.order.decline, number })}
        onPress={() => open('cancel')}
        text={words.order.decline}
      />
      <Button
        kind="main"
        label={words.order.actionFor({ action: confirmWords, number })}
        isBusy={steps.busy === 'confirm'}
        onPress={confirm}
        text={confirmWords}
      />
    </>
  );
}

const { markReady: ready, assignDriver, driverHasIt, handedOver } = words.order;
const MAIN = { ready, assign_driver: assignDriver, pick_up: driverHasIt, complete: handedOver };

function NextStep({ order, steps, open }: ActionsProps) {
  const step = mainStepOf(order);
  if (step === undefined) return null;
  if (isOpen(order)) {
    const label = words.order.actionFor({ action: words.weigh.open, number: order.order_number });
    return <Button kind="main" label={label} onPress={() => open('weigh')} text={words.weigh.open} />;
  }
  const isBusy = steps.busy === step;
  const asks = order.min_age !== null || order.drop_off?.code === true || order.to_collect_cents !== undefined;
  const isChecked = step === 'complete' && asks;
  const dialog = step === 'assign_driver' ? 'driver' : isChecked ? 'handover' : undefined;
  const done = step === 'complete' && !order.pickup ? words.order.delivered : MAIN[step];
  const action = isBusy ? words.frame.saving : done;
  return (
    <Button
      kind="main"
      label={words.order.actionFor({ action, number: order.order_number })}
      isBusy={isBusy}
      onPress={() => (dialog === undefined ? void steps.take(step) : open(dialog))}
      text={action}
    />
  );
}

type Item = StoreOrder['items'][number];

/** The items to prepare, with nested options indented. */
function OrderItems({ order, format }: { order: StoreOrder; format: Format }) {
  return (
    <ul class="items">
      {order.items.map((item, index) => (
        <li key={index}>
          <Line item={item} format={format} />
          {item.fulfilled_quantity > 0 && <Details item={item} format={format} />}
        </li>
      ))}
    </ul>
  );
}

function Line({ item, format }: { item: Item; format: Format }) {
  const { fulfilled_quantity: quantity, ordered_quantity: ordered, name, ordered_name: orderedName } = item;
  const isMissing = quantity === 0;
  return (
    <div class="item">
      <span class={quantity > 1 && !isByWeight(item) ? 'quantity many' : 'quantity'}>{amountText(item, format)}</span>
      <p>
        {isMissing ? <s>{name}</s> : name}
        {quantity < ordered && (isMissing || !isByWeight(item)) && (
          <em class="lacks">{isMissing ? words.order.missing({ ordered }) : words.order.fewer({ ordered })}</em>
        )}
        {item.substituted_for !== null && <em class="lacks">{words.order.insteadOf({ name: orderedName })}</em>}
      </p>
    </div>
  );
}

function Details({ item, format }: { item: Item; format: Format }) {
  return (
    <>
      <Options options={item.options} />
      {item.notes && <p class="note">{item.notes}</p>}
      <Allergens say={words.food.allergens} allergens={item.allergens} />
      <Allergens say={words.food.mayContain} allergens={item.may_contain} />
      <SubstitutionNote item={item} format={format} />
    </>
  );
}

/** The customer's substitution preference; nothing for a refund. */
function SubstitutionNote({ item, format }: { item: Item; format: Format }) {
  const { substitution, named_substitutes: named, substituted_for: replaced } = item;
  if (substitution.preference === 'refund' || replaced !== null) return null;
  const names = format.anyOf(named.map(({ name }) => name));
  return (
    <p class="wish">
      {substitution.preference === 'specific' ? words.terms.ifSoldOut({ names }) : words.terms.ifSoldOutChoose}
    </p>
  );
}

/** Shows known allergens only, because an item without listed allergens may not be free of them. */
function Allergens({ say, allergens }: { say: (pieces: { list: string }) => string; allergens: Item['allergens'] }) {
  if (!allergens || allergens.length === 0) return null;
  const list = allergens.map((allergen) => words.food.allergen[allergen]).join(', ');
  return <p class="allergens">{say({ list })}</p>;
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
  const choice = options.map(({ quantity, name }) => (quantity > 1 ? `${quantity}× ${name}` : name)).join(', ');
  return (
    <li>
      {customization ? words.terms.option({ customization, choice }) : choice}
      {options.map((option, index) => (
        <Options key={index} options={option.options} />
      ))}
    </li>
  );
}

/** Secondary actions. An item can be changed while the order can be canceled: until it leaves the store. */
function OrderMenu({ desk, order, open }: Props & { open: OpenDialog }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), []);
  const isAssigned = order.driver_link !== null && order.steps.includes('pick_up');
  const canDrive = isAssigned || (order.steps.includes('assign_driver') && mainStepOf(order) !== 'assign_driver');
  const canCancel = order.steps.includes('cancel');
  const phone = order.user_phone && phoneOnOneLine(order.user_phone, order.user_phone_extension);
  const canRefund = desk.context.refunds && (order.status === 'in_progress' || order.status === 'completed');
  const action = (dialog: DialogName, text: string, isAllowed = true) =>
    isAllowed && <Button kind="quiet" onPress={() => open(dialog)} text={text} />;
  return (
    <div class="more" ref={element}>
      {order.user_phone !== undefined && phone && (
        <a class="button quiet" href={dialUrl(order.user_phone)}>
          {words.order.callCustomer({ phone })}
        </a>
      )}
      {action('print', words.order.print)}
      {action('driver', isAssigned ? words.order.changeDriver : words.order.assignDriver, canDrive)}
      {order.driver_link !== null && !needsLink(order) && <DriverLink desk={desk} order={order} />}
      {action('late', words.late.open, order.steps.includes('ready'))}
      {action('weigh', words.weigh.open, canCancel && order.items.some(isByWeight))}
      {action('item', words.order.missingItem, canCancel)}
      {action('refund', words.refund.open, canRefund)}
      {action('cancel', words.order.cancel, canCancel && order.status !== 'awaiting_confirmation')}
    </div>
  );
}

/** Whether the driver has the link neither by SMS nor in use: the card shows it until the delivery is accepted. */
function needsLink({ driver_link: link, driver_link_texted: isTexted, driver_accepted_at: acceptedAt }: StoreOrder) {
  return link !== null && !isTexted && acceptedAt === null;
}

/** The driver's link as a code to scan, and to copy. */
function DriverLink({ desk, order }: { desk: Desk; order: StoreOrder }) {
  const link = order.driver_link ?? '';
  const [isShown, setShown] = useState(needsLink(order));
  const { driver_phone: phone } = order.tracking;
  return (
    <div class="driver-link">
      {order.driver_link_texted && phone !== undefined && (
        <p>{words.order.linkTexted({ phone: phoneInWords(phone) })}</p>
      )}
      {isShown && (
        <figure>
          <img src={`${new URL(link).pathname}/code.svg`} width="168" height="168" alt="" />
          <figcaption>{words.order.scanLink}</figcaption>
        </figure>
      )}
      {!isShown && <Button kind="quiet" onPress={() => setShown(true)} text={words.order.showCode} />}
      <Button kind="quiet" onPress={() => copyLink(link, desk.tell)} text={words.order.copyLink} />
    </div>
  );
}
