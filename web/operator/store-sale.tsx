import { useState } from 'preact/hooks';
import { call } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { ActionDialog, Empty, Facts, Fault, Section, Switch, textIn } from './parts.tsx';
import { Only, useRole } from './role.tsx';

/* Whether a store may be sold: agreement, delisting and markup. */

type Field = { name: string; label: string; type?: 'date'; isOptional?: boolean };

/** What each dialog asks for. */
const DIALOGS = {
  agreement: {
    title: 'Record the agreement',
    verb: 'Record',
    fields: [
      { name: 'signed_on', label: 'Signed on', type: 'date' },
      { name: 'by', label: 'By' },
      { name: 'reference', label: 'Where it is filed', isOptional: true },
    ],
  },
  delist: {
    title: 'Take out of search and sale',
    verb: 'Take out',
    fields: [{ name: 'reason', label: 'Reason, for the history' }],
  },
} as const satisfies Record<string, { title: string; verb: string; fields: readonly Field[] }>;

/** Whether a store may be sold: its agreement, its delisting, and prices above its own. */
export function Sale({ id }: { id: string }) {
  const path = { store_id: id };
  const { data: store, error, reload } = useLoad('GET /operator/stores/:store_id/settings', { path });
  const [open, setOpen] = useState<keyof typeof DIALOGS>();
  const running = useRun(reload);
  const isAdmin = useRole('admin');
  if (!store) return error ? <Fault>{error}</Fault> : <Empty>Loading the agreement…</Empty>;
  const send = async (form: FormData) => {
    const textOf = (name: string) => textIn(form, name);
    const reference = textOf('reference');
    const signing = { signed_on: textOf('signed_on'), by: textOf('by'), ...(reference !== '' && { reference }) };
    if (open === 'delist') {
      await call('POST /operator/stores/:store_id/delist', { path, body: { reason: textOf('reason') } });
    } else await call('POST /operator/stores/:store_id/agreement', { path, body: signing });
    setOpen(undefined);
    reload();
  };
  const { agreement, delist_reason: reason } = store;
  const signed = agreement && `signed on ${agreement.signed_on} by ${agreement.by}`;
  const filed = agreement?.reference ? ` (${agreement.reference})` : '';
  return (
    <Section
      title="Sale"
      actions={
        <Only to="admin">
          <div class="buttons">
            <button type="button" onClick={() => setOpen('agreement')}>
              Record the agreement…
            </button>
            {reason === null ? (
              <button type="button" onClick={() => setOpen('delist')}>
                Take out of sale…
              </button>
            ) : (
              <button
                type="button"
                disabled={running.isBusy}
                onClick={() => running.run(() => call('POST /operator/stores/:store_id/relist', { path }))}
              >
                Put back into sale
              </button>
            )}
          </div>
        </Only>
      }
    >
      <Fault>{running.error}</Fault>
      <Facts
        facts={[
          ['Agreement', signed === null ? 'none recorded' : signed + filed],
          ['In search and sale', reason === null ? 'as its feed says' : `no: ${reason}`],
          [
            'Prices above its own',
            <Switch
              isOn={store.markup}
              isOff={running.isBusy || !isAdmin}
              onSwitch={() =>
                running.run(() =>
                  call('POST /operator/stores/:store_id/switches', { path, body: { markup: !store.markup } }),
                )
              }
            />,
          ],
          ['Refunds by the store, a day', <StoreRefunds store={store} running={running} />],
        ]}
      />
      {open !== undefined && (
        <ActionDialog {...DIALOGS[open]} onClose={() => setOpen(undefined)} send={send}>
          {DIALOGS[open].fields.map(({ name, label, type, isOptional = false }: Field) => (
            <label key={name}>
              {label}
              <input {...(type && { type })} name={name} required={!isOptional} maxLength={200} />
            </label>
          ))}
        </ActionDialog>
      )}
    </Section>
  );
}

type RefundsProps = { store: { store_id: string; store_refunds: string }; running: ReturnType<typeof useRun> };

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
