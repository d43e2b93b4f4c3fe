import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { dialUrl, phoneInWords } from '../../src/platform/lib/phone.ts';
import { ActionsTable } from './actions.tsx';
import { call, type OperatorOrder } from './api.ts';
import {
  AdjustDialog,
  CancelDialog,
  deskActionsOf,
  RefundDialog,
  ResendDialog,
  type Resent,
  TipDialog,
} from './desk.tsx';
import { useLoad, useRun } from './hooks.ts';
import { ConfirmDialog } from './order-steps.tsx';
import { CallsTable, EventsTable, MessagesTable, NoticesTable } from './order-tables.tsx';
import { Empty, Facts, Fault, Id, Moment, Pill, Section, State } from './parts.tsx';
import { Only } from './role.tsx';
import { centsInWords, wordsOf } from './words.ts';

/* One order for an operator: facts, money, what followed from it, and its steps. */

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
const STEP_CALLS = {
  ready: 'POST /operator/orders/:order_id/ready',
  pick_up: 'POST /operator/orders/:order_id/pick_up',
  complete: 'POST /operator/orders/:order_id/complete',
} as const;

/** An order, everything that followed from it, and the steps that an operator can take. */
export function OrderView({ id }: { id: string }) {
  const {
    data: order,
    error,
    reload,
  } = useLoad('GET /operator/orders/:order_id', { path: { order_id: id } }, REFRESH_INTERVAL_MS);
  const [open, setOpen] = useState<Opened>();
  const [resent, setResent] = useState<Resent>();
  const running = useRun();
  if (!order) return error ? <Fault>{error}</Fault> : <Empty>Loading the order…</Empty>;
  const close = () => {
    setOpen(undefined);
    setResent(undefined);
  };
  const done = () => {
    close();
    reload();
  };
  const hasAlcohol = order.min_age !== null;
  const take = (step: PlainStep) =>
    running.run(async () => {
      const path = { order_id: order.order_id };
      await call(STEP_CALLS[step], { path, ...(step === 'complete' && { body: { id_checked: hasAlcohol } }) });
      reload();
    });
  return (
    <>
      <h1>
        Order {order.order_number} <State state={order.status} />{' '}
        {order.mode === 'sandbox' && <Pill tone="plain">sandbox</Pill>} <Id id={order.order_id} />
      </h1>
      <Fault>{error ?? running.error}</Fault>
      <Only to="support">
        <Steps order={order} isBusy={running.isBusy} open={setOpen} take={take} />
      </Only>
      <div class="columns">
        <div>
          <Parties order={order} />
          <Money order={order} />
        </div>
        <div>
          <Times order={order} />
          <Items order={order} />
          <EventsTable events={order.events} />
        </div>
      </div>
      <NoticesTable notices={order.notices} isWaiting={order.status === 'awaiting_confirmation'} resend={setResent} />
      <MessagesTable messages={order.messages} resend={setResent} />
      <CallsTable calls={order.webhook_calls} resend={setResent} />
      <Section title="Operator changes">
        <ActionsTable actions={order.actions} />
      </Section>
      {open === 'confirm' && <ConfirmDialog order={order} onClose={close} onDone={done} />}
      {open === 'cancel' && <CancelDialog order={order} onClose={close} onDone={done} />}
      {open === 'refund' && <RefundDialog order={order} onClose={close} onDone={done} />}
      {open === 'adjust' && <AdjustDialog order={order} onClose={close} onDone={done} />}
      {resent && <ResendDialog order={order} resent={resent} onClose={close} onDone={done} />}
      {open === 'tip' && <TipDialog order={order} onClose={close} onDone={done} />}
    </>
  );
}

type StepsProps = {
  order: OperatorOrder;
  isBusy: boolean;
  open(what: Opened): void;
  take(step: PlainStep): void;
};

function Steps({ order, isBusy, open, take }: StepsProps) {
  const allowed = deskActionsOf(order);
  // Sandbox orders are stepped by their account.
  const allows = (step: OperatorOrder['steps'][number]) => order.mode === 'live' && order.steps.includes(step);
  return (
    <div class="buttons steps">
      {allows('confirm') && (
        <button type="button" class="main" onClick={() => open('confirm')}>
          Confirm…
        </button>
      )}
      {PLAIN_STEPS.filter(([step]) => allows(step)).map(([step, words]) => (
        <button key={step} type="button" disabled={isBusy} onClick={() => take(step)}>
          {step === 'complete' && order.min_age !== null ? `${words}, ID checked (${order.min_age}+)` : words}
        </button>
      ))}
      {MONEY_CHANGES.filter(([change]) => allowed[change]).map(([change, words]) => (
        <button key={change} type="button" onClick={() => open(change)}>
          {words}
        </button>
      ))}
      {allowed.cancel && (
        <button type="button" class="danger" onClick={() => open('cancel')}>
          Cancel…
        </button>
      )}
    </div>
  );
}

