import type { Column } from '../table.tsx';
import type { ServiceHealth } from './api.ts';
import { useLoad } from './hooks.ts';
import { Breakers, wordsOfBudget } from './limits.tsx';
import { Empty, Facts, Fault, List, Moment, Pill, Section, type Tone } from './parts.tsx';
import { durationInWords } from './words.ts';

/* Health of the service: conditions, queues, jobs, stores and external services that fail. */

const REFRESH_INTERVAL_MS = 5000;
/** Seconds until an overdue queue counts as late. */
const LATE_S = 60;
const MAX_COUNTED_ROWS = 10_000;

const STORE = { Store: 'store_name>stores/store_id' };
const ACCOUNT = { Account: 'account_name>accounts/account_id' };

type Queue = ServiceHealth['queues'][number];
type Job = ServiceHealth['jobs'][number];

const count = (rows: number) =>
  rows >= MAX_COUNTED_ROWS ? `${MAX_COUNTED_ROWS.toLocaleString('en-US')} or more` : rows;
const bytes = (size: number) => `${(size / 1e9).toFixed(size < 1e9 ? 2 : 1)} GB`;

function toneOf(dueSince: number | null, failing: number, now: number): Tone {
  if (dueSince !== null && now - dueSince > LATE_S) return 'bad';
  return failing > 0 ? 'warn' : 'good';
}

function State({ tone }: { tone: Tone }) {
  return <Pill tone={tone}>{tone === 'bad' ? 'behind' : tone === 'warn' ? 'some fail' : 'healthy'}</Pill>;
}

/** The service's health: its queues, failures and dependencies. */
export function HealthView() {
  const { data, error } = useLoad('GET /operator/health', {}, REFRESH_INTERVAL_MS);
  if (!data) return error ? <Fault>{error}</Fault> : <Empty>Loading health…</Empty>;
  return (
    <>
      <h1>Health</h1>
      <Fault>{error}</Fault>
      {data.conditions.map(({ condition, title }) => (
        <Fault key={condition}>{title}</Fault>
      ))}
      {data.on_duty === 0 && (
        <Fault>
          No operator on duty can be reached, so <a href="#/alerts">alerts</a>{' '}
          {data.alerted === 0 ? 'reach no one.' : 'go to all administrators.'}
        </Fault>
      )}
      <Failing health={data} />
      <Doubts health={data} />
      <List title="Queues" rows={data.queues} keyOf={({ queue }) => queue} columns={queueColumns(data.now)} />
      <List
        title="Background jobs"
        rows={data.jobs}
        empty="No jobs are waiting, running or failing."
        keyOf={({ job }) => job}
        table={{ Job: 'job', Waiting: 'waiting', Retrying: 'retrying', Running: 'running', Failed: 'failed' }}
        columns={jobColumns(data.now)}
      />
      <div class="halves">
        <Section title="Dependencies">
          <Facts
            facts={data.parties.map(({ party, is_configured, last_error }) => [
              party,
              <>
                {is_configured ? <Pill tone="good">configured</Pill> : <Pill tone="bad">not configured</Pill>}
                {last_error !== null && <span class="bad-text"> {last_error}</span>}
              </>,
            ])}
          />
        </Section>
        <Database health={data} />
        <Section title="This node">
          <Facts
            facts={[
              ['Version', data.version],
              ['Commit', <code>{data.commit ?? 'unknown'}</code>],
            ]}
          />
        </Section>
      </div>
    </>
  );
}

type Props = { health: ServiceHealth };

function Failing({ health }: Props) {
  const { failing_channels: channels, failing_endpoints: endpoints, now } = health;
  const { used_up_budgets: budgets, card_breakers: breakers } = health;
  return (
    <>
      <List
        title={`Failing store channels and printers · ${channels.length}`}
        rows={channels}
        empty="None are failing."
        keyOf={({ store_id, channel }) => `${store_id} ${channel}`}
        table={{ ...STORE, Channel: 'channel', Target: 'target', 'Last error': 'last_error' }}
        columns={[{ head: 'For', class: 'figure', cell: ({ failing_since }) => durationInWords(now - failing_since) }]}
      />
      <List
        title={`Failing account webhooks · ${endpoints.length}`}
        rows={endpoints}
        keyOf={({ account_id, mode }) => `${account_id} ${mode}`}
        table={{ ...ACCOUNT, Mode: 'mode', 'Failing since': 'failing_since' }}
        columns={[
          { head: 'State', cell: ({ enabled }) => <Pill tone="bad">{enabled ? 'fails' : 'switched off'}</Pill> },
        ]}
      />
      <List
        title={`Account budgets used up today · ${budgets.length}`}
        rows={budgets}
        keyOf={({ account_id, mode, budget }) => `${account_id} ${mode} ${budget}`}
        table={{ ...ACCOUNT, Mode: 'mode', Limit: 'limit' }}
        columns={[{ head: 'Budget', cell: ({ budget }) => wordsOfBudget(budget) }]}
      />
      {breakers.length > 0 && (
        <Section title={`Blocked after declined cards · ${breakers.length}`}>
          <Breakers breakers={breakers} />
        </Section>
      )}
    </>
  );
}

