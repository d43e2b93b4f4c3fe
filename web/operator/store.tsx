import { useState } from 'preact/hooks';
import { dialUrl, phoneInWords } from '../../src/platform/lib/phone.ts';
import { SessionsTable } from './actions.tsx';
import { type ChannelChanges, call, type OperatorChannel, type OperatorStore } from './api.ts';
import { ChannelDialog } from './channel-dialog.tsx';
import { useLoad, useRun } from './hooks.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { KeysTable } from './keys.tsx';
import {
  type Column,
  Empty,
  Facts,
  Fault,
  Id,
  List,
  Moment,
  Pill,
  Section,
  ShownOnce,
  Switch,
  Table,
} from './parts.tsx';
import { Only, useRole } from './role.tsx';
import { Sale } from './store-sale.tsx';
import { Terms } from './store-terms.tsx';
import { StoreStates } from './stores.tsx';

/* One store for an operator: state, channels, sessions, keys and orders. */

const REFRESH_INTERVAL_MS = 10_000;
const SWITCHES = [
  ['online_ordering', 'Online ordering'],
  ['accept_delivery', 'Accepts delivery'],
  ['accept_pickup', 'Accepts pickup'],
] as const;

const PARTY_WORDS: Readonly<Record<string, string>> = { first: 'itself', third: 'a marketplace', courier: 'a courier' };

type Secret = { what: string; secret: string; note: string };