function phone(number: number | null, extension = '') {
  return number === null ? '–' : <a href={dialUrl(number)}>{phoneInWords(number, extension)}</a>;
}

/** A viewer gets no customer. */
function customerRows(customer: OperatorOrder['customer']): (readonly [string, ComponentChildren])[] {
  if (customer === null) return [['Customer', 'shown to support and admins']];
  return [
    ['Customer', customer.name || '–'],
    ['Customer phone', phone(customer.phone, customer.phone_extension)],
    ...(customer.address === null ? [] : ([['Door', customer.address]] as const)),
    ...(customer.notes === '' ? [] : ([['Note', customer.notes]] as const)),
  ];
}

function Parties({ order }: { order: OperatorOrder }) {
  return (
    <Section title="Who">
      <Facts
        facts={[
          ['Store', <a href={`#/stores/${order.store_id}`}>{order.store_name}</a>],
          ['Store phone', phone(order.store_phone)],
          ['Account', <a href={`#/accounts/${order.account_id}`}>{order.account_name}</a>],
          ["Account's order ID", order.customer_order_id === '' ? '–' : <Id id={order.customer_order_id} />],
          ...customerRows(order.customer),
          ['Tracking page', <a href={order.tracking_link}>open</a>],
        ]}
      />
    </Section>
  );
}

function Times({ order }: { order: OperatorOrder }) {
  return (
    <Section title="When">
      <Facts
        facts={[
          ['Placed', <Moment at={order.placed_at} />],
          ['Offered to the store', <Moment at={order.offered_at} />],
          ['Received by a channel', <Moment at={order.received_at} />],
          ['Confirm by', <Moment at={order.confirm_by} />],
          ...(order.scheduled_for === null ? [] : ([['Scheduled for', <Moment at={order.scheduled_for} />]] as const)),
          ['Ready by', <Moment at={order.ready_by} />],
          ['Expected arrival', <Moment at={order.eta} />],
          ...(order.cancel_reason === null ? [] : ([['Cancellation reason', order.cancel_reason]] as const)),
        ]}
      />
    </Section>
  );
}

function Money({ order }: { order: OperatorOrder }) {
  const { charge } = order;
  return (
    <Section title="Money">
      <Facts
        facts={[
          ['Subtotal', centsInWords(order.subtotal)],
          ['Fees', centsInWords(order.fees)],
          ['Tax', centsInWords(order.tax)],
          ['Tip', centsInWords(order.tip)],
          ['Total', <strong>{centsInWords(order.total_with_tip)}</strong>],
          [
            'Charge',
            `${wordsOf(charge.charge_state)}, ${charge.attempts} ${charge.attempts === 1 ? 'attempt' : 'attempts'}`,
          ],
          ...collectedFacts(charge),
          ['Charged', centsInWords(charge.charged_amount)],
          ['Refunded', centsInWords(charge.refunded_amount)],
          ...(charge.refunding_amount > 0
            ? [['Refund in progress', centsInWords(charge.refunding_amount)] as const]
            : []),
          ["Gateway's charge ID", charge.charge_id === null ? '–' : <Id id={charge.charge_id} />],
        ]}
      />
    </Section>
  );
}

/** What is to be collected at the handover, then what was, with its difference to what was due. */
function collectedFacts({ to_collect, collected, collected_by, charged_amount }: OperatorOrder['charge']) {
  if (to_collect !== null) return [['To collect in cash', centsInWords(to_collect)] as const];
  if (collected === null) return [];
  const isOff = charged_amount > 0 && collected !== charged_amount;
  const off = isOff ? <span class="warn-text">, {centsInWords(collected - charged_amount)} off</span> : null;
  return [
    [
      `Collected by ${collected_by}`,
      <>
        {centsInWords(collected)}
        {off}
      </>,
    ] as const,
  ];
}

function Items({ order }: { order: OperatorOrder }) {
  return (
    <Section title="Items">
      <ul class="items">
        {order.items.map((item, index) => (
          <li key={index}>
            <strong>{item.quantity} ×</strong> {item.name} <span class="soft number">{centsInWords(item.total)}</span>
            {item.options.length > 0 && <p class="soft">{item.options.join(', ')}</p>}
            {item.change !== null && <p class="warn-text">{item.change}</p>}
            {item.notes !== '' && <p class="warn-text">{item.notes}</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
