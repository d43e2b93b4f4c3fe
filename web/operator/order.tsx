import { useState } from 'preact/hooks';
import { handoverLines } from '../../src/ordering/order/drop-off.ts';
import { dialUrl, phoneInWords } from '../../src/platform/lib/phone.ts';
import { writeAddress } from '../../src/supply/stores/street-address.ts';
import { dropOff } from '../../src/texts/en/drop-off.ts';
import { Button } from '../button.tsx';
import { ActionsList } from './actions.tsx';
import { call, type OperatorOrder } from './api.ts';
import {
  AdjustDialog,
  CancelDialog,
  deskActionsOf,
  labelOf,
  RefundDialog,
  ResendDialog,
  type Resent,
  TipDialog,
} from './desk.tsx';
import { useLoad, useRun } from './hooks.ts';
import { ConfirmDialog } from './order-steps.tsx';
import { CallsTable, EventsTable, MessagesTable, NoticesTable } from './order-tables.tsx';
import { Empty, type Fact, Facts, Fault, Id, Moment, Pill, Section, State } from './parts.tsx';
import { Only } from './role.tsx';
import { centsInWords, wordsOf } from './words.ts';

/* One order for an operator: facts, money, effects, and its steps. */

const REFRESH_INTERVAL_MS = 5000;
const PLAIN_STEPS = [
  ['ready', 'Ready'],
  ['pick_up', 'Picked up'],
  ['complete', 'Completed'],
] as const;
const MONEY_CHANGES = [
  ['refund', 'Refund…'],
  ['adjust', 'Adjust an item…'],
  ['tip', 'Raise the tip…'],
] as const;
type Opened = 'confirm' | 'cancel' | (typeof MONEY_CHANGES)[number][0];
type PlainStep = (typeof PLAIN_STEPS)[number][0];

/** An order, everything that followed from it, and the steps that an operator can take. */
export function OrderView({ id }: { id: string }) {
  const path = { order_id: id };
  const { data: record, error, reload } = useLoad('GET /operator/orders/:order_id', { path }, REFRESH_INTERVAL_MS);
  const [open, setOpen] = useState<Opened>();
  const [resent, setResent] = useState<Resent>();
  const running = useRun();
  if (!record) return error ? <Fault>{error}</Fault> : <Empty>Loading the order…</Empty>;
  const { order } = record;
  const label = labelOf(record);
  const onClose = () => {
    setOpen(undefined);
    setResent(undefined);
  };
  const onDone = () => {
    onClose();
    reload();
  };
  const dialog = { order: label, items: order.items, onClose, onDone };
  const hasAlcohol = record.min_age !== null;
  const take = (step: PlainStep) =>
    running.run(async () => {
      const body = step === 'complete' ? { id_checked: hasAlcohol } : {};
      await call(`POST /operator/orders/:order_id/${step}`, { path, body });
      reload();
    });
  return (
    <>
      <h1>
        Order {label.order_number} <State state={order.status} />{' '}
        {order.is_sandbox && <Pill tone="plain">sandbox</Pill>} <Id id={order.order_id} />
      </h1>
      <Fault>{error || running.error}</Fault>
      <Only to="support">
        <Steps record={record} isBusy={running.isBusy} open={setOpen} take={take} />
      </Only>
      <div class="halves">
        <div>
          <Parties record={record} />
          <Money record={record} />
        </div>
        <div>
          <Times record={record} />
          <Items items={order.items} />
          <EventsTable {...record} />
        </div>
      </div>
      <NoticesTable notices={record.notices} isWaiting={order.status === 'awaiting_confirmation'} resend={setResent} />
      <MessagesTable messages={record.messages} resend={setResent} />
      <CallsTable calls={record.webhook_calls} resend={setResent} />
      <ActionsList title="Operator changes" actions={record.actions} />
      {open === 'confirm' && <ConfirmDialog {...dialog} />}
      {open === 'cancel' && <CancelDialog {...dialog} />}
      {open === 'refund' && <RefundDialog {...dialog} />}
      {open === 'adjust' && <AdjustDialog {...dialog} />}
      {resent && <ResendDialog {...dialog} resent={resent} />}
      {open === 'tip' && <TipDialog {...dialog} tipCents={order.driver_tip_cents} />}
    </>
  );
}

type StepsProps = { record: OperatorOrder; isBusy: boolean; open(what: Opened): void; take(step: PlainStep): void };

function Steps({ record, isBusy, open, take }: StepsProps) {
  const allowed = deskActionsOf(record);
  const { order, steps, min_age: minAge } = record;
  // Sandbox orders are stepped by their account.
  const allows = (step: OperatorOrder['steps'][number]) => !order.is_sandbox && steps.includes(step);
  return (
    <div class="buttons">
      {allows('confirm') && <Button kind="main" onPress={() => open('confirm')} text="Confirm…" />}
      {PLAIN_STEPS.filter(([step]) => allows(step)).map(([step, words]) => (
        <Button
          key={step}
          isBusy={isBusy}
          onPress={() => take(step)}
          text={step === 'complete' && minAge !== null ? `${words}, ID checked (${minAge}+)` : words}
        />
      ))}
      {MONEY_CHANGES.filter(([change]) => allowed[change]).map(([change, words]) => (
        <Button key={change} onPress={() => open(change)} text={words} />
      ))}
      {allowed.cancel && <Button kind="danger" onPress={() => open('cancel')} text="Cancel…" />}
    </div>
  );
}

function phone(number: number | null | undefined, extension = '') {
  return !number ? '–' : <a href={dialUrl(number)}>{phoneInWords(number, extension)}</a>;
}

