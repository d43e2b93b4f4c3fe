import { useState } from 'preact/hooks';
import { dialUrl, phoneInWords } from '../../src/platform/lib/phone.ts';
import { Button } from '../button.tsx';
import type { Column } from '../table.tsx';
import { call, type WaitingOffer, type WaitingOrder } from './api.ts';
import { CancelDialog } from './desk.tsx';
import { useLoad, useNow, useRun } from './hooks.ts';
import type { Live } from './live.ts';
import { OtherMode } from './mode.tsx';
import { ConfirmDialog } from './order-steps.tsx';
import { ACCOUNT_COLUMN, Empty, Fault, Id, List, Moment, Pill, type Tone } from './parts.tsx';
import { Only } from './role.tsx';
import { centsInWords, countInWords, durationInWords } from './words.ts';

/* Orders that wait for their stores. */

export const isRinging = ({ rings_at }: WaitingOrder, nowS: number): boolean => rings_at !== null && rings_at <= nowS;

/** Orders that wait for their stores, ringing ones first, with the operator's actions. */
export function WaitingView({ live }: { live: Live }) {
  const now = useNow() + live.aheadS;
  const [open, setOpen] = useState<{ kind: 'confirm' | 'cancel'; order: WaitingOrder }>();
  const running = useRun();
  const acknowledge = (order: WaitingOrder) =>
    running.run(() => call('POST /operator/orders/:order_id/acknowledge', { path: { order_id: order.order_id } }));
  const orders = live.waiting?.orders ?? [];
  const ringing = orders.filter((order) => isRinging(order, now));
  const calm = orders.filter((order) => !isRinging(order, now));
  const close = () => setOpen(undefined);
  const columns = columnsOf({ now, isBusy: running.isBusy, acknowledge, open: setOpen });
  const keyOf = ({ order_id }: WaitingOrder) => order_id;
  return (
    <>
      <h1>Unconfirmed orders</h1>
      <Fault>{running.error}</Fault>
      <p class="unseen" role="status">
        {ringing.length > 0 && `${countInWords(ringing.length, 'order')} unanswered`}
      </p>
      {live.waiting === undefined && <Empty>Loading unconfirmed orders…</Empty>}
      {live.waiting && (
        <List
          title={`No answer yet · ${ringing.length}`}
          rows={ringing}
          empty="All clear. Every live order is being handled, or came in less than a minute ago."
          columns={columns}
          keyOf={keyOf}
          rowClass={() => 'rings'}
        >
          {orders.length === 0 && <SandboxWaiting />}
        </List>
      )}
      <List title={`Waiting for the store to confirm · ${calm.length}`} columns={columns} rows={calm} keyOf={keyOf} />
      {live.waiting?.more && <Fault>Showing the 200 orders that have waited longest. There are more.</Fault>}
      {open?.kind === 'confirm' && <ConfirmDialog order={open.order} onClose={close} onDone={close} />}
      {open?.kind === 'cancel' && <CancelDialog order={open.order} onClose={close} onDone={close} />}
    </>
  );
}

/** Sandbox orders are answered on their own console, so this view has the live ones only. */
function SandboxWaiting() {
  const query = { mode: 'live', status: 'awaiting_confirmation' };
  const { data } = useLoad('GET /operator/orders', { query });
  const filter = new URLSearchParams(query);
  return <OtherMode tab="orders" query={filter} mode="live" others={data?.other_mode_orders ?? 0} />;
}

type Doing = {
  now: number;
  isBusy: boolean;
  acknowledge(order: WaitingOrder): void;
  open(what: { kind: 'confirm' | 'cancel'; order: WaitingOrder }): void;
};

function columnsOf({ now, isBusy, acknowledge, open }: Doing): Column<WaitingOrder>[] {
  return [
    { head: 'Waits', class: 'figure', cell: (order) => <strong>{durationInWords(now - order.offered_at)}</strong> },
    {
      head: 'Order',
      cell: (order) => (
        <>
          <a class="strong" href={`#/orders/${order.order_id}`}>
            {order.order_number}
          </a>{' '}
          <span class="soft">
            {order.pickup ? 'pickup' : 'delivery'}, {countInWords(order.item_count, 'item')},{' '}
            {centsInWords(order.total_with_tip)}
          </span>
          <br />
          <Id id={order.order_id} />
        </>
      ),
    },
    {
      head: 'Store',
      cell: (order) => (
        <>
          <a href={`#/stores/${order.store_id}`}>{order.store_name}</a>
          <br />
          {order.store_phone === null ? (
            <span class="soft">no phone</span>
          ) : (
            <a class="phone" href={dialUrl(order.store_phone)}>
              {phoneInWords(order.store_phone)}
            </a>
          )}
        </>
      ),
    },
    { head: 'Channels', cell: ({ offers }) => <Offers offers={offers} now={now} /> },
    {
      head: 'Canceled in',
      class: 'figure',
      cell: ({ confirm_by, scheduled_for }) => (
        <>
          {confirm_by === null ? '–' : durationInWords(confirm_by - now)}
          {scheduled_for !== null && (
            <>
              <br />
              <span class="soft">
                for <Moment at={scheduled_for} now={now} />
              </span>
            </>
          )}
        </>
      ),
    },
    ACCOUNT_COLUMN,
    {
      head: 'Actions',
      class: 'do',
      cell: (order) => (
        <Only to="support">
          <div class="buttons">
            {order.rings_at !== null && <Button isBusy={isBusy} onPress={() => acknowledge(order)} text="I’m on it" />}
            <Button onPress={() => open({ kind: 'confirm', order })} text="Confirm…" />
            <Button kind="danger" onPress={() => open({ kind: 'cancel', order })} text="Cancel…" />
          </div>
        </Only>
      ),
    },
  ];
}

function toneOf({ state, last_error, failing_since }: WaitingOffer): Tone {
  if (state === 'acknowledged') return 'good';
  return last_error !== null || failing_since !== null ? 'bad' : 'plain';
}

const STATE_WORDS = { waiting: 'does not have it yet', sent: 'has it', acknowledged: 'has seen it', withdrawn: 'off' };

export function Offers({ offers, now }: { offers: readonly WaitingOffer[]; now: number }) {
  if (offers.length === 0) return <Pill tone="bad">not offered yet</Pill>;
  return (
    <ul class="offers">
      {offers.map((offer) => (
        <li key={offer.channel}>
          <Pill tone={toneOf(offer)}>{offer.channel}</Pill>{' '}
          {offer.last_error === null ? (
            STATE_WORDS[offer.state]
          ) : (
            <span class="bad-text">
              {offer.last_error} · {countInWords(offer.attempts, 'try', 'tries')}
              {offer.failing_since !== null && ` in ${durationInWords(now - offer.failing_since)}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