/** A store with its channels, accepted orders, sessions and keys. */
export function StoreView({ id }: { id: string }) {
  const path = { store_id: id };
  const { data: store, error, reload } = useLoad('GET /operator/stores/:store_id', { path }, REFRESH_INTERVAL_MS);
  const [secret, setSecret] = useState<Secret>();
  const running = useRun(reload);
  const isAdmin = useRole('admin');
  if (!store) return error ? <Fault>{error}</Fault> : <Empty>Loading the store…</Empty>;
  const change = running.run;
  const createStoreKey = async () => {
    const { key } = await call('POST /operator/stores/:store_id/keys', { path, body: {} });
    setSecret({ what: 'New store key', secret: key, note: "Copy the key now. You won't be able to see it again." });
  };
  return (
    <>
      <h1>
        {store.name} <StoreStates store={store} /> <Id id={store.store_id} />
      </h1>
      <Fault>{error ?? running.error}</Fault>
      <p class="links">
        <a href={`#/orders?store_id=${store.store_id}&mode=live`}>Live orders</a>
        <a href={`#/orders?store_id=${store.store_id}&mode=sandbox`}>Sandbox orders</a>
        <a href={`#/statements/${store.store_id}`}>Statements</a>
        <a href={`#/trends?store_id=${store.store_id}`}>Trends</a>
        <a href={`#/changes?target=${store.store_id}`}>Changes</a>
      </p>
      <div class="columns">
        <Place store={store} />
        <Section title="Ordering">
          <Facts
            facts={SWITCHES.map(([name, words]) => [
              words,
              <Switch
                isOn={store[name]}
                isOff={running.isBusy || !isAdmin}
                onSwitch={() =>
                  change(() =>
                    call('POST /operator/stores/:store_id/switches', { path, body: { [name]: !store[name] } }),
                  )
                }
              />,
            ])}
          />
        </Section>
      </div>
      <Sale id={store.store_id} />
      <Terms id={store.store_id} />
      <Channels
        store={store}
        isBusy={running.isBusy}
        change={(body) => change(() => call('POST /operator/stores/:store_id/channels', { path, body }))}
        reload={reload}
        show={setSecret}
      />
      <Sessions store={store} running={running} show={setSecret} />
      <List
        title="Staff"
        rows={store.staff}
        keyOf={({ staff_id: id }) => id}
        table={{ Name: 'name', Added: 'created_at', 'Last seen': 'seen_at' }}
      />
      <Section
        title="Store keys"
        actions={
          <Only to="admin">
            <button type="button" disabled={running.isBusy} onClick={() => change(createStoreKey)}>
              New live store key
            </button>
          </Only>
        }
      >
        <KeysTable keys={store.keys} onChange={reload} />
      </Section>
      {secret && <ShownOnce {...secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

type SessionsProps = { store: OperatorStore; running: ReturnType<typeof useRun>; show(secret: Secret): void };

/** Who is signed in to the store's console, and invitations to it. */
function Sessions({ store, running, show }: SessionsProps) {
  const [isInviting, setInviting] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const change = running.run;
  const invite = async () => {
    const path = { store_id: store.store_id };
    const { code, url } = await call('POST /operator/stores/:store_id/invite', { path });
    show({ what: 'Access code', secret: code, note: `Opens one session at ${url}, within 48 hours.` });
  };
  return (
    <>
      <Section
        title="Console sessions"
        actions={
          <Only to="admin">
            <div class="buttons">
              <button type="button" disabled={running.isBusy} onClick={() => change(invite)}>
                Invite the owner
              </button>
              <button type="button" onClick={() => setInviting(true)}>
                Send an invitation…
              </button>
            </div>
          </Only>
        }
      >
        <div role="status">{sentTo !== undefined && <p class="note">The invitation goes to {sentTo}.</p>}</div>
        <SessionsTable
          sessions={store.sessions}
          isBusy={running.isBusy}
          end={(sessionId) =>
            change(() =>
              call('POST /operator/sessions/:session_id/revoke', {
                path: { session_id: sessionId },
                body: { store_id: store.store_id },
              }),
            )
          }
        />
      </Section>
      {isInviting && (
        <InviteDialog
          store={store}
          onClose={() => setInviting(false)}
          onDone={(to) => {
            setInviting(false);
            setSentTo(to);
          }}
        />
      )}
    </>
  );
}

function Place({ store }: { store: OperatorStore }) {
  return (
    <Section
      title="Store"
      actions={
        store.source === 'manual' && (
          <Only to="admin">
            <a class="button" href={`#/stores/${store.store_id}/edit`}>
              Edit…
            </a>
          </Only>
        )
      }
    >
      <Facts
        facts={[
          ['Address', store.address],
          ['Phone', store.phone === null ? '–' : <a href={dialUrl(store.phone)}>{phoneInWords(store.phone)}</a>],
          ['Time zone', store.time_zone],
          ['Delivers', <Delivers store={store} />],
          ['Feed', <a href={`#/stores?source=${encodeURIComponent(store.source)}`}>{store.source}</a>],
          ...(store.merged_into === null
            ? []
            : ([['Merged into', <a href={`#/stores/${store.merged_into}`}>{store.merged_into}</a>]] as const)),
        ]}
      />
    </Section>
  );
}

function Delivers({ store: { delivery_parties: parties } }: { store: OperatorStore }) {
  if (parties.length === 0) return <>no</>;
  const words = parties.map(
    ({ party, accepting, reach }) => `${PARTY_WORDS[party] ?? party} ${reach}${accepting ? '' : ' (not now)'}`,
  );
  return <>{words.join('; ')}</>;
}

type ChannelsProps = {
  store: OperatorStore;
  isBusy: boolean;
  change(body: ChannelChanges): void;
  reload(): void;
  show(secret: Secret): void;
};

function Channels({ store, isBusy, change, reload, show }: ChannelsProps) {
  const [isOpen, setOpen] = useState(false);
  const { channels, auto_confirm_minutes: minutes } = store;
  return (
    <Section
      title="Live order channels"
      actions={
        <Only to="admin">
          <button type="button" onClick={() => setOpen(true)}>
            Set a channel…
          </button>
        </Only>
      }
    >
      {channels.length === 0 ? (
        <Empty>No channels. Live keys can't order from this store.</Empty>
      ) : (
        <Table
          caption="Channels"
          rows={channels}
          keyOf={({ channel }) => channel}
          columns={columnsOf(isBusy, change)}
        />
      )}
      {minutes !== null && (
        <p class="note">
          The first channel that has an order confirms it with {minutes} minutes.{' '}
          <Only to="admin">
            <button type="button" disabled={isBusy} onClick={() => change({ remove: ['auto_confirm'] })}>
              Turn off
            </button>
          </Only>
        </p>
      )}
      {isOpen && (
        <ChannelDialog
          storeId={store.store_id}
          onClose={() => setOpen(false)}
          onDone={({ signing_secret: secret, printer_url: printerUrl }) => {
            setOpen(false);
            reload();
            if (secret !== undefined)
              show({ what: 'Signing secret', secret, note: 'The point of sale verifies calls with it.' });
            if (printerUrl !== undefined)
              show({ what: 'URL of the printer', secret: printerUrl, note: 'The printer polls it: enter it there.' });
          }}
        />
      )}
    </Section>
  );
}

const isStation = (channel: OperatorChannel['channel']): channel is `printer:${string}` =>
  channel.startsWith('printer:');

function removalOf(channel: OperatorChannel['channel']): ChannelChanges {
  return isStation(channel) ? { printer: `${channel.slice('printer:'.length)}=off` } : { remove: [channel] };
}

function columnsOf(isBusy: boolean, change: (body: ChannelChanges) => void): Column<OperatorChannel>[] {
  return [
    { head: 'Channel', cell: ({ channel }) => <strong>{channel}</strong> },
    {
      head: 'Target',
      cell: ({ target, print_at }) => (
        <>
          {target === null ? '–' : <span class="mono">{target}</span>}
          {print_at === 'confirmed' && <span class="soft"> prints when confirmed</span>}
        </>
      ),
    },
    {
      head: 'State',
      cell: ({ failing_since }) =>
        failing_since === null ? <Pill tone="good">working</Pill> : <Pill tone="bad">failing</Pill>,
    },
    {
      head: 'Failing since',
      class: 'number',
      cell: ({ failing_since }) => <Moment at={failing_since} />,
    },
    { head: 'Last error', cell: ({ last_error }) => <span class="bad-text">{last_error}</span> },
    {
      head: 'Actions',
      class: 'do',
      cell: ({ channel }) => (
        <Only to="admin">
          <button type="button" class="danger" disabled={isBusy} onClick={() => change(removalOf(channel))}>
            Remove
          </button>
        </Only>
      ),
    },
  ];
}
