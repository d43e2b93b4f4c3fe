import type { OrderEvent } from '../../src/ordering/order/order-events.ts';
import type { OperatorOrder } from './api.ts';
import type { Resent } from './desk.tsx';
import { eventInWords } from './event-words.ts';
import { List, Moment } from './parts.tsx';
import { RoleButton } from './role.tsx';
import { wordsOf } from './words.ts';

/* Tables of one order: events, notices, messages, webhook calls. */

const STATE = { State: 'state', Tries: 'attempts' };
const ERROR = { 'Last error': 'last_error' };
const whatOf = ({ kind, is_resent }: { kind: string; is_resent: boolean }) =>
  `${wordsOf(kind)}${is_resent ? ' (resent)' : ''}`;

export function EventsTable({ events, order: { items } }: Pick<OperatorOrder, 'events' | 'order'>) {
  const seen = { names: items.map(({ name }) => name), nowS: Date.now() / 1000 };
  return (
    <List
      title="Event log"
      rows={events}
      empty="No events. The order hasn't been placed."
      keyOf={({ sequence }) => String(sequence)}
      columns={[
        { head: 'At', class: 'figure', cell: ({ at }) => <Moment at={at} /> },
        {
          head: 'What happened',
          cell: ({ type, data }) => (
            <details>
              <summary>{eventInWords({ type, data } as OrderEvent, seen)}</summary>
              <code>{type}</code> <Details details={data} />
            </details>
          ),
        },
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

/** Things of an order that can be sent again. */
type Resendable = { resend(resent: Resent): void };

function ResendButton({ resent, resend }: Resendable & { resent: Resent }) {
  return <RoleButton to="support" onPress={() => resend(resent)} text="Send again…" />;
}

type SentTo = NonNullable<Resent['body']['channel']>;
const isSentTo = (channel: OperatorOrder['notices'][number]['channel']): channel is SentTo =>
  channel !== 'console' && channel !== 'operator';
const SENT_NOTICES: readonly string[] = ['sent', 'acknowledged'];

/** Offers can be sent again while the order waits for its store. */
type NoticesProps = Resendable & { notices: OperatorOrder['notices']; isWaiting: boolean };

export function NoticesTable({ notices, isWaiting, resend }: NoticesProps) {
  return (
    <List
      title="Offers and notices to the store"
      rows={notices.map((notice) => ({ ...notice, what: whatOf(notice) }))}
      empty="Nothing was sent to the store. Sandbox orders don't reach stores."
      keyOf={({ channel, kind, created_at }) => `${channel} ${kind} ${created_at}`}
      table={{ Channel: 'channel', What: 'what', ...STATE, 'Had it': 'sent_at', Answered: 'acknowledged_at', ...ERROR }}
      act={({ channel, kind, state, is_resent }) =>
        isWaiting &&
        kind === 'offered' &&
        !is_resent &&
        SENT_NOTICES.includes(state) &&
        isSentTo(channel) && (
          <ResendButton resent={{ title: `the offer by ${channel}`, body: { channel } }} resend={resend} />
        )
      }
    />
  );
}

type MessagesProps = Resendable & { messages: OperatorOrder['messages'] };

export function MessagesTable({ messages, resend }: MessagesProps) {
  return (
    <List
      title="Messages to the customer"
      rows={messages.map((sent) => ({ ...sent, what: whatOf(sent), by: `${sent.channel} to ${sent.to}` }))}
      empty="No messages yet."
      keyOf={({ message_id }) => message_id}
      table={{ Message: 'what', By: 'by', ...STATE, Sent: 'sent_at', ...ERROR }}
      act={({ message_id, kind, state }) =>
        (state === 'sent' || state === 'dead') &&
        kind !== 'order_problem' && (
          <ResendButton resent={{ title: `“${wordsOf(kind)}”`, body: { message_id } }} resend={resend} />
        )
      }
    />
  );
}

type CallsProps = Resendable & { calls: OperatorOrder['webhook_calls'] };

export function CallsTable({ calls, resend }: CallsProps) {
  return (
    <List
      title="Webhook calls to the account"
      rows={calls}
      empty="No calls. The account had no endpoint for this order's events."
      keyOf={({ webhook_id }) => webhook_id}
      table={{
        Event: 'type',
        ...STATE,
        Status: 'last_status',
        'Next try': 'next_attempt_at',
        ...ERROR,
        ID: 'webhook_id',
      }}
      act={({ webhook_id, type }) => (
        <ResendButton resent={{ title: `the call ${type}`, body: { webhook_id } }} resend={resend} />
      )}
    />
  );
}
