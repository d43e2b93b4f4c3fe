import { type Static, Type } from 'typebox';
import { keepAnswer } from '../../access/idempotency/idempotency.hook.ts';
import type { OperatorAction } from '../../access/sessions/actions.db.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { describedObject, flag, optionalText, optionalWhole } from '../../platform/http/api-components.ts';
import { BEFORE, cutPage, NEXT, readBefore } from '../../platform/http/list-page.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { PAYERS } from '../../supply/pricing/promotion.ts';
import {
  agreeToPromotion,
  changePromotion,
  createPromotion,
  findSeenPromotion,
  MAX_GENERATED,
  type PromotionStep,
  showPromotion,
  stepPromotion,
} from '../../supply/promotions/manage-promotions.flow.ts';
import { OPERATOR } from '../../supply/promotions/promotion-row.ts';
import {
  CHANGE_FIELDS,
  CHANGE_OPTIONS,
  CHANGE_WORDS,
  PROMOTION_BODY,
  PROMOTION_PATH,
  PromotionSchema,
  STEP_WORDS,
} from '../../supply/promotions/promotion-schema.ts';
import { findPromotions, promotionCursor, type StoredPromotion } from '../../supply/promotions/promotions.db.ts';
import { isExceptionDate } from '../../supply/stores/hours.ts';
import { REASON } from './field-schemas.ts';
import { type Call, type NoFields, procedure } from './procedure.ts';
import { PROMOTIONS } from './tables.ts';

/** Promotions of everybody as an operator sees them, and those that the operator offers (docs/promotions.md). */

type Deps = { db: Db; clock: Clock };

const PAGE_SIZE = 50;
const ALL = { sandbox: null };
const params = PROMOTION_PATH;
const example = { path: { promotion_id: '{promotion_id}' } };

const show = (stored: StoredPromotion, { clock }: Deps) =>
  showPromotion(stored, { payer: 'operator', now: clock.now() });

export const listPromotionsProcedure = procedure({
  endpoint: 'GET /operator/promotions',
  command: 'promotions list',
  table: PROMOTIONS,
  role: 'viewer',
  summary: 'List promotions from stores, accounts and the operator, newest first',
  description: `Includes their usage by live orders. ${PAGE_SIZE} per page.`,
  query: Type.Object({
    offered_by: Type.Optional(Type.Enum([...PAYERS], { description: 'Returns only promotions from these payers.' })),
    store_id: optionalText(64, 'Returns only promotions valid at this store.'),
    open: flag("Returns only promotions that haven't ended."),
    before: BEFORE,
  }),
  answer: Type.Object({ promotions: Type.Array(PromotionSchema), next: NEXT }, { description: 'Newest first.' }),
  async run(deps: Deps, { query: { offered_by: offeredBy, store_id: storeId, open: isOpen, before } }) {
    const wanted = { offeredBy, storeId, isOpen, after: readBefore(before), limit: PAGE_SIZE + 1 };
    const { page, next } = cutPage(await findPromotions(deps.db, wanted, null), PAGE_SIZE, promotionCursor);
    return { promotions: page.map((stored) => show(stored, deps)), next };
  },
});

export const showPromotionProcedure = procedure({
  endpoint: 'GET /operator/promotions/:promotion_id',
  command: 'promotions show <promotion_id>',
  role: 'viewer',
  refuses: ['not_found'],
  summary: 'Get a promotion',
  description: 'Includes its usage by live orders, and the stores that agreed to pay a part.',
  example,
  params,
  answer: PromotionSchema,
  async run(deps: Deps, call) {
    return show(await findSeenPromotion(deps.db, ALL, call.params.promotion_id), deps);
  },
});

const AGREED = {
  agreed_by: optionalText(200, 'Who agreed on behalf of the stores that pay a part.'),
  agreed_on: optionalText(10, 'When they agreed, as `YYYY-MM-DD`.'),
};

