import { useState } from 'preact/hooks';
import { ACCOUNTS } from '../../src/surfaces/operator/tables.ts';
import { type BrandDraft, BrandForm } from '../brand-form.tsx';
import { Button } from '../button.tsx';
import { Check, Field, Form, Select } from '../field.tsx';
import { type AnswerOf, addressOf, call, type NewKey, type OperatorAccount } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { KeysList } from './keys.tsx';
import { Limits } from './limits.tsx';
import { DialogButton, Empty, Facts, Fault, Id, List, Section, ShownOnce, textIn } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager, SearchForm } from './search-form.tsx';

/* Accounts: their list, and one with its keys, users, limits and webhooks. */

export function AccountsView({ query }: { query: URLSearchParams }) {
  const { data, error } = useLoad('GET /operator/accounts', { query: Object.fromEntries(query) });
  const create = async (form: FormData) => {
    const { account_id } = await call('POST /operator/accounts', { body: { name: textIn(form, 'name') } });
    location.hash = `#/accounts/${account_id}`;
  };
  return (
    <>
      <h1>Accounts</h1>
      <SearchForm tab="accounts" query={query} label="Words of the name, or account ID" />
      <List
        title="Accounts, newest first"
        actions={
          <DialogButton to="admin" label="New account…" title="New account" verb="Create" send={create}>
            <Field label="Name" name="name" required maxLength={200} />
          </DialogButton>
        }
        rows={data?.accounts}
        fault={error}
        empty="No accounts found."
        keyOf={({ account_id }) => account_id}
        table={ACCOUNTS}
      />
      <Pager tab="accounts" query={query} next={data?.next ?? null} />
    </>
  );
}

export function AccountView({ id }: { id: string }) {
  const { data: account, error, reload } = useLoad('GET /operator/accounts/:account_id', { path: { account_id: id } });
  if (!account) return error ? <Fault>{error}</Fault> : <Empty>Loading the account…</Empty>;
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
      <Brand id={account.account_id} />
      <Keys account={account} reload={reload} />
      <Limits account={account} reload={reload} />
      <List
        title="Webhook endpoints"
        rows={account.endpoints.map((one) => ({ ...one, state: stateOf(one) }))}
        empty="No endpoint. This account doesn't get webhook calls."
        keyOf={({ mode }) => mode}
        table={{ Mode: 'mode', URL: 'url', 'Failing since': 'failing_since', State: 'state' }}
      />
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
    <KeysList
      title="Keys"
      keys={account.keys}
      onChange={reload}
      actions={
        <Only to="admin">
          <div class="buttons">
            <Button isBusy={running.isBusy} onPress={() => create('sandbox')} text="New sandbox key" />
            <Button isBusy={running.isBusy} onPress={() => create('live')} text="New live key" />
          </div>
        </Only>
      }
    >
      <Fault>{running.error}</Fault>
      {issued && (
        <ShownOnce
          what={`New ${issued.mode} key`}
          secret={issued.key}
          note="Copy the key now. You won't be able to see it again."
          onClose={() => setIssued(undefined)}
        />
      )}
    </KeysList>
  );
}

const stateOf = ({ enabled, failing_since: since }: OperatorAccount['endpoints'][number]) =>
  !enabled ? 'disabled' : since === null ? 'working' : 'failing';

/* The brand and the shop of an account, with a preview while it is edited (docs/branding.md). */

const PATH = '/operator/accounts/:account_id/branding';
type Branding = AnswerOf<`GET ${typeof PATH}`>;

function Brand({ id }: { id: string }) {
  const { data, error, reload } = useLoad(`GET ${PATH}`, { path: { account_id: id } });
  if (!data) return error ? <Fault>{error}</Fault> : <Empty>Loading the brand…</Empty>;
  return (
    <>
      <Section title="Brand">
        <Only to="admin">
          <BrandSection key={id} saved={data} reload={reload} />
        </Only>
        <Facts
          facts={[
            ['Sender', data.from_address ?? '–'],
            ['Blind copies', data.bcc_address ?? '–'],
            ['Tracking host', data.tracking_host ?? '–'],
            ['Icon', data.favicon ? 'its own' : '–'],
            ['Shop', data.shop_url ? <a href={data.shop_url}>{data.shop_url}</a> : data.shop],
          ]}
        />
      </Section>
      <Only to="admin">
        <Section title="Shop">
          <ShopForm key={id} saved={data} reload={reload} />
        </Section>
      </Only>
    </>
  );
}

type FormProps = { saved: Branding; reload(): void };

function useSave({ saved, reload }: FormProps) {
  const [isSaved, setSaved] = useState(false);
  const running = useRun(() => {
    setSaved(true);
    reload();
  });
  const save = (body: Parameters<typeof call<`POST ${typeof PATH}`>>[1]['body']) =>
    running.run(() => call(`POST ${PATH}`, { path: { account_id: saved.account_id }, ...(body && { body }) }));
  return { ...running, isSaved: isSaved && !running.isBusy && running.error === '', save };
}

function BrandSection(form: FormProps) {
  const [ownerLook, setOwnerLook] = useState(form.saved.owner_look);
  const { save, ...running } = useSave(form);
  return (
    <BrandForm
      saved={form.saved}
      base={addressOf('')}
      save={(draft: BrandDraft) => save({ ...draft, owner_look: ownerLook })}
    >
      <Check label="Owners of the shop's stores set this in their console" isOn={ownerLook} set={setOwnerLook} />
      <SaveButton {...running} verb="Save the brand" />
    </BrandForm>
  );
}

type SaveProps = { isBusy: boolean; isSaved: boolean; error: string | undefined; verb: string };

function SaveButton({ isBusy, isSaved, error, verb }: SaveProps) {
  return (
    <>
      <Fault>{error}</Fault>
      <Button submit kind="main" isBusy={isBusy} text={isBusy ? 'Working…' : verb} />
      <p class="soft" role="status">
        {isSaved && 'Saved.'}
      </p>
    </>
  );
}

function ShopForm(form: FormProps) {
  const { saved } = form;
  const [shop, setShop] = useState(saved.shop);
  const [stores, setStores] = useState(saved.shop_stores?.join(', ') ?? '');
  const [near, setNear] = useState(saved.shop_near ?? '');
  const { save, ...running } = useSave(form);
  const submit = () => {
    const ids = stores.split(/[\s,]+/).filter((id) => id !== '');
    save({ shop, ...(shop !== 'off' && { shop_stores: ids.length > 0 ? ids : null, shop_near: near }) });
  };
  return (
    <Form class="fields" submit={submit}>
      <Select
        label="Orders"
        value={shop}
        set={setShop}
        options={(['off', 'sandbox', 'live'] as const).map((one) => [one, one])}
      />
      <Field label="Store IDs (empty: all)" maxLength={4000} value={stores} set={setStores} />
      <Field label="Near this address until a visitor gives one" maxLength={200} value={near} set={setNear} />
      <SaveButton {...running} verb="Save the shop" />
    </Form>
  );
}
