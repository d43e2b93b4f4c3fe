import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shownOrderNumber } from '../../src/ordering/order/order.ts';
import { call, type OperatorOrder, type OperatorOrderChange, type OperatorPreview, RefusalError } from './api.ts';
import { ActionDialog, Empty, Facts, Fault, Id, ReasonField, textIn } from './parts.tsx';
import { centsInWords, wordsOf } from './words.ts';

/** Changes of an order's money. Each shows what would follow, and confirms exactly that. */

const PREVIEW_DELAY_MS = 250;

type Asking = { reason?: string; preview?: boolean; preview_id?: string };
/** Sends a change, or asks for its preview. */
type Send = (asking: Asking) => Promise<OperatorOrderChange>;
type Preview = { shown: OperatorOrderChange | undefined; error: string | undefined; refresh(): void };

/** The preview of a change, read again when the change is edited; none while it is incomplete. */
function usePreview(request: string | undefined, send: Send): Preview {
  const [state, setState] = useState<{ request?: string; shown?: OperatorOrderChange; error?: string }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (request === undefined) return;
    let isCurrent = true;
    const show = (next: typeof state) => isCurrent && setState(next);
    const timer = setTimeout(() => {
      send({ preview: true }).then(
        (shown) => show({ request, shown }),
        (fault: unknown) => show({ request, error: fault instanceof Error ? fault.message : String(fault) }),
      );
    }, PREVIEW_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [request, round]);
  const isCurrent = request !== undefined && state.request === request;
  return {
    shown: isCurrent ? state.shown : undefined,
    error: isCurrent ? state.error : undefined,
    refresh: () => setRound((count) => count + 1),
  };
}

export type OrderLabel = { order_id: string; order_number: string; store_name: string; mode?: 'live' | 'sandbox' };

export const labelOf = ({ order }: OperatorOrder): OrderLabel => ({
  order_id: order.order_id,
  order_number: shownOrderNumber({ orderId: order.order_id, orderNumber: order.order_number ?? null }),
  store_name: order.final_quote.store,
  mode: order.is_sandbox ? 'sandbox' : 'live',
});

export type DeskProps<Order> = { order: Order; onClose(): void; onDone(): void };

type FormProps = DeskProps<OrderLabel> & {
  title: string;
  verb: string;
  tone?: 'bad';
  /** The fields as text; undefined while they are incomplete. */
  request: string | undefined;
  send: Send;
  reasons: readonly string[];
  isMoney?: boolean;
  children?: ComponentChildren;
};

