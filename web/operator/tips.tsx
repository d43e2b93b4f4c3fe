import { useState } from 'preact/hooks';
import { TIPS } from '../../src/surfaces/operator/tables.ts';
import { type AnswerOf, call } from './api.ts';
import { useLoad } from './hooks.ts';
import { ActionDialog, Fault, List, ReasonField, textIn } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager } from './search-form.tsx';
import { centsInWords } from './words.ts';

type OwedTip = AnswerOf<'GET /operator/tips'>['tips'][number];

/** Raised tips that are owed to drivers until they are marked paid. */
export function TipsView({ query }: { query: URLSearchParams }) {
  const { data, error, reload } = useLoad('GET /operator/tips', { query: Object.fromEntries(query) });
  const [paying, setPaying] = useState<OwedTip>();
  return (
    <>
      <h1>Tips owed to drivers</h1>
      <p class="links">
        <a href="#/statements">Statements</a>
      </p>
      <Fault>{error}</Fault>
      <List
        title="Raised too late for the courier company"
        rows={data?.tips}
        loading={!error && 'Loading tips…'}
        empty="No tips are owed."
        keyOf={({ order_id }) => order_id}
        table={TIPS}
        columns={[
          {
            head: 'Actions',
            class: 'do',
            cell: (tip) => (
              <Only to="support">
                <button type="button" onClick={() => setPaying(tip)}>
                  Mark as paid…
                </button>
              </Only>
            ),
          },
        ]}
      />
      <Pager tab="tips" query={query} next={data?.next ?? null} name="after" />
      {paying && <PaidDialog tip={paying} onClose={() => setPaying(undefined)} onDone={reload} />}
    </>
  );
}

function PaidDialog({ tip, onClose, onDone }: { tip: OwedTip; onClose(): void; onDone(): void }) {
  const pay = async (form: FormData) => {
    const body = { amount: tip.amount, reason: textIn(form, 'reason') };
    await call('POST /operator/orders/:order_id/tip_paid', { path: { order_id: tip.order_id }, body });
    onDone();
    onClose();
  };
  return (
    <ActionDialog
      title={`Was ${tip.driver_name ?? 'the driver'} paid?`}
      verb="Mark as paid"
      onClose={onClose}
      send={pay}
    >
      <p>
        The {centsInWords(tip.amount)} of order {tip.order_number} leave this list. Doorstep pays nothing out itself.
      </p>
      <ReasonField />
    </ActionDialog>
  );
}