/** Lists of stores with an error, each shown where it has any. */
const STORE_LISTS = [
  ['Stores left out of search', 'left_out_stores', { Store: 'store_id>stores/store_id', Why: 'reason' }],
  [
    'Search differed from the database',
    'search_differences',
    { Found: 'differed_at', 'Stores missing': 'missing', First: 'first_missing' },
  ],
  ['Live stores with no working channel', 'unreached_stores', { ...STORE, 'Failing or not connected': 'channels' }],
  ['Stores kept from live orders: no agreement', 'stores_without_agreement', STORE],
  ['Stores that have never acknowledged an order', 'silent_stores', { ...STORE, 'Offered since': 'offered_since' }],
  ['Live stores with statewide taxes only', 'statewide_tax_stores', { ...STORE, 'Left out': 'left_out' }],
] as const;

/** Stores with errors, doubtful settings, and proxies that are not in TRUST_PROXY. */
function Doubts({ health }: Props) {
  const { undeclared_proxies: proxies, setting_warnings: warnings } = health;
  const keyOf = (row: object) => JSON.stringify(row);
  return (
    <>
      {STORE_LISTS.map(([title, name, table]) => {
        const rows: readonly object[] = health[name];
        return (
          <List key={name} title={`${title} · ${rows.length}`} rows={rows} keyOf={keyOf} table={table}>
            {name === 'statewide_tax_stores' && (
              <p>
                These stores have no taxes of their own, so orders have those of the built-in table (
                <a href="/docs/taxes">docs/taxes</a>), which is less than what is due in most places.
              </p>
            )}
          </List>
        );
      })}
      {warnings.length > 0 && (
        <Section title={`Doubtful settings · ${warnings.length}`}>
          {warnings.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Section>
      )}
      {proxies.length > 0 && (
        <Section title={`Proxies missing from TRUST_PROXY · ${proxies.length}`}>
          <p>
            Requests with X-Forwarded-For came from <span class="mono">{proxies.join(', ')}</span>. If these are your
            proxies, add them to TRUST_PROXY: until then their visitors count as one client.
          </p>
        </Section>
      )}
    </>
  );
}

const overdueColumn = (now: number): Column<{ due_since: number | null }> => ({
  head: 'Oldest overdue by',
  class: 'figure',
  cell: ({ due_since }) => (due_since === null ? '–' : durationInWords(now - due_since)),
});

function queueColumns(now: number): Column<Queue>[] {
  return [
    { head: 'Queue', cell: ({ queue }) => <strong>{queue}</strong> },
    { head: 'State', cell: ({ due_since, failing }) => <State tone={toneOf(due_since, failing, now)} /> },
    { head: 'Waiting', class: 'figure', cell: ({ waiting }) => count(waiting) },
    { head: 'Failing', class: 'figure', cell: ({ failing }) => count(failing) },
    overdueColumn(now),
    { head: 'Last error', cell: ({ last_error }) => <span class="bad-text">{last_error}</span> },
  ];
}

function jobColumns(now: number): Column<Job>[] {
  return [
    {
      head: 'State',
      cell: ({ due_since, retrying, failed }) => <State tone={toneOf(due_since, retrying + failed, now)} />,
    },
    overdueColumn(now),
  ];
}

function Database({ health: { database, disk } }: Props) {
  return (
    <Section title="Database">
      <Facts
        facts={[
          database !== null && ['Size', bytes(database.bytes)],
          database !== null && ['Connections', `${database.connections} of ${database.max_connections}`],
          database !== null && ['Last migration', <code>{database.last_migration}</code>],
          database !== null && ['Applied', <Moment at={database.migrated_at} />],
          [
            'Disk',
            disk === null ? 'not on this machine' : `${bytes(disk.free_bytes)} free of ${bytes(disk.total_bytes)}`,
          ],
        ]}
      />
    </Section>
  );
}
