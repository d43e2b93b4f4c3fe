import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Field, Form } from '../field.tsx';
import type { Column } from '../table.tsx';
import { type Alert, call, type OperatorDuty } from './api.ts';
import { type RunState, useLoad, useRun } from './hooks.ts';
import { Empty, Fault, List, Moment, Pill, Section } from './parts.tsx';
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

/** Open and past alerts, who is on duty, and the operator's own duty. */
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
      <Fault>{running.error || error}</Fault>
      <List
        title={`Open · ${data.open.length}`}
        rows={data.open}
        empty="No open alerts."
        keyOf={keyOf}
        columns={[...TITLE, OPENED]}
        act={(alert) => <Acknowledge alert={alert} isBusy={running.isBusy} acknowledge={() => acknowledge(alert)} />}
      />
      <List
        title={`On duty · ${data.on_duty.length}`}
        rows={data.on_duty}
        empty={<span class="bad-text">Nobody is on duty, so alerts go to all administrators.</span>}
        keyOf={({ operator_id }) => operator_id}
        columns={[
          { head: 'Operator', cell: ({ name }) => <strong>{name}</strong> },
          { head: 'Reached by', cell: ({ ways }) => <Ways ways={ways} /> },
        ]}
      />
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

/** Takes charge of an alert, or says who has. */
function Acknowledge({ alert, isBusy, acknowledge }: { alert: Alert; isBusy: boolean; acknowledge(): void }) {
  if (alert.acknowledged_at !== null) return <span class="soft">{alert.acknowledged_by} is on it</span>;
  return <Button isBusy={isBusy} label={`I’m on it: ${alert.title}`} onPress={acknowledge} text="I’m on it" />;
}

const OPENED: Column<Alert> = { head: 'Opened', class: 'figure', cell: ({ opened_at }) => <Moment at={opened_at} /> };
const PAST_COLUMNS: Column<Alert>[] = [
  ...TITLE,
  OPENED,
  { head: 'Resolved', class: 'figure', cell: ({ ended_at }) => <Moment at={ended_at} /> },
  { head: 'Acknowledged by', cell: ({ acknowledged_by }) => acknowledged_by ?? <span class="soft">–</span> },
];

function YourDuty({ you, running }: { you: OperatorDuty; running: RunState }) {
  const [url, setUrl] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const shown = url ?? you.webhook_url ?? '';
  const switchDuty = () => running.run(() => call('POST /operator/duty', { body: { on_duty: !you.on_duty } }));
  const save = () =>
    running.run(async () => {
      const set = await call('POST /operator/duty/webhook', {
        body: { webhook_url: shown.trim() === '' ? null : shown.trim() },
      });
      setSecret(set.signing_secret ?? undefined);
      setUrl(undefined);
    });
  return (
    <Section
      title="You"
      actions={
        <Button
          aria-pressed={you.on_duty}
          isBusy={running.isBusy}
          onPress={switchDuty}
          text={you.on_duty ? 'Go off duty' : 'Go on duty'}
        />
      }
    >
      <div class="duty">
        <p>
          {you.on_duty ? 'You are on duty. Alerts reach you by: ' : 'You are off duty. On duty, alerts reach you by: '}
          <Ways ways={you.ways} />
        </p>
        <Form class="search" submit={save}>
          <Field
            label="Webhook URL for alerts"
            type="url"
            maxLength={2048}
            placeholder="https://"
            value={shown}
            set={setUrl}
          />
          <Button submit isBusy={running.isBusy} text="Save" />
        </Form>
        {secret !== undefined && (
          <p role="status">
            Signing secret, shown once: <code>{secret}</code>
          </p>
        )}
      </div>
    </Section>
  );
}
