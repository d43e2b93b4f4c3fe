import { useState } from 'preact/hooks';
import { type Alert, call, type OperatorDuty } from './api.ts';
import { type RunState, useLoad, useRun } from './hooks.ts';
import { type Column, Empty, Fault, List, Moment, Pill, Section, Table } from './parts.tsx';
import { wordsOf } from './words.ts';

/* Alerts, and who is on duty to receive them. */

const REFRESH_INTERVAL_MS = 5000;

/** Words of the kinds whose names do not say it. */
const KIND_WORDS: Readonly<Partial<Record<Alert['kind'], string>>> = {
  order_unconfirmed: 'unconfirmed order',
  store_unreached: 'unreachable store',
  channel_failing: 'failing channel',
  payments_stuck: 'payments',
  messages_failing: 'messages',
  budget_used_up: 'budget',
  search_differs: 'search',
  webhook_failing: 'webhook',
  quiet: 'quiet copy',
};
const WAY_WORDS = { email: 'email', sms: 'SMS', webhook: 'webhook' };

/** Alerts that are open and past, who is on duty, and the operator's own duty. */
export function AlertsView() {
  const { data, error, reload } = useLoad('GET /operator/alerts', {}, REFRESH_INTERVAL_MS);
  const running = useRun(reload);
  if (!data) return error ? <Fault>{error}</Fault> : <Empty>Loading alerts…</Empty>;
  const acknowledge = (alert: Alert) =>
    running.run(() => call('POST /operator/alerts/:alert_id/acknowledge', { path: { alert_id: alert.alert_id } }));
  const keyOf = ({ alert_id }: Alert) => alert_id;
  return (
    <>
      <h1>Alerts</h1>
      <Fault>{running.error ?? error}</Fault>
      <List
        title={`Open · ${data.open.length}`}
        rows={data.open}
        empty="No open alerts."
        keyOf={keyOf}
        columns={openColumns(running.isBusy, acknowledge)}
      />
      <Section title={`On duty · ${data.on_duty.length}`}>
        {data.on_duty.length === 0 ? (
          <Fault>Nobody is on duty, so alerts go to all administrators.</Fault>
        ) : (
          <Table
            caption="Operators on duty"
            rows={data.on_duty}
            keyOf={({ operator_id }) => operator_id}
            columns={[
              { head: 'Operator', cell: ({ name }) => <strong>{name}</strong> },
              { head: 'Reached by', cell: ({ ways }) => <Ways ways={ways} /> },
            ]}
          />
        )}
      </Section>
      <YourDuty you={data.you} running={running} />
      <List title="Past alerts" rows={data.past} empty="No past alerts." keyOf={keyOf} columns={PAST_COLUMNS} />
    </>
  );
}

function Ways({ ways }: { ways: OperatorDuty['ways'] }) {
  if (ways.length === 0) return <span class="bad-text">nothing: there is no email, phone or webhook</span>;
  return <>{ways.map((way) => WAY_WORDS[way]).join(', ')}</>;
}

const TITLE: Column<Alert>[] = [
  {
    head: 'Kind',
    cell: ({ kind, ended_at }) => (
      <Pill tone={ended_at === null ? 'bad' : 'plain'}>{KIND_WORDS[kind] ?? wordsOf(kind)}</Pill>
    ),
  },
  { head: 'Alert', cell: ({ title, page }) => <a href={`#/${page}`}>{title}</a> },
];

function openColumns(isBusy: boolean, acknowledge: (alert: Alert) => void): Column<Alert>[] {
  return [
    ...TITLE,
    { head: 'Opened', class: 'number', cell: ({ opened_at }) => <Moment at={opened_at} /> },
    {
      head: 'Actions',
      class: 'do',
      cell: (alert) =>
        alert.acknowledged_at === null ? (
          <button
            type="button"
            disabled={isBusy}
            aria-label={`I’m on it: ${alert.title}`}
            onClick={() => acknowledge(alert)}
          >
            I’m on it
          </button>
        ) : (
          <span class="soft">{alert.acknowledged_by} is on it</span>
        ),
    },
  ];
}

const PAST_COLUMNS: Column<Alert>[] = [
  ...TITLE,
  { head: 'Opened', class: 'number', cell: ({ opened_at }) => <Moment at={opened_at} /> },
  { head: 'Resolved', class: 'number', cell: ({ ended_at }) => <Moment at={ended_at} /> },
  { head: 'Acknowledged by', cell: ({ acknowledged_by }) => acknowledged_by ?? <span class="soft">–</span> },
];

function YourDuty({ you, running }: { you: OperatorDuty; running: RunState }) {
  const [url, setUrl] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const shown = url ?? you.webhook_url ?? '';
  const switchDuty = () => running.run(() => call('POST /operator/duty', { body: { on_duty: !you.on_duty } }));
  const save = (event: Event) => {
    event.preventDefault();
    running.run(async () => {
      const set = await call('POST /operator/duty/webhook', {
        body: { webhook_url: shown.trim() === '' ? null : shown.trim() },
      });
      setSecret(set.signing_secret ?? undefined);
      setUrl(undefined);
    });
  };
  return (
    <Section
      title="You"
      actions={
        <button type="button" aria-pressed={you.on_duty} disabled={running.isBusy} onClick={switchDuty}>
          {you.on_duty ? 'Go off duty' : 'Go on duty'}
        </button>
      }
    >
      <div class="duty">
        <p>
          {you.on_duty ? 'You are on duty. Alerts reach you by: ' : 'You are off duty. On duty, alerts reach you by: '}
          <Ways ways={you.ways} />
        </p>
        <form class="duty-line" onSubmit={save}>
          <label>
            Webhook URL for alerts{' '}
            <input
              type="url"
              maxLength={2048}
              placeholder="https://"
              value={shown}
              onInput={({ currentTarget }) => setUrl(currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={running.isBusy}>
            Save
          </button>
        </form>
        {secret !== undefined && (
          <p role="status">
            Signing secret, shown once: <code>{secret}</code>
          </p>
        )}
      </div>
    </Section>
  );
}
