import { PROMOTION_COLUMNS } from '../../src/supply/promotions/promotion-columns.ts';
import { type AnswerOf, call } from './api.ts';
import { useLoad } from './hooks.ts';
import { DialogButton, List, ReasonField, textIn } from './parts.tsx';
import { Pager } from './search-form.tsx';

type Promotion = AnswerOf<'GET /operator/promotions'>['promotions'][number];
const STEPS = { Pause: 'pause', Resume: 'resume', End: 'end' } as const;

/** Promotions of stores, accounts and the operator, each to be paused, resumed or ended. */
export function PromotionsView({ query }: { query: URLSearchParams }) {
  const { data, error, reload } = useLoad('GET /operator/promotions', { query: Object.fromEntries(query) });
  return (
    <>
      <h1>Promotions</h1>
      <p>
        Create one with <code>doorstep promotions create</code>.
      </p>
      <List
        title="Promotions, newest first"
        rows={data?.promotions}
        fault={error}
        empty="No promotions."
        keyOf={({ promotion_id }) => promotion_id}
        table={PROMOTION_COLUMNS}
        act={(promotion) =>
          promotion.state !== 'ended' && (
            <div class="buttons">
              <StepButton verb={promotion.state === 'paused' ? 'Resume' : 'Pause'} {...promotion} reload={reload} />
              <StepButton verb="End" {...promotion} reload={reload} />
            </div>
          )
        }
      />
      <Pager tab="promotions" query={query} next={data?.next ?? null} />
    </>
  );
}

type StepProps = Promotion & { verb: keyof typeof STEPS; reload(): void };

function StepButton({ verb, promotion_id, title, code, kind, reload }: StepProps) {
  const send = async (form: FormData) => {
    const body = { reason: textIn(form, 'reason') };
    await call(`POST /operator/promotions/:promotion_id/${STEPS[verb]}`, { path: { promotion_id }, body });
    reload();
  };
  return (
    <DialogButton to="admin" label={`${verb}…`} title={`${verb} ${title ?? code ?? kind}?`} verb={verb} send={send}>
      <p>Orders that have it keep it.</p>
      <ReasonField />
    </DialogButton>
  );
}