export const createPromotionProcedure = procedure({
  endpoint: 'POST /operator/promotions',
  command: 'promotions create',
  many: true,
  keys: { isSecret: (body) => (body as JsonObject).generate !== undefined },
  strict: true,
  role: 'admin',
  refuses: ['promotion_exists', 'agreement_required'],
  summary: 'Create a promotion as the operator',
  description:
    'Begins at `starts_at`, or now. An operator can have up to 200 promotions that have not ended. If a store pays a part, `stores` lists the stores that may accept, or that agreed with you: then send `agreed_by` and `agreed_on`. With an `Idempotency-Key` and without `generate`, repeating the request creates no second promotion. The change is recorded.',
  example: { body: { kind: 'delivery', to_cents: 0, code: 'FREEBIKE', max_uses: 500, reason: 'Bike week.' } },
  body: Type.Object({
    ...PROMOTION_BODY,
    ...AGREED,
    generate: optionalWhole(
      1,
      MAX_GENERATED,
      "The number of single-use codes to generate instead of `code`. Stores don't list them.",
    ),
    reason: REASON,
  }),
  answer: describedObject('The promotion.', {
    ...PromotionSchema.properties,
    codes: Type.Optional(Type.Array(Type.String(), { description: 'The generated codes, shown only once.' })),
  }),
  async run(
    deps: Deps,
    { record, claim, body: { reason, agreed_by: agreedBy, agreed_on: agreedOn, generate, ...body } },
  ) {
    const agreed = readAgreed(agreedBy, agreedOn);
    const { answer } = await record(
      async (tx, at) => {
        const limited = generate === undefined ? body : { max_uses: generate, listed: false, ...body };
        const given = { owner: OPERATOR, body: limited as JsonObject, agreed };
        const created = await createPromotion(tx, { ...given, generate }, at);
        const stored = await findSeenPromotion(tx, ALL, created.promotionId);
        const codes = created.codes.length > 0 && { codes: [...created.codes] };
        return { created, answer: await keepAnswer(tx, claim, { ...show(stored, deps), ...codes }) };
      },
      ({ created }) => ({
        action: 'promotion.create',
        target: created.promotionId,
        details: {
          ...body,
          ...(agreed && { agreed_by: agreedBy, agreed_on: agreedOn }),
          ...(generate && { generate }),
          reason,
        },
      }),
    );
    return answer;
  },
});

function readAgreed(agreedBy: string | undefined, agreedOn: string | undefined) {
  if (agreedBy === undefined && agreedOn === undefined) return undefined;
  const faults = [
    ...(agreedBy?.trim() ? [] : [{ in: 'body' as const, name: 'agreed_by', message: 'is required with agreed_on' }]),
    ...(isExceptionDate(agreedOn ?? '')
      ? []
      : [{ in: 'body' as const, name: 'agreed_on', message: 'must be a date such as 2026-11-01' }]),
  ];
  if (faults.length > 0) throw invalidRequest(faults);
  return { agreedBy: agreedBy?.trim() ?? '', agreedOn: agreedOn ?? '' };
}

type Changing = Call<typeof params, NoFields, ReturnType<typeof reasonBody>>;
const reasonBody = () => Type.Object({ reason: REASON });

/** Changes a promotion and records why. */
async function recordChange(
  deps: Deps,
  { record, params: { promotion_id: promotionId }, body }: Pick<Changing, 'record' | 'params' | 'body'>,
  action: OperatorAction,
  change: (tx: Sql, promotionId: string, at: Temporal.Instant) => Promise<unknown>,
): Promise<Static<typeof PromotionSchema>> {
  const stored = await record(
    async (tx, at) => {
      await change(tx, promotionId, at);
      return findSeenPromotion(tx, ALL, promotionId);
    },
    () => ({ action, target: promotionId, details: body }),
  );
  return show(stored, deps);
}

const step = <const Step extends PromotionStep>(step: Step, summary: string) =>
  procedure({
    endpoint: `POST /operator/promotions/:promotion_id/${step}`,
    command: `promotions ${step} <promotion_id>`,
    role: 'admin',
    refuses: [
      'not_found',
      ...(step === 'end' ? [] : (['transition_not_allowed'] as const)),
      ...(step === 'resume' ? (['agreement_required'] as const) : []),
    ],
    summary,
    description: `${STEP_WORDS[step][1]} The change is recorded.`,
    example: { ...example, body: { reason: 'Sold out.' } },
    params,
    body: reasonBody(),
    answer: PromotionSchema,
    run: (deps: Deps, call) =>
      recordChange(deps, call, `promotion.${step}`, (tx, promotionId, at) =>
        stepPromotion(tx, { owner: undefined, promotionId }, step, at),
      ),
  });

export const pausePromotionProcedure = step('pause', "Pause anybody's promotion");
export const resumePromotionProcedure = step('resume', "Resume anybody's paused promotion");
export const endPromotionProcedure = step('end', "End anybody's promotion");

export const changePromotionProcedure = procedure({
  endpoint: 'POST /operator/promotions/:promotion_id',
  command: 'promotions change <promotion_id>',
  role: 'admin',
  refuses: ['not_found', 'transition_not_allowed'],
  summary: "Update an operator promotion, or record stores' agreement to pay a part",
  description: `${CHANGE_WORDS} \`agreed_by\` and \`agreed_on\` record the agreement of the named stores, for any promotion. The change is recorded.`,
  example: { ...example, body: { max_uses: 2000, reason: 'It goes well.' } },
  params,
  body: Type.Object({ ...CHANGE_FIELDS, ...AGREED, reason: REASON }, CHANGE_OPTIONS),
  answer: PromotionSchema,
  run: (deps: Deps, call) => {
    const { reason: _, agreed_by: agreedBy, agreed_on: agreedOn, ...change } = call.body;
    const agreed = readAgreed(agreedBy, agreedOn);
    return recordChange(deps, call, 'promotion.change', async (tx, promotionId, at) => {
      if (agreed) await agreeToPromotion(tx, promotionId, agreed, at);
      if (agreed && Object.keys(change).length === 0) return;
      await changePromotion(tx, { owner: OPERATOR, promotionId }, change, at);
    });
  },
});
