import type { OperatorMessage, OperatorNotice, OperatorOrderEvent, OperatorWebhookCall } from './api.ts';
import type { Resent } from './desk.tsx';
import { Id, List, Moment, State } from './parts.tsx';
import { Only } from './role.tsx';
import { wordsOf } from './words.ts';

/* Tables of one order: events, notices, messages, webhook calls. */

const Failure = ({ error }: { error: string | null }) =>
  error === null ? null : <span class="bad-text">{error}</span>;

export function EventsTable({ events }: { events: readonly OperatorOrderEvent[] }) {
  return (
    <List
      title="Event log"
      rows={events}
      empty="No events. The order hasn't been placed."
      keyOf={({ sequence }) => String(sequence)}
      columns={[
        { head: '#', class: 'number', cell: ({ sequence }) => sequence },
        { head: 'At', class: 'number', cell: ({ at }) => <Moment at={at} /> },
        { head: 'Event', cell: ({ type }) => <code>{type}</code> },
        { head: 'Data', cell: ({ data }) => <Details details={data} /> },
      ]}
    />
  );
}

/** Names and values on one line. */
export function Details({ details }: { details: Record<string, unknown> }) {
  return (
    <span class="mono">
      {Object.entries(details)
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' · ')}
    </span>
  );
}

/** What can be sent again of an order. */
type Resendable = { resend(resent: Resent): void };

function ResendButton({ resent, resend }: Resendable & { resent: Resent }) {
  return (
    <Only to="support">
      <button type="button" onClick={() => resend(resent)}>
        Send again…
      </button>
    </Only>
  );
}

type SentTo = NonNullable<Resent['body']['channel']>;
const isSentTo = (channel: OperatorNotice['channel']): channel is SentTo =>
  channel !== 'console' && channel !== 'operator';
const SENT_NOTICES: readonly string[] = ['sent', 'acknowledged'];

/** Offers can be sent again while the order waits for its store. */
type NoticesProps = Resendable & { notices: readonly OperatorNotice[]; isWaiting: boolean };

export function NoticesTable({ notices, isWaiting, resend }: NoticesProps) {
  return (
    <List
      title="Offers and notices to the store"
      rows={notices}
      empty="Nothing was sent to the store. Sandbox orders don't reach stores."
      keyOf={({ channel, kind, created_at }) => `${channel} ${kind} ${created_at}`}
      columns={[
        { head: 'Channel', cell: ({ channel }) => channel },
        { head: 'What', cell: ({ kind, is_resent }) => `${wordsOf(kind)}${is_resent ? ' (resent)' : ''}` },
        { head: 'State', cell: ({ state }) => <State state={state} /> },
        { head: 'Tries', class: 'number', cell: ({ attempts }) => attempts },
        { head: 'Had it', class: 'number', cell: ({ sent_at }) => <Moment at={sent_at} /> },
        { head: 'Answered', class: 'number', cell: ({ acknowledged_at }) => <Moment at={acknowledged_at} /> },
        { head: 'Last error', cell: ({ last_error }) => <Failure error={last_error} /> },
        {
          head: 'Actions',
          class: 'do',
          cell: ({ channel, kind, state, is_resent }) =>
            isWaiting &&
            kind === 'offered' &&
            !is_resent &&
            SENT_NOTICES.includes(state) &&
            isSentTo(channel) && (
              <ResendButton resent={{ title: `the offer by ${channel}`, body: { channel } }} resend={resend} />
            ),
        },
      ]}
    />
  );
}

type MessagesProps = Resendable & { messages: readonly OperatorMessage[] };

export function MessagesTable({ messages, resend }: MessagesProps) {
  return (
    <List
      title="Messages to the customer"
      rows={messages}
      empty="No messages yet."
      keyOf={({ message_id }) => message_id}
      columns={[
        { head: 'Message', cell: ({ kind, is_resent }) => `${wordsOf(kind)}${is_resent ? ' (resent)' : ''}` },
        { head: 'By', cell: ({ channel, to }) => `${channel} to ${to}` },
        { head: 'State', cell: ({ state }) => <State state={state} /> },
        { head: 'Tries', class: 'number', cell: ({ attempts }) => attempts },
        { head: 'Sent', class: 'number', cell: ({ sent_at }) => <Moment at={sent_at} /> },
        { head: 'Last error', cell: ({ last_error }) => <Failure error={last_error} /> },
        {
          head: 'Actions',
          class: 'do',
          cell: ({ message_id, kind, state }) =>
            (state === 'sent' || state === 'dead') &&
            kind !== 'order_problem' && (
              <ResendButton resent={{ title: `“${wordsOf(kind)}”`, body: { message_id } }} resend={resend} />
            ),
        },
      ]}
    />
  );
}

type CallsProps = Resendable & { calls: readonly OperatorWebhookCall[] };

export function CallsTable({ calls, resend }: CallsProps) {
  return (
    <List
      title="Webhook calls to the account"
      rows={calls}
      empty="No calls. The account had no endpoint for this order's events."
      keyOf={({ webhook_id }) => webhook_id}
      columns={[
        { head: 'Event', cell: ({ type }) => <code>{type}</code> },
        { head: 'State', cell: ({ state }) => <State state={state} /> },
        { head: 'Tries', class: 'number', cell: ({ attempts }) => attempts },
        { head: 'Status', class: 'number', cell: ({ last_status }) => last_status ?? '–' },
        { head: 'Next attempt', class: 'number', cell: ({ next_attempt_at }) => <Moment at={next_attempt_at} /> },
        { head: 'Last error', cell: ({ last_error }) => <Failure error={last_error} /> },
        { head: 'ID', cell: ({ webhook_id }) => <Id id={webhook_id} /> },
        {
          head: 'Actions',
          class: 'do',
          cell: ({ webhook_id, type }) => (
            <ResendButton resent={{ title: `the call ${type}`, body: { webhook_id } }} resend={resend} />
          ),
        },
      ]}
    />
  );
}
