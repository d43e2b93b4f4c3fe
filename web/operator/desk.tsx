import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shownOrderNumber } from '../../src/ordering/order/order.ts';
import { Button } from '../button.tsx';
import { Field, Select } from '../field.tsx';
import { ApiError } from '../request.ts';
import { usePreview } from '../use-read.ts';
import { type BodyOf, call, type OperatorOrder, type OperatorOrderChange } from './api.ts';
import { ActionDialog, Empty, type Fact, Facts, Fault, Id, ReasonField, textIn } from './parts.tsx';
import { centsInWords, wordsOf } from './words.ts';

/** Changes of an order's money. Each shows what would follow, and confirms exactly that. */

type Asking = { reason?: string; preview?: boolean; preview_id?: string };

export type OrderLabel = { order_id: string; order_number: string; store_name: string; mode?: 'live' | 'sandbox' };

export const labelOf = ({ order }: OperatorOrder): OrderLabel => ({
  order_id: order.order_id,
  order_number: shownOrderNumber({ orderId: order.order_id, orderNumber: order.order_number ?? null }),
  store_name: order.final_quote.store,
  mode: order.is_sandbox ? 'sandbox' : 'live',
});

export type DeskProps = { order: OrderLabel; onClose(): void; onDone(): void };

type Step = 'cancel' | 'refund' | 'adjust' | 'tip' | 'resend';
/** Suggested reasons; another can be typed. */
const REASONS: Readonly<Record<Step, readonly string[]>> = {
  cancel: [
    "The store isn't answering",
    'The store is closed',
    'The kitchen is too busy',
    'Out of stock',
    'The customer asked to cancel',
  ],
  refund: ['Missing item', 'Wrong item', 'Poor quality', 'Late delivery', 'Goodwill'],
  adjust: ['Out of stock', 'The store called'],
  tip: ['The customer asked for it'],
  resend: ['The customer lost it', 'It never arrived'],
};
type FormProps = DeskProps & {
  title: string;
  verb: string;
  tone?: 'bad';
  step: Step;
  /** The fields; undefined while they are incomplete. */
  what: BodyOf<`POST /operator/orders/:order_id/${Step}`> | undefined;
  isMoney?: boolean;
  children?: ComponentChildren;
};

/** A form with its preview and reason. An outdated preview is shown again. */
function DeskForm({ order, title, step, what, isMoney = true, children, onDone, ...dialog }: FormProps) {
  const request = what && JSON.stringify(what);
  const path = { order_id: order.order_id };
  const send = (asking: Asking): Promise<OperatorOrderChange> =>
    call(`POST /operator/orders/:order_id/${step}`, { path, body: { ...what, ...asking } });
  const { data, error, reload } = usePreview(request, () => send({ preview: true }));
  const shown = error === '' ? data : undefined;
  const id = shown?.preview?.preview_id;
  const confirm = async (form: FormData) => {
    if (id === undefined) return;
    try {
      await send({ reason: textIn(form, 'reason'), preview_id: id });
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 'preview_outdated') reload();
      throw refusal;
    }
    onDone();
  };
  return (
    <ActionDialog
      title={`${title} ${order.order_number} at ${order.store_name}`}
      isOff={id === undefined}
      send={confirm}
      {...dialog}
    >
      {children}
      <ReasonField list="reasons" />
      <datalist id="reasons">
        {REASONS[step].map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
      <section class="preview" aria-label="Preview" aria-live="polite">
        <Fault>{error}</Fault>
        {request === undefined && <Empty>Fill in the form to see what would happen.</Empty>}
        {request !== undefined && !data && error === '' && <Empty>Loading the preview…</Empty>}
        {shown && <Outcome change={shown} isSandbox={order.mode === 'sandbox'} isMoney={isMoney} />}
      </section>
    </ActionDialog>
  );
}

type OutcomeProps = { change: OperatorOrderChange; isSandbox: boolean; isMoney: boolean };

function Outcome({ change, isSandbox, isMoney }: OutcomeProps) {
  const { preview, refund_amount: back, charge_amount: charged, paid_amount: paid } = change;
  if (!preview) return <Empty>Nothing to change: the order is already like this.</Empty>;
  if (!isMoney) return <TellList told={preview.told} isSandbox={isSandbox} />;
  return (
    <>
      <Facts
        facts={[
          ['Customer gets back', centsInWords(back)],
          charged > 0 && ['Card is charged', centsInWords(charged)],
          ['Customer pays in total', centsInWords(paid)],
          change.status === 'canceled' && ['Order', 'canceled'],
          ...preview.card.map(
            ({ charge_id: id, amount }): Fact => [
              'Refund to the card',
              [`${centsInWords(amount)} of charge `, <Id key={id} id={id} />],
            ],
          ),
        ]}
      />
      <TellList told={preview.told} isSandbox={isSandbox} />
    </>
  );
}

type NotifiedProps = { told: NonNullable<OperatorOrderChange['preview']>['told']; isSandbox: boolean };