/** A form with its preview and reason. An outdated preview is shown again. */
function DeskForm({
  order,
  title,
  verb,
  tone,
  request,
  send,
  reasons,
  isMoney = true,
  children,
  onClose,
  onDone,
}: FormProps) {
  const preview = usePreview(request, send);
  const id = preview.shown?.preview?.preview_id;
  const confirm = async (form: FormData) => {
    if (id === undefined) return;
    try {
      await send({ reason: textIn(form, 'reason'), preview_id: id });
    } catch (error) {
      if (error instanceof RefusalError && error.code === 'preview_outdated') preview.refresh();
      throw error;
    }
    onDone();
  };
  return (
    <ActionDialog
      title={`${title} ${order.order_number} at ${order.store_name}`}
      verb={verb}
      {...(tone && { tone })}
      isOff={id === undefined}
      onClose={onClose}
      send={confirm}
    >
      {children}
      <ReasonField list="reasons" />
      <datalist id="reasons">
        {reasons.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
      <section class="preview" aria-label="Preview" aria-live="polite">
        <Fault>{preview.error}</Fault>
        {request === undefined && <Empty>Fill in the form to see what would happen.</Empty>}
        {request !== undefined && !preview.shown && !preview.error && <Empty>Loading the preview…</Empty>}
        {preview.shown && <Outcome change={preview.shown} isSandbox={order.mode === 'sandbox'} isMoney={isMoney} />}
      </section>
    </ActionDialog>
  );
}

type OutcomeProps = { change: OperatorOrderChange; isSandbox: boolean; isMoney: boolean };

function Outcome({ change, isSandbox, isMoney }: OutcomeProps) {
  const { preview, refund_amount: back, charge_amount: charged, paid_amount: paid } = change;
  if (!preview) return <Empty>The order is already so. Nothing would change.</Empty>;
  if (!isMoney) return <TellList told={preview.told} isSandbox={isSandbox} />;
  return (
    <>
      <Facts
        facts={[
          ['Customer gets back', centsInWords(back)],
          ...(charged > 0 ? [['Card is charged', centsInWords(charged)] as const] : []),
          ['Customer has then paid', centsInWords(paid)],
          ...(change.status === 'canceled' ? [['Order', 'canceled'] as const] : []),
          ...preview.card.map(
            ({ charge_id, amount }) =>
              [
                'Refund to the card',
                <>
                  {centsInWords(amount)} of charge <Id id={charge_id} />
                </>,
              ] as const,
          ),
        ]}
      />
      <TellList told={preview.told} isSandbox={isSandbox} />
    </>
  );
}

function TellList({ told, isSandbox }: { told: OperatorPreview['told']; isSandbox: boolean }) {
  if (told.length === 0) return <p class="soft">Nobody is told.</p>;
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

const CANCEL_REASONS = [
  "The store isn't answering",
  'The store is closed',
  'The kitchen is too busy',
  'Out of stock',
  'The customer asked to cancel',
];
const REFUND_REASONS = ['Missing item', 'Wrong item', 'Poor quality', 'Late delivery', 'Goodwill'];
const ADJUST_REASONS = ['Out of stock', 'The store called'];
const RESEND_REASONS = ['The customer lost it', 'It never arrived'];
const TIP_REASONS = ['The customer asked for it'];

/** Cancels an order; the rest of its charge is refunded. */
export function CancelDialog({ order, ...props }: DeskProps<OrderLabel>) {
  const path = { order_id: order.order_id };
  return (
    <DeskForm
      {...props}
      order={order}
      title="Cancel"
      verb="Cancel order"
      tone="bad"
      request="cancel"
      send={(body) => call('POST /operator/orders/:order_id/cancel', { path, body })}
      reasons={CANCEL_REASONS}
    >
      <p>The customer and the account see the reason.</p>
    </DeskForm>
  );
}

type ItemsProps = DeskProps<OrderLabel> & { items: OperatorOrder['order']['items'] };

/** Refunds an amount, or units of items. */
export function RefundDialog({ order, items: ordered, ...props }: ItemsProps) {
  const path = { order_id: order.order_id };
  const [by, setBy] = useState<'items' | 'amount'>('items');
  const [amount, setAmount] = useState(Number.NaN);
  const [units, setUnits] = useState<readonly number[]>(ordered.map(() => 0));
  const items = units.flatMap((quantity, index) => (quantity > 0 ? [{ index, quantity }] : []));
  const what = by === 'items' ? { items } : { amount };
  const isComplete = by === 'items' ? items.length > 0 : amount > 0;
  return (
    <DeskForm
      {...props}
      order={order}
      title="Refund"
      verb="Refund"
      request={isComplete ? JSON.stringify(what) : undefined}
      send={(body) => call('POST /operator/orders/:order_id/refund', { path, body: { ...what, ...body } })}
      reasons={REFUND_REASONS}
    >
      <fieldset>
        <legend>Refund by</legend>
        <div class="choices">
          {(['items', 'amount'] as const).map((choice) => (
            <button key={choice} type="button" aria-pressed={choice === by} onClick={() => setBy(choice)}>
              {choice === 'items' ? 'Items' : 'Amount'}
            </button>
          ))}
        </div>
      </fieldset>
      {by === 'amount' && <DollarField label="Amount in dollars" min={0.01} onCents={setAmount} />}
      {by === 'items' &&
        ordered.map((item, index) => (
          <label key={index} class="units">
            {item.name}, of {item.quantity}
            <input
              type="number"
              min="0"
              max={item.quantity}
              value={units[index]}
              onInput={({ currentTarget }) => setUnits(units.with(index, currentTarget.valueAsNumber || 0))}
            />
          </label>
        ))}
    </DeskForm>
  );
}

/** Changes what the store hands over of an item. */
export function AdjustDialog({ order, items, ...props }: ItemsProps) {
  const path = { order_id: order.order_id };
  const [index, setIndex] = useState(0);
  const [quantity, setQuantity] = useState(Number.NaN);
  const [substitute, setSubstitute] = useState('');
  const change = { index, quantity, ...(substitute === '' ? {} : { substitute_product_id: substitute }) };
  return (
    <DeskForm
      {...props}
      order={order}
      title="Adjust"
      verb="Adjust item"
      request={quantity >= 0 ? JSON.stringify(change) : undefined}
      send={(body) => call('POST /operator/orders/:order_id/adjust', { path, body: { ...change, ...body } })}
      reasons={ADJUST_REASONS}
    >
      <label>
        Item
        <select value={index} onChange={({ currentTarget }) => setIndex(Number(currentTarget.value))}>
          {items.map((item, at) => (
            <option key={at} value={at}>
              {item.quantity} × {item.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Units handed over
        <input
          type="number"
          min="0"
          max={items[index]?.quantity ?? 0}
          required
          onInput={({ currentTarget }) => setQuantity(currentTarget.valueAsNumber)}
        />
      </label>
      <label>
        Substitute's product ID, if any
        <input
          type="text"
          maxLength={256}
          value={substitute}
          onInput={({ currentTarget }) => setSubstitute(currentTarget.value.trim())}
        />
      </label>
    </DeskForm>
  );
}

/** Raises the tip of a delivery; the card that paid the order is charged the difference. */
export function TipDialog({ order, tipCents, ...props }: DeskProps<OrderLabel> & { tipCents: number }) {
  const path = { order_id: order.order_id };
  const [tip, setTip] = useState(Number.NaN);
  return (
    <DeskForm
      {...props}
      order={order}
      title="Tip"
      verb="Raise tip"
      request={tip >= 0 ? `${tip}` : undefined}
      send={(body) => call('POST /operator/orders/:order_id/tip', { path, body: { driver_tip_cents: tip, ...body } })}
      reasons={TIP_REASONS}
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
export function ResendDialog({
  order,
  resent: { title, body: what },
  ...props
}: DeskProps<OrderLabel> & { resent: Resent }) {
  const path = { order_id: order.order_id };
  return (
    <DeskForm
      {...props}
      order={order}
      title={`Send ${title} of`}
      verb="Send again"
      request={JSON.stringify(what)}
      send={(body) => call('POST /operator/orders/:order_id/resend', { path, body: { ...what, ...body } })}
      reasons={RESEND_REASONS}
      isMoney={false}
    />
  );
}

function DollarField({ label, min, onCents }: { label: string; min: number; onCents(cents: number): void }) {
  return (
    <label>
      {label}
      <input
        type="number"
        step="0.01"
        min={min}
        required
        onInput={({ currentTarget }) => onCents(Math.round(currentTarget.valueAsNumber * 100))}
      />
    </label>
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
