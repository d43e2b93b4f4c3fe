import { useState } from 'preact/hooks';
import { dialUrl, phoneInWords } from '../../src/platform/lib/phone.ts';
import { NOTES } from '../../src/surfaces/operator/tables.ts';
import { Button } from '../button.tsx';
import { Field, Select } from '../field.tsx';
import { SessionsList } from './actions.tsx';
import { type AnswerOf, type ChannelChanges, call, type OperatorChannel, type OperatorStore } from './api.ts';
import { type RunState, useLoad, useRun } from './hooks.ts';
import { KeysList } from './keys.tsx';
import { DialogButton, Empty, Facts, Fault, Id, List, Section, ShownOnce, textIn } from './parts.tsx';
import { Only, RoleButton, useRole } from './role.tsx';
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
      <Fault>{error || running.error}</Fault>
      <p class="links">
        <a href={`#/orders?store_id=${store.store_id}&mode=live`}>Live orders</a>
        <a href={`#/orders?store_id=${store.store_id}&mode=sandbox`}>Sandbox orders</a>
        <a href={`#/statements/${store.store_id}`}>Statements</a>
        <a href={`#/trends?store_id=${store.store_id}`}>Trends</a>
        <a href={`#/changes?target=${store.store_id}`}>Changes</a>
      </p>
      <div class="halves">
        <Place store={store} />
        <Section title="Ordering">
          <Facts
            facts={SWITCHES.map(([name, words]) => [
              words,
              <Switch id={id} name={name} isOn={store[name]} running={running} />,
            ])}
          />
        </Section>
      </div>
      <Notes id={store.store_id} />
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
      <KeysList
        title="Store keys"
        keys={store.keys}
        onChange={reload}
        actions={
          <RoleButton
            to="admin"
            isBusy={running.isBusy}
            onPress={() => change(createStoreKey)}
            text="New live store key"
          />
        }
      />
      {secret && <ShownOnce {...secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

/** What operators and the store have noted about it. */
function Notes({ id }: { id: string }) {
  const { data, error, reload } = useLoad('GET /operator/notes', { query: { store_id: id } });
  const running = useRun(reload);
  const write = (form: FormData) =>
    call('POST /operator/notes', { body: { store_id: id, text: textIn(form, 'text') } }).then(reload);
  const end = (note_id: string) => running.run(() => call('POST /operator/notes/:note_id/end', { path: { note_id } }));
  return (
    <List
      title="Notes"
      actions={
        <DialogButton to="admin" label="New note…" title="New note" verb="Save" send={write}>
          <Field label="Note" name="text" required maxLength={2000} />
        </DialogButton>
      }
      rows={data?.notes}
      fault={error || running.error}
      empty="No notes."
      keyOf={({ note_id }) => note_id}
      table={NOTES}
      act={({ note_id }) => (
        <RoleButton to="admin" isBusy={running.isBusy} onPress={() => end(note_id)} text="Delete" />
      )}
    />
  );
}

type SwitchProps = { id: string; name: string; isOn: boolean; running: RunState };

/** A button that says `on` or `off`, and switches it. */
function Switch({ id, name, isOn, running: { run, isBusy } }: SwitchProps) {
  const isAdmin = useRole('admin');
  const change = { path: { store_id: id }, body: { [name]: !isOn } };
  const turn = () => run(() => call('POST /operator/stores/:store_id/switches', change));
  return <Button aria-pressed={isOn} isBusy={isBusy || !isAdmin} onPress={turn} text={isOn ? 'on' : 'off'} />;
}

type SessionsProps = { store: OperatorStore; running: ReturnType<typeof useRun>; show(secret: Secret): void };

/** Who is signed in to the store's console, and invitations to it. */
function Sessions({ store, running, show }: SessionsProps) {
  const [sentTo, setSentTo] = useState<string>();
  const invite = async () => {
    const path = { store_id: store.store_id };
    const { code, url } = await call('POST /operator/stores/:store_id/invite', { path });
    show({ what: 'Access code', secret: code, note: `Opens one session at ${url}, within 48 hours.` });
  };
  return (
    <SessionsList
      title="Console sessions"
      sessions={store.sessions}
      isBusy={running.isBusy}
      end={(sessionId) =>
        running.run(() =>
          call('POST /operator/sessions/:session_id/revoke', {
            path: { session_id: sessionId },
            body: { store_id: store.store_id },
          }),
        )
      }
      actions={
        <Only to="admin">
          <div class="buttons">
            <Button isBusy={running.isBusy} onPress={() => running.run(invite)} text="Invite the owner" />
            <InviteButton store={store} onDone={setSentTo} />
          </div>
        </Only>
      }
    >
      <div role="status">{sentTo !== undefined && <p class="remark">The invitation goes to {sentTo}.</p>}</div>
    </SessionsList>
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
          store.merged_into !== null && [
            'Merged into',
            <a href={`#/stores/${store.merged_into}`}>{store.merged_into}</a>,
          ],
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

const CHANNELS = {
  Channel: 'channel',
  Target: 'target',
  State: 'state',
  'Prints when': 'print_at',
  'Failing since': 'failing_since',
  'Last error': 'last_error',
};

type ChannelsProps = {
  store: OperatorStore;
  isBusy: boolean;
  change(body: ChannelChanges): void;
  reload(): void;
  show(secret: Secret): void;
};

function Channels({ store, isBusy, change, reload, show }: ChannelsProps) {
  const { channels, auto_confirm_minutes: minutes } = store;
  return (
    <List
      title="Live order channels"
      actions={
        <ChannelButton
          storeId={store.store_id}
          onDone={({ signing_secret: secret, printer_url: printerUrl }) => {
            reload();
            if (secret !== undefined)
              show({ what: 'Signing secret', secret, note: 'The point of sale verifies calls with it.' });
            if (printerUrl !== undefined)
              show({ what: 'URL of the printer', secret: printerUrl, note: 'The printer polls it: enter it there.' });
          }}
        />
      }
      rows={channels.map((one) => ({ ...one, state: one.failing_since === null ? 'working' : 'failing' }))}
      empty="No channels. Live keys can't order from this store."
      keyOf={({ channel }) => channel}
      table={CHANNELS}
      act={({ channel }) => (
        <RoleButton to="admin" kind="danger" isBusy={isBusy} onPress={() => change(removalOf(channel))} text="Remove" />
      )}
    >
      {minutes !== null && (
        <p class="remark">
          The first channel that has an order confirms it with {minutes} minutes.{' '}
          <RoleButton to="admin" isBusy={isBusy} onPress={() => change({ remove: ['auto_confirm'] })} text="Turn off" />
        </p>
      )}
    </List>
  );
}

const isStation = (channel: OperatorChannel['channel']): channel is `printer:${string}` =>
  channel.startsWith('printer:');

function removalOf(channel: OperatorChannel['channel']): ChannelChanges {
  return isStation(channel) ? { printer: `${channel.slice('printer:'.length)}=off` } : { remove: [channel] };
}

/** Sends the owner an access code. */
function InviteButton({ store, onDone }: { store: OperatorStore; onDone(to: string): void }) {
  const [way, setWay] = useState('email');
  const isSms = way === 'sms';
  const send = async (form: FormData) => {
    const to = textIn(form, 'to');
    const body = isSms ? { phone: to } : { email: to };
    await call('POST /operator/stores/:store_id/invitations', { path: { store_id: store.store_id }, body });
    onDone(to);
  };
  return (
    <DialogButton to="admin" label="Send an invitation…" title="Send an invitation" verb="Send" send={send}>
      <p>An access code for the console, in the store's language. It works once, within 48 hours.</p>
      <Select label="Send by" value={way} set={setWay} options={Object.entries({ email: 'Email', sms: 'SMS' })} />
      <Field
        key={way}
        label={isSms ? 'Phone' : 'Email'}
        name="to"
        inputmode={isSms ? 'tel' : 'email'}
        required
        defaultValue={isSms && store.phone !== null ? phoneInWords(store.phone) : ''}
      />
    </DialogButton>
  );
}

const KINDS = {
  operator: { words: 'Operator: orders ring in this view', target: undefined },
  email: { words: 'Email', target: 'Address' },
  sms: { words: 'SMS', target: 'Phone number' },
  webhook: { words: 'Point-of-sale webhook', target: 'URL' },
  printer: {
    words: 'Printer',
    target: 'HOST:PORT, NAME://… of a plug-in’s printer, or cloudprnt or epson for one that polls',
  },
  auto_confirm_minutes: { words: 'Automatic confirmation', target: 'Preparation time in minutes' },
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** Secrets that the response shows once. */
type Shown = { signing_secret?: string; printer_url?: string };
type Props = { storeId: string; onDone(shown: Shown): void };

/** Adds a channel to a store, or changes its target. */
function ChannelButton({ storeId, onDone }: Props) {
  const [kind, setKind] = useState<Kind>('operator');
  const set = async (form: FormData) => {
    const body = bodyOf(kind, textIn(form, 'target'));
    const path = { store_id: storeId };
    onDone(await call('POST /operator/stores/:store_id/channels', { path, body }));
  };
  const label = KINDS[kind].target;
  return (
    <DialogButton to="admin" label="Set a channel…" title="Set a channel" verb="Set" send={set}>
      <Select
        label="Channel"
        value={kind}
        set={setKind}
        options={KIND_NAMES.map((name) => [name, KINDS[name].words])}
      />
      {label !== undefined && <Field label={label} name="target" required />}
    </DialogButton>
  );
}

function bodyOf(kind: Kind, target: string): ChannelChanges {
  if (kind === 'operator') return { operator: true };
  return { [kind]: kind === 'auto_confirm_minutes' ? Number(target) : target };
}

/* Whether a store may be sold: agreement, delisting and markup. */

/** Whether a store may be sold: its agreement, its delisting, and prices above its own. */
function Sale({ id }: { id: string }) {
  const path = { store_id: id };
  const { data: store, error, reload } = useLoad('GET /operator/stores/:store_id/settings', { path });
  const running = useRun(reload);
  if (!store) return error ? <Fault>{error}</Fault> : <Empty>Loading the agreement…</Empty>;
  const { agreement, delist_reason: reason } = store;
  const signed = agreement && `signed on ${agreement.signed_on} by ${agreement.by}`;
  const filed = agreement?.reference ? ` (${agreement.reference})` : '';
  return (
    <Section title="Sale" actions={<SaleButtons store={store} running={running} reload={reload} />}>
      <Fault>{running.error}</Fault>
      <Facts
        facts={[
          ['Agreement', signed === null ? 'none recorded' : signed + filed],
          ['In search and sale', reason === null ? 'as its feed says' : `no: ${reason}`],
          ['Prices above its own', <Switch id={id} name="markup" isOn={store.markup} running={running} />],
          ['Refunds by the store, a day', <StoreRefunds store={store} running={running} />],
        ]}
      />
    </Section>
  );
}

type ButtonsProps = { store: AnswerOf<'GET /operator/stores/:store_id/settings'>; running: RunState; reload(): void };

function SaleButtons({ store, running, reload }: ButtonsProps) {
  const path = { store_id: store.store_id };
  const record = async (form: FormData) => {
    const [signed_on = '', by = '', reference = ''] = ['signed_on', 'by', 'reference'].map((name) =>
      textIn(form, name),
    );
    const body = { signed_on, by, ...(reference !== '' && { reference }) };
    await call('POST /operator/stores/:store_id/agreement', { path, body });
    reload();
  };
  const delist = async (form: FormData) => {
    await call('POST /operator/stores/:store_id/delist', { path, body: { reason: textIn(form, 'reason') } });
    reload();
  };
  return (
    <div class="buttons">
      <DialogButton to="admin" label="Record the agreement…" title="Record the agreement" verb="Record" send={record}>
        <Field label="Signed on" name="signed_on" type="date" required />
        <Field label="By" name="by" required maxLength={200} />
        <Field label="Where it is filed" name="reference" maxLength={200} />
      </DialogButton>
      {store.delist_reason === null ? (
        <DialogButton
          to="admin"
          label="Take out of sale…"
          title="Take out of search and sale"
          verb="Take out"
          send={delist}
        >
          <Field label="Reason, for the history" name="reason" required maxLength={200} />
        </DialogButton>
      ) : (
        <RoleButton
          to="admin"
          isBusy={running.isBusy}
          onPress={() => running.run(() => call('POST /operator/stores/:store_id/relist', { path }))}
          text="Put back into sale"
        />
      )}
    </div>
  );
}

type RefundsProps = { store: { store_id: string; store_refunds: string }; running: RunState };

function StoreRefunds({ store: { store_id, store_refunds: given }, running: { run, isBusy } }: RefundsProps) {
  const isAdmin = useRole('admin');
  const set = (store_refunds: string) =>
    call('POST /operator/stores/:store_id/switches', { path: { store_id }, body: { store_refunds } });
  return (
    <input
      aria-label="Refunds by the store: off, on, or an amount such as 200.00"
      defaultValue={given}
      disabled={isBusy || !isAdmin}
      onChange={({ currentTarget }) => run(() => set(currentTarget.value.trim()))}
    />
  );
}