/** A viewer gets no customer, and no proof. */
function customerRows({ order, proof }: OperatorOrder): (Fact | false)[] {
  if (proof === null) return [['Customer', 'shown to support and admins']];
  const address = writeAddress({
    streetNum: order.user_street_num,
    streetName: order.user_street_name,
    aptNum: order.user_apt_num,
    city: order.user_city,
    state: order.user_state,
    zipcode: order.user_zipcode,
  });
  const handover = {
    isDelivery: !order.pickup,
    dropOff: order.drop_off,
    notes: (order.pickup ? order.user_pickup_notes : order.user_dropoff_notes).trim(),
  };
  const note = handoverLines(handover, dropOff).join('. ');
  return [
    ['Customer', order.user_name || '–'],
    ['Customer phone', phone(order.user_phone, order.user_phone_extension)],
    !order.pickup && ['Door', address],
    note !== '' && ['Note', note],
  ];
}

function Parties({ record }: { record: OperatorOrder }) {
  const { order } = record;
  const { store_id: storeId, store: storeName } = order.final_quote;
  return (
    <Section title="Who">
      <Facts
        facts={[
          ['Store', <a href={`#/stores/${storeId}`}>{storeName}</a>],
          ['Store phone', phone(record.store_phone)],
          ['Account', <a href={`#/accounts/${record.account_id}`}>{record.account_name}</a>],
          ["Account's order ID", order.customer_order_id ? <Id id={order.customer_order_id} /> : '–'],
          ...customerRows(record),
          ['Tracking page', <a href={order.tracking_link}>open</a>],
        ]}
      />
    </Section>
  );
}

function Times({ record }: { record: OperatorOrder }) {
  const { cancel_reason: reason, scheduled, eta_timestamp: eta } = record.order;
  return (
    <Section title="When">
      <Facts
        facts={[
          ['Placed', <Moment at={record.placed_at} />],
          ['Offered to the store', <Moment at={record.offered_at} />],
          ['Received by a channel', <Moment at={record.received_at} />],
          ['Confirm by', <Moment at={record.confirm_by} />],
          scheduled.minimum !== undefined && ['Scheduled for', <Moment at={scheduled.minimum} />],
          ['Ready by', <Moment at={record.ready_by} />],
          ['Expected arrival', <Moment at={eta} />],
          reason !== undefined && ['Cancellation reason', reason],
        ]}
      />
    </Section>
  );
}

function Money({ record: { order, charge } }: { record: OperatorOrder }) {
  const { quote } = order.final_quote;
  const fees = quote.delivery_fee_cents + quote.service_fee_cents + quote.small_order_fee_cents;
  return (
    <Section title="Money">
      <Facts
        facts={[
          ['Subtotal', centsInWords(quote.subtotal)],
          ['Fees', centsInWords(fees)],
          ['Tax', centsInWords(quote.sales_tax_cents)],
          ['Tip', centsInWords(order.driver_tip_cents)],
          ['Total', <strong>{centsInWords(order.total_with_tip)}</strong>],
          [
            'Charge',
            `${wordsOf(charge.charge_state)}, ${charge.attempts} ${charge.attempts === 1 ? 'attempt' : 'attempts'}`,
          ],
          collectedFact(charge),
          ['Charged', centsInWords(charge.charged_amount)],
          ['Refunded', centsInWords(charge.refunded_amount)],
          charge.refunding_amount > 0 && ['Refund in progress', centsInWords(charge.refunding_amount)],
          ["Gateway's charge ID", charge.charge_id === null ? '–' : <Id id={charge.charge_id} />],
        ]}
      />
    </Section>
  );
}

/** The amount to collect at the handoff, then the collected amount with its difference. */
function collectedFact({ to_collect, collected, collected_by, charged_amount }: OperatorOrder['charge']): Fact | false {
  if (to_collect !== null) return ['To collect in cash', centsInWords(to_collect)];
  if (collected === null) return false;
  const isOff = charged_amount > 0 && collected !== charged_amount;
  const off = isOff && <span class="warn-text">, {centsInWords(collected - charged_amount)} off</span>;
  return [`Collected by ${collected_by}`, [centsInWords(collected), off]];
}

type Item = OperatorOrder['order']['items'][number];

/** The handed-off part of a missing item. */
function changeOf({ quantity, fulfilled_quantity: fulfilled, substitute_name: substitute, unit }: Item) {
  if (substitute !== undefined) return `Replaced with ${fulfilled} ${unit ?? '×'} ${substitute}`;
  if (fulfilled === quantity) return undefined;
  if (unit !== undefined && fulfilled > 0) return `Weighed ${fulfilled} ${unit}`;
  return fulfilled === 0 ? 'Not available' : `Only ${fulfilled} of ${quantity} available`;
}

const optionOf = ({ quantity, name }: Item['selected_options'][number]) =>
  quantity > 1 ? `${quantity} × ${name}` : name;

function Items({ items }: { items: readonly Item[] }) {
  return (
    <Section title="Items">
      <ul class="items">
        {items.map((item, index) => (
          <li key={index}>
            <strong>
              {item.quantity} {item.unit ?? '×'}
            </strong>{' '}
            {item.name} <span class="soft figure">{centsInWords(item.total_price)}</span>
            {item.selected_options.length > 0 && <p class="soft">{item.selected_options.map(optionOf).join(', ')}</p>}
            {changeOf(item) && <p class="warn-text">{changeOf(item)}</p>}
            {item.notes !== '' && <p class="warn-text">{item.notes}</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
