import { Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import { type By, operation, REASON } from '../../access/operations/operation.ts';
import { refuseLink, refuseSandbox, sandboxOfMerchant } from '../../access/sessions/merchant.ts';
import type { Context } from '../../platform/db/context.ts';
import { describedObject, flag, optionalText, optionalWhole } from '../../platform/http/api-components.ts';
import { BEFORE, cutPage, NEXT, readBefore } from '../../platform/http/list-page.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { PAYERS } from '../pricing/promotion.ts';
import { isExceptionDate } from '../stores/hours.ts';
import {
  acceptPromotion,
  agreeToPromotion,
  changePromotion,
  createPromotion,
  findSeenPromotion,
  MAX_GENERATED,
  ownerOfAccount,
  type PromotionStep,
  type PromotionViewer,
  showPromotion,
  stepPromotion,
} from './manage-promotions.flow.ts';
import { PROMOTION_COLUMNS } from './promotion-columns.ts';
import { OPERATOR } from './promotion-row.ts';
import {
  CHANGE_FIELDS,
  CHANGE_OPTIONS,
  CHANGE_WORDS,
  PROMOTION_BODY,
  PROMOTION_PATH,
  PromotionSchema,
  STEP_WORDS,
} from './promotion-shape.ts';
import { findPromotions, promotionCursor, type StoredPromotion } from './promotions.db.ts';

/* Promotions: the operations of stores, accounts and operators (docs/promotions.md). */

const PAGE_SIZE = 50;
const ACCOUNT = {
  scope: 'order',
  adds: 'Requires a key with the scope `order`. A sandbox key sees and creates sandbox promotions.',
} as const;
const STORE = {
  ownerOnly: true,
  admit: refuseLink,
  adds: "Requires a store key or the store's owner.",
  refuses: ['live_only'],
} as const;
const CHANGING_STORE = { ...STORE, admit: refuseSandbox };

/** What a caller sees: an owner its own promotions, a store also those that it may accept, an operator all. */
function viewerOf(by: By): PromotionViewer {
  if (by.surface === 'operator') return { sandbox: null };
  if (by.surface === 'account') return { owner: ownerOfAccount(by.caller), sandbox: sandboxOf(by.caller) };
  const { storeId } = by.merchant;
  const owner = { offeredBy: 'store', ownerId: storeId } as const;
  return { owner, withOffersTo: storeId, sandbox: sandboxOfMerchant(by.merchant) };
}

const show = (stored: StoredPromotion, { clock }: Context, by: By) =>
  showPromotion(stored, {
    payer: by.surface,
    now: clock.now(),
    ...(by.surface === 'store' && { storeId: by.merchant.storeId }),
  });

const path = { promotion_id: '{promotion_id}' };
const ONE = { example: { path }, params: PROMOTION_PATH, answer: PromotionSchema };

const AGREED = {
  agreed_by: optionalText(200, 'Who agreed on behalf of the stores that pay a part.'),
  agreed_on: optionalText(10, 'When they agreed, as `YYYY-MM-DD`.'),
};

function readAgreed({ agreed_by: agreedBy, agreed_on: agreedOn }: { agreed_by?: string; agreed_on?: string }) {
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

const step = <const Step extends PromotionStep>(step: Step) =>
  operation({
    ...ONE,
    name: `${step}Promotion`,
    endpoint: `POST /promotions/:promotion_id/${step}`,
    summary: STEP_WORDS[step][0],
    description: STEP_WORDS[step][1],
    operatorFields: Type.Object({ reason: REASON }),
    refuses: step === 'end' ? ['not_found'] : ['not_found', 'transition_not_allowed'],
    on: {
      account: { ...ACCOUNT, refuses: step === 'resume' ? ['agreement_required'] : [] },
      store: CHANGING_STORE,
      operator: {
        role: 'admin',
        records: [`promotion.${step}`, 'promotion_id'],
        summary: STEP_WORDS[step][0].replace('a p', "anybody's p"),
        example: { path, body: { reason: 'Sold out.' } },
        refuses: step === 'resume' ? ['agreement_required'] : [],
        command: `promotions ${step} <promotion_id>`,
      },
    },
  }).run((deps: Context, { by, save, params: { promotion_id: promotionId } }) =>
    save(async (tx, at) => {
      await stepPromotion(tx, { owner: viewerOf(by).owner, promotionId }, step, at);
      return show(await findSeenPromotion(tx, viewerOf(by), promotionId), deps, by);
    }),
  );

export const PROMOTION_OPERATIONS = [
  operation({
    name: 'listPromotions',
    endpoint: 'GET /promotions',
    summary: "List an account's promotions",
    description: '',
    example: {},
    query: Type.Object({ before: BEFORE }),
    operatorFields: Type.Object({
      offered_by: Type.Optional(Type.Enum([...PAYERS], { description: 'Returns only promotions from these payers.' })),
      store_id: optionalText(64, 'Returns only promotions valid at this store.'),
      open: flag("Returns only promotions that haven't ended."),
    }),
    answer: describedObject(`Newest first, ${PAGE_SIZE} per page.`, {
      promotions: Type.Array(PromotionSchema),
      next: NEXT,
    }),
    on: {
      account: ACCOUNT,
      store: { ...STORE, summary: "List a store's promotions, and promotions it pays a part of" },
      operator: {
        role: 'viewer',
        summary: 'List promotions from stores, accounts and the operator, newest first',
        description: 'Includes their usage by live orders.',
        command: 'promotions list',
        table: PROMOTION_COLUMNS,
      },
    },
  }).run(async (deps: Context, { by, query, more: { offered_by: offeredBy, store_id: storeId, open: isOpen } }) => {
    const { sandbox, ...of } = viewerOf(by);
    const wanted = { ...of, offeredBy, storeId, isOpen, after: readBefore(query.before), limit: PAGE_SIZE + 1 };
    const { page, next } = cutPage(await findPromotions(deps.db, wanted, sandbox), PAGE_SIZE, promotionCursor);
    return { promotions: page.map((stored) => show(stored, deps, by)), next };
  }),
  operation({
    ...ONE,
    name: 'showPromotion',
    endpoint: 'GET /promotions/:promotion_id',
    summary: 'Get a promotion',
    description: 'Includes its usage by orders.',
    refuses: ['not_found'],
    on: {
      account: ACCOUNT,
      store: STORE,
      operator: {
        role: 'viewer',
        description: 'Includes its usage by live orders, and the stores that agreed to pay a part.',
        command: 'promotions show <promotion_id>',
      },
    },
  }).run(async (deps: Context, { by, params }) =>
    show(await findSeenPromotion(deps.db, viewerOf(by), params.promotion_id), deps, by),
  ),
  operation({
    name: 'createPromotion',
    endpoint: 'POST /promotions',
    summary: 'Create a promotion',
    description:
      'Begins at `starts_at`, or now. The limit is 50 promotions that have not ended. With an `Idempotency-Key`, repeating the request creates no second promotion.',
    example: { body: { kind: 'percent', percent: 20, minimum_subtotal: 1500, max_uses: 1000 } },
    refuses: ['promotion_exists'],
    body: Type.Object(PROMOTION_BODY),
    operatorFields: Type.Object({
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
    keys: { isSecret: (body) => (body as JsonObject).generate !== undefined },
    strict: true,
    on: {
      account: {
        ...ACCOUNT,
        adds: `${ACCOUNT.adds} If a store pays a part, \`stores\` lists the stores that may accept.`,
        example: {
          body: { kind: 'amount', amount_cents: 500, code: 'WELCOME5', first_order: true, budget_cents: 100_000 },
        },
        refuses: ['agreement_required'],
        answer: PromotionSchema,
      },
      store: { ...CHANGING_STORE, answer: PromotionSchema },
      operator: {
        role: 'admin',
        records: ['promotion.create', 'promotion_id'],
        summary: 'Create a promotion as the operator',
        description:
          'Begins at `starts_at`, or now. An operator can have up to 200 promotions that have not ended. If a store pays a part, `stores` lists the stores that may accept, or that agreed with you: then send `agreed_by` and `agreed_on`. With an `Idempotency-Key` and without `generate`, repeating the request creates no second promotion.',
        example: { body: { kind: 'delivery', to_cents: 0, code: 'FREEBIKE', max_uses: 500, reason: 'Bike week.' } },
        refuses: ['agreement_required'],
        command: 'promotions create',
        many: true,
      },
    },
  }).run(async (deps: Context, { by, save, body, more: { generate, ...more } }) => {
    const viewer = viewerOf(by);
    const { owner = OPERATOR } = viewer;
    const agreed = readAgreed(more);
    const limited = generate === undefined ? body : { max_uses: generate, listed: false, ...body };
    return save(async (tx, at) => {
      const created = await createPromotion(tx, { owner, body: limited as JsonObject, agreed, generate }, at);
      const stored = await findSeenPromotion(tx, viewer, created.promotionId);
      return { ...show(stored, deps, by), ...(created.codes.length > 0 && { codes: [...created.codes] }) };
    });
  }),
  operation({
    ...ONE,
    name: 'changePromotion',
    endpoint: 'POST /promotions/:promotion_id',
    summary: "Update a promotion's end and limits",
    description: CHANGE_WORDS,
    example: { path, body: { max_uses: 2000 } },
    refuses: ['not_found', 'transition_not_allowed'],
    body: Type.Object(CHANGE_FIELDS, CHANGE_OPTIONS),
    operatorFields: Type.Object({ ...AGREED, reason: REASON }),
    on: {
      account: { ...ACCOUNT, example: { path, body: { budget_cents: 200_000 } } },
      store: CHANGING_STORE,
      operator: {
        role: 'admin',
        records: ['promotion.change', 'promotion_id'],
        summary: "Update an operator promotion, or record stores' agreement to pay a part",
        adds: '`agreed_by` and `agreed_on` record the agreement of the named stores, for any promotion.',
        example: { path, body: { max_uses: 2000, reason: 'It goes well.' } },
        command: 'promotions change <promotion_id>',
      },
    },
  }).run(async (deps: Context, { by, save, params: { promotion_id: promotionId }, body, more }) => {
    const viewer = viewerOf(by);
    const { owner = OPERATOR } = viewer;
    const agreed = readAgreed(more);
    return save(async (tx, at) => {
      if (agreed) await agreeToPromotion(tx, promotionId, agreed, at);
      if (!agreed || Object.keys(body).length > 0)
        await changePromotion(tx, { owner, promotionId }, body as JsonObject, at);
      return show(await findSeenPromotion(tx, viewer, promotionId), deps, by);
    });
  }),
  step('pause'),
  step('resume'),
  step('end'),
  operation({
    ...ONE,
    name: 'acceptStorePromotion',
    endpoint: 'POST /promotions/:promotion_id/accept',
    summary: "Agree to pay the store's part of a promotion",
    description:
      "From then on, the promotion applies at the store. In a sandbox, a store can agree to the promotions of the sandbox's account. Repeating the request changes nothing.",
    refuses: ['not_found', 'transition_not_allowed'],
    on: { store: STORE },
  }).run(async (deps: Context, { by, save, params: { promotion_id: promotionId } }) => {
    const { merchant, session } = by;
    const viewer = { ...viewerOf(by), withOffersTo: merchant.storeId };
    const agreedBy = session?.name ?? (merchant.source === 'key' ? 'A key of the store' : 'The owner, in the console');
    return save(async (tx, at) => {
      await acceptPromotion(tx, { viewer, promotionId, agreedBy }, at);
      return show(await findSeenPromotion(tx, viewer, promotionId), deps, by);
    });
  }),
];
