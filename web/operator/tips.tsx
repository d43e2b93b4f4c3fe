import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { type AnswerOf, call } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { type Column, DialogFoot, Empty, Fault, ReasonField, Section, Table } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager } from './search-form.tsx';
import { amount } from './statements.tsx';
import { centsInWords } from './words.ts';

type OwedTip = AnswerOf<'GET /operator/tips'>['tips'][number];

const columnsOf = (pay: (tip: OwedTip) => void): readonly Column<OwedTip>[] => [
  { head: 'Order', cell: ({ order_id, order_number }) => <a href={`#/orders/${order_id}`}>{order_number}</a> },
  { head: 'Store', cell: ({ store_name }) => store_name },
  { head: 'Driver', cell: ({ driver_name }) => driver_name },
  { head: 'Courier', cell: ({ courier }) => courier?.replaceAll('_', ' ') },
  { head: 'Currency', cell: ({ currency }) => currency },
  amount('Amount', (tip) => tip.amount),
  {
    head: 'Actions',
    class: 'do',
    cell: (tip) => (
      <Only to="support">
        <button type="button" onClick={() => pay(tip)}>
          Mark as paid…
        </button>
      </Only>
    ),
  },
];

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
      <Section title="Raised too late for the courier company">
        {data === undefined && !error && <Empty>Loading tips…</Empty>}
        {data?.tips.length === 0 && <Empty>No tips are owed.</Empty>}
        {data && data.tips.length > 0 && (
          <Table caption="Tips" rows={data.tips} keyOf={({ order_id }) => order_id} columns={columnsOf(setPaying)} />
        )}
      </Section>
      <Pager tab="tips" query={query} next={data?.next ?? null} name="after" />
      {paying && <PaidDialog tip={paying} onClose={() => setPaying(undefined)} onDone={reload} />}
    </>
  );
}

function PaidDialog({ tip, onClose, onDone }: { tip: OwedTip; onClose(): void; onDone(): void }) {
  const [reason, setReason] = useState('');
  const running = useRun();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    running.run(async () => {
      await call('POST /operator/orders/:order_id/tip_paid', {
        path: { order_id: tip.order_id },
        body: { amount: tip.amount, reason },
      });
      onDone();
      onClose();
    });
  };
  return (
    <Dialog title={`Was ${tip.driver_name ?? 'the driver'} paid?`} close={onClose}>
      <form onSubmit={submit}>
        <p>
          The {centsInWords(tip.amount)} of order {tip.order_number} leave this list. Doorstep pays nothing out itself.
        </p>
        <ReasonField reason={reason} set={setReason} />
        <DialogFoot running={running} verb="Mark as paid" onClose={onClose} />
      </form>
    </Dialog>
  );
}
