import { useState } from 'preact/hooks';
import { ACCOUNTS } from '../../src/surfaces/operator/tables.ts';
import { call, type NewKey, type OperatorAccount } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { KeysTable } from './keys.tsx';
import { Limits } from './limits.tsx';
import { ActionDialog, Empty, Facts, Fault, Id, List, Pill, Section, ShownOnce, textIn } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager, SearchForm } from './search-form.tsx';

/* Accounts: their list, and one with its keys, users, limits and webhooks. */

export function AccountsView({ query }: { query: URLSearchParams }) {
  const { data, error } = useLoad('GET /operator/accounts', { query: Object.fromEntries(query) });
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h1>Accounts</h1>
      <SearchForm tab="accounts" query={query} label="Words of the name, or account ID" />
      <Fault>{error}</Fault>
      <List
        title="Accounts, newest first"
        actions={
          <Only to="admin">
            <button type="button" onClick={() => setOpen(true)}>
              New account…
            </button>
          </Only>
        }
        rows={data?.accounts}
        loading="Loading accounts…"
        empty="No accounts found."
        keyOf={({ account_id }) => account_id}
        table={ACCOUNTS}
      />
      <Pager tab="accounts" query={query} next={data?.next ?? null} />
      {isOpen && <NewAccountDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function NewAccountDialog({ onClose }: { onClose(): void }) {
  const create = async (form: FormData) => {
    const { account_id } = await call('POST /operator/accounts', { body: { name: textIn(form, 'name') } });
    location.hash = `#/accounts/${account_id}`;
  };
  return (
    <ActionDialog title="New account" verb="Create" onClose={onClose} send={create}>
      <label>
        Name
        <input type="text" name="name" required maxLength={200} />
      </label>
    </ActionDialog>
  );
}

export function AccountView({ id }: { id: string }) {
  const { data: account, error, reload } = useLoad('GET /operator/accounts/:account_id', { path: { account_id: id } });
  if (!account) return error ? <Fault>{error}</Fault> : <Empty>Loading the account…</Empty>;
  const { brand } = account;
  return (
    <>
      <h1>
        {account.name} <Id id={account.account_id} />
      </h1>
      <Fault>{error}</Fault>
      <p class="links">
        <a href={`#/orders?query=${account.account_id}&mode=live`}>Live orders</a>
        <a href={`#/orders?query=${account.account_id}&mode=sandbox`}>Sandbox orders</a>
        <a href={`#/changes?target=${account.account_id}`}>Changes</a>
      </p>
      <Keys account={account} reload={reload} />
      <Limits account={account} reload={reload} />
      <List
        title="Webhook endpoints"
        rows={account.endpoints}
        empty="No endpoint. This account doesn't get webhook calls."
        keyOf={({ mode }) => mode}
        table={{ Mode: 'mode', URL: 'url', 'Failing since': 'failing_since' }}
        columns={[
          {
            head: 'State',
            cell: ({ enabled, failing_since }) => {
              if (!enabled) return <Pill tone="bad">disabled</Pill>;
              return failing_since === null ? <Pill tone="good">working</Pill> : <Pill tone="bad">failing</Pill>;
            },
          },
        ]}
      />
      <Section title="Brand">
        <Facts
          facts={[
            ['Name', brand.display_name ?? 'Doorstep (default)'],
            ['Logo', brand.logo_url ?? '–'],
            ['Sender', brand.from_address ?? '–'],
            ['Blind copies', brand.bcc_address ?? '–'],
            ['Tracking host', brand.tracking_host ?? '–'],
            ['Icon', brand.has_favicon ? 'its own' : '–'],
          ]}
        />
      </Section>
    </>
  );
}

function Keys({ account, reload }: { account: OperatorAccount; reload(): void }) {
  const [issued, setIssued] = useState<NewKey>();
  const running = useRun(reload);
  const path = { account_id: account.account_id };
  const create = (mode: NewKey['mode']) =>
    running.run(async () =>
      setIssued(await call('POST /operator/accounts/:account_id/keys', { path, body: { mode } })),
    );
  return (
    <Section
      title="Keys"
      actions={
        <Only to="admin">
          <div class="buttons">
            <button type="button" disabled={running.isBusy} onClick={() => create('sandbox')}>
              New sandbox key
            </button>
            <button type="button" disabled={running.isBusy} onClick={() => create('live')}>
              New live key
            </button>
          </div>
        </Only>
      }
    >
      <Fault>{running.error}</Fault>
      <KeysTable keys={account.keys} onChange={reload} />
      {issued && (
        <ShownOnce
          what={`New ${issued.mode} key`}
          secret={issued.key}
          note="Copy the key now. You won't be able to see it again."
          onClose={() => setIssued(undefined)}
        />
      )}
    </Section>
  );
}