function TellList({ told, isSandbox }: NotifiedProps) {
  if (told.length === 0) return <p class="soft">No one is notified.</p>;
  return (
    <>
      <p class="soft">Told afterward{isSandbox && ' (sandbox messages are kept, not sent)'}:</p>
      <ul class="told">
        {told.map(({ who, by, what, to }) => (
          <li key={`${who} ${by} ${what}`}>
            {who} by {by}
            {to !== '' && ` to ${to}`}: {wordsOf(what)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Cancels an order; the rest of its charge is refunded. */
export function CancelDialog(props: DeskProps) {
  return (
    <DeskForm {...props} title="Cancel" verb="Cancel order" tone="bad" step="cancel" what={{}}>
      <p>The customer and the account see the reason.</p>
    </DeskForm>
  );
}

type ItemsProps = DeskProps & { items: OperatorOrder['order']['items'] };

/** Refunds an amount, or units or weights of items. */
export function RefundDialog({ items: ordered, ...props }: ItemsProps) {
  const [by, setBy] = useState<'items' | 'amount'>('items');
  const [amount, setAmount] = useState(Number.NaN);
  const [units, setUnits] = useState<readonly number[]>(ordered.map(() => 0));
  const items = units.flatMap((amount, index) => {
    if (amount <= 0) return [];
    return [{ index, ...(ordered[index]?.unit ? { weight: String(amount) } : { quantity: amount }) }];
  });
  const what = by === 'items' ? { items } : { amount };
  const isComplete = by === 'items' ? items.length > 0 : amount > 0;
  return (
    <DeskForm {...props} title="Refund" verb="Refund" step="refund" what={isComplete ? what : undefined}>
      <fieldset>
        <legend>Refund by</legend>
        <div class="buttons">
          {(['items', 'amount'] as const).map((choice) => (
            <Button
              key={choice}
              aria-pressed={choice === by}
              onPress={() => setBy(choice)}
              text={choice === 'items' ? 'Items' : 'Amount'}
            />
          ))}
        </div>
      </fieldset>
      {by === 'amount' && <DollarField label="Amount in dollars" min={0.01} onCents={setAmount} />}
      {by === 'items' &&
        ordered.map((item, index) => (
          <Field
            key={index}
            class="units"
            label={`${item.name}, of ${item.fulfilled_quantity} ${item.unit ?? ''}`}
            type="number"
            min="0"
            max={item.fulfilled_quantity}
            step={item.unit ? 0.001 : 1}
            value={units[index] ?? 0}
            set={(typed) => setUnits(units.with(index, Number(typed)))}
          />
        ))}
    </DeskForm>
  );
}

/** Changes the handed-off part of an item. */
export function AdjustDialog({ items, ...props }: ItemsProps) {
  const [index, setIndex] = useState(0);
  const [quantity, setQuantity] = useState(Number.NaN);
  const [substitute, setSubstitute] = useState('');
  const { unit, quantity: ordered = 0 } = items[index] ?? {};
  const isWeighed = unit !== undefined && substitute === '';
  const change = {
    index,
    ...(isWeighed && quantity > 0 ? { weight: String(quantity) } : { quantity }),
    ...(substitute === '' ? {} : { substitute_product_id: substitute }),
  };
  return (
    <DeskForm {...props} title="Adjust" verb="Adjust item" step="adjust" what={quantity >= 0 ? change : undefined}>
      <Select
        label="Item"
        value={index}
        set={setIndex}
        options={items.map((item, at) => [at, `${item.quantity} ${item.unit ?? '×'} ${item.name}`] as const)}
      />
      <Field
        label={isWeighed ? `Handed over, in ${unit}` : 'Units handed over'}
        type="number"
        min="0"
        {...(isWeighed ? { step: 0.001 } : { max: ordered })}
        required
        set={(value) => setQuantity(Number.parseFloat(value))}
      />
      <Field
        label="Substitute's product ID, if any"
        maxLength={256}
        value={substitute}
        set={(value) => setSubstitute(value.trim())}
      />
    </DeskForm>
  );
}

/** Raises the tip of a delivery; the card that paid the order is charged the difference. */
export function TipDialog({ tipCents, ...props }: DeskProps & { tipCents: number }) {
  const [tip, setTip] = useState(Number.NaN);
  return (
    <DeskForm
      {...props}
      title="Tip"
      verb="Raise tip"
      step="tip"
      what={tip >= 0 ? { driver_tip_cents: tip } : undefined}
    >
      <p>The tip is {centsInWords(tipCents)}. It can be raised, with the card that paid the order.</p>
      <DollarField label="Whole tip in dollars" min={tipCents / 100} onCents={setTip} />
    </DeskForm>
  );
}

export type Resent = {
  title: string;
  body: {
    message_id?: string;
    channel?: 'email' | 'sms' | 'webhook' | 'printer' | `printer:${string}`;
    webhook_id?: string;
  };
};

/** Sends a message, an offer or a webhook call again, to the same recipient. */
export function ResendDialog({ resent, ...props }: DeskProps & { resent: Resent }) {
  return (
    <DeskForm
      {...props}
      title={`Send ${resent.title} of`}
      verb="Send again"
      step="resend"
      what={resent.body}
      isMoney={false}
    />
  );
}

function DollarField({ label, min, onCents }: { label: string; min: number; onCents(cents: number): void }) {
  return (
    <Field
      label={label}
      type="number"
      step="0.01"
      min={min}
      required
      set={(value) => onCents(Math.round(Number.parseFloat(value) * 100))}
    />
  );
}

/** The changes that the order's state allows. */
export function deskActionsOf({ order: { status, pickup }, charge, steps }: OperatorOrder) {
  const leftCents = charge.charged_amount - charge.refunded_amount - charge.refunding_amount;
  return {
    refund: (status === 'in_progress' || status === 'completed') && leftCents > 0,
    adjust: steps.includes('cancel'),
    tip: !pickup && ['awaiting_confirmation', 'in_progress', 'completed'].includes(status),
    cancel: steps.includes('cancel'),
  };
}
