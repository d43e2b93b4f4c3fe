import { useState } from 'preact/hooks';
import { Field, Select } from '../field.tsx';
import { Table } from '../table.tsx';
import { type AnswerOf, call, type StoreTermsChanges } from './api.ts';
import { useLoad } from './hooks.ts';
import { ActionDialog, Empty, Facts, Fault, Moment, ReasonField, Section, textIn } from './parts.tsx';
import { RoleButton } from './role.tsx';
import { centsInWords } from './words.ts';

/** The operator's share of a store's orders (docs/statements.md#terms). */

const OWNERS = {
  delivery_fee: { default: 'Who delivers', store: 'Store', operator: 'Operator' },
  tax: { operator: 'Operator', store: 'Store' },
} as const;

export const NO_TERMS: StoreTermsChanges = { commission: 0, per_order_cents: 0 };

/** The fields of terms; the service says what is wrong with an amount. */
export function TermsFields({ terms, set }: { terms: StoreTermsChanges; set(changes: StoreTermsChanges): void }) {
  const amount = (label: string, first: number, max: number, take: (value: number) => StoreTermsChanges) => (
    <Field
      label={label}
      type="number"
      min={0}
      max={max}
      step="any"
      inputmode="decimal"
      required
      defaultValue={String(first)}
      set={(value) => set(take(Number.parseFloat(value)))}
    />
  );
  const owner = <Name extends keyof typeof OWNERS>(name: Name, label: string) => (
    <Select
      label={label}
      value={terms[name] ?? Object.keys(OWNERS[name])[0]}
      set={(value) => set({ [name]: value })}
      options={Object.entries(OWNERS[name])}
    />
  );
  return (
    <div class="fields">
      {amount('Commission, %', terms.commission ?? 0, 100, (commission) => ({ commission }))}
      {amount('Fee per order, $', (terms.per_order_cents ?? 0) / 100, 1000, (dollars) => ({
        per_order_cents: Math.round(dollars * 100),
      }))}
      {owner('delivery_fee', 'Delivery fee to')}
      {owner('tax', 'Taxes remitted by')}
    </div>
  );
}

/** The terms of a store's next orders, and those before them. */
export function Terms({ id }: { id: string }) {
  const path = { store_id: id };
  const { data, error, reload } = useLoad('GET /operator/stores/:store_id/terms', { path });
  const [edited, setEdited] = useState<StoreTermsChanges>();
  const [now, ...earlier] = data?.terms ?? [];
  const save = async (form: FormData) => {
    const body = { ...edited, reason: textIn(form, 'reason') };
    await call('POST /operator/stores/:store_id/terms', { path, body });
    setEdited(undefined);
    reload();
  };
  return (
    <Section
      title="Payout terms"
      actions={now && <RoleButton to="admin" onPress={() => setEdited(now)} text="Change terms…" />}
    >
      <Fault>{error}</Fault>
      {now ? <Facts facts={factsOf(now)} /> : <Empty>Loading the terms…</Empty>}
      {earlier.length > 0 && (
        <Table
          caption="Earlier terms"
          rows={earlier}
          keyOf={({ since }) => String(since)}
          columns={[
            { head: 'Earlier, from', cell: ({ since }) => <Moment at={since} /> },
            {
              head: 'Terms',
              cell: (one) =>
                factsOf(one)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('; '),
            },
          ]}
        />
      )}
      {edited && (
        <ActionDialog title="Payout terms" verb="Save terms" onClose={() => setEdited(undefined)} send={save}>
          <p>For orders placed from now on. Earlier orders keep theirs.</p>
          <TermsFields terms={edited} set={(changes) => setEdited({ ...edited, ...changes })} />
          <ReasonField />
        </ActionDialog>
      )}
    </Section>
  );
}

const factsOf = (terms: AnswerOf<'GET /operator/stores/:store_id/terms'>['terms'][number]) =>
  [
    ['Commission', `${terms.commission}% of the items`],
    ['Fee per order', centsInWords(terms.per_order_cents)],
    ['Delivery fee to', OWNERS.delivery_fee[terms.delivery_fee]],
    ['Tip to', 'Driver'],
    ['Taxes remitted by', OWNERS.tax[terms.tax]],
  ] as const;
