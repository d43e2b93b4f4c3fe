import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import { keepAnswer } from '../../access/idempotency/idempotency.hook.ts';
import { REPLAY_HOURS } from '../../access/idempotency/idempotency.ts';
import { refuseLink, refuseSandbox, sandboxOfMerchant } from '../../access/sessions/merchant.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { describedObject } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { BEFORE, cutPage, NEXT, readBefore } from '../../platform/http/list-page.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import {
  acceptPromotion,
  changePromotion,
  createPromotion,
  findSeenPromotion,
  ownerOfAccount,
  PROMOTION_STEPS,
  type PromotionViewer,
  showPromotion,
  stepPromotion,
} from './manage-promotions.flow.ts';
import type { PromotionOwner } from './promotion-row.ts';
import {
  CHANGE_FIELDS,
  CHANGE_OPTIONS,
  CHANGE_WORDS,
  PROMOTION_BODY,
  PROMOTION_PATH,
  PromotionSchema,
  STEP_WORDS,
} from './promotion-schema.ts';
import { findPromotions, promotionCursor } from './promotions.db.ts';

/* The endpoints of promotions, of stores and of accounts (docs/promotions.md). The operator's are procedures. */

type Deps = { db: Db; clock: Clock };
type Viewer = PromotionViewer & { owner: PromotionOwner };

const PAGE_SIZE = 50;

const querystring = Type.Object({ before: BEFORE });
const ListSchema = describedObject(`Newest first, ${PAGE_SIZE} per page.`, {
  promotions: Type.Array(PromotionSchema),
  next: NEXT,
});
const params = PROMOTION_PATH;
const response = { 200: PromotionSchema };
const path = { promotion_id: '{promotion_id}' };

/** How stores and accounts differ. */
type Door = {
  path: '/store' | '/account';
  name: 'Store' | 'Account';
  config: object;
  mayOf: string;
  viewerOf(request: FastifyRequest): Viewer;
  /** Refuses callers who only see. */
  requireChange(request: FastifyRequest): void;
};

const STORE: Door = {
  path: '/store',
  name: 'Store',
  config: { audience: 'store', ownerOnly: true },
  mayOf: "Requires a store key or the store's owner.",
  viewerOf({ merchant }) {
    refuseLink(merchant);
    const { storeId } = merchant;
    return {
      owner: { offeredBy: 'store', ownerId: storeId },
      withOffersTo: storeId,
      sandbox: sandboxOfMerchant(merchant),
    };
  },
  requireChange: ({ merchant }) => refuseSandbox(merchant),
};
const ACCOUNT: Door = {
  path: '/account',
  name: 'Account',
  config: { scope: 'order' },
  mayOf: 'Requires a key with the scope `order`. A sandbox key sees and creates sandbox promotions.',
  viewerOf: ({ caller }) => ({ owner: ownerOfAccount(caller), sandbox: sandboxOf(caller) }),
  requireChange() {},
};

/** GET and POST /store/promotions and /account/promotions, of one promotion, and its steps. */
export function promotionRoutes(http: Http, deps: Deps): void {
  for (const door of [STORE, ACCOUNT]) addRoutes(http, deps, door);
  acceptRoute(http, deps);
}

function addRoutes(http: Http, { db, clock }: Deps, door: Door): void {
  const { path: root, name, mayOf } = door;
  const tags = [name];
  const forbidden = name === 'Store' ? (['live_only'] as const) : [];
  const show = (viewer: Viewer, stored: Parameters<typeof showPromotion>[0]) => {
    const { offeredBy, ownerId } = viewer.owner;
    return showPromotion(stored, { payer: offeredBy, now: clock.now(), ...(name === 'Store' && { storeId: ownerId }) });
  };
  const change = async (
    request: FastifyRequest,
    work: (tx: Sql, owner: PromotionOwner, at: Temporal.Instant) => Promise<{ promotionId: string }>,
  ) => {
    const viewer = door.viewerOf(request);
    door.requireChange(request);
    return db.transaction().execute(async (tx) => {
      const { promotionId } = await work(tx, viewer.owner, clock.now());
      return keepAnswer(tx, request.claim, show(viewer, await findSeenPromotion(tx, viewer, promotionId)));
    });
  };

  http.get(
    `${root}/promotions`,
    {
      schema: {
        operationId: `list${name}Promotions`,
        tags,
        summary:
          name === 'Store'
            ? "List a store's promotions, and promotions it pays a part of"
            : "List an account's promotions",
        description: mayOf,
        querystring,
        response: { 200: ListSchema },
      },
      config: { ...door.config, refuses: forbidden },
    },
    async (request) => {
      const viewer = door.viewerOf(request);
      const { sandbox, ...of } = viewer;
      const after = readBefore(request.query.before);
      const found = await findPromotions(db, { ...of, after, limit: PAGE_SIZE + 1 }, sandbox);
      const { page, next } = cutPage(found, PAGE_SIZE, promotionCursor);
      return { promotions: page.map((stored) => show(viewer, stored)), next };
    },
  );
  http.get(
    `${root}/promotions/:promotion_id`,
    {
      schema: {
        operationId: `show${name}Promotion`,
        tags,
        summary: 'Get a promotion',
        description: `Includes its usage by orders. ${mayOf}`,
        example: { path },
        params,
        response,
      },
      config: { ...door.config, refuses: [...forbidden, 'not_found'] as const },
    },
    async (request) => {
      const viewer = door.viewerOf(request);
      return show(viewer, await findSeenPromotion(db, viewer, request.params.promotion_id));
    },
  );
  http.post(
    `${root}/promotions`,
    {
      schema: {
        operationId: `create${name}Promotion`,
        tags,
        summary: 'Create a promotion',
        description: `Begins at \`starts_at\`, or now. The limit is 50 promotions that have not ended. With an \`Idempotency-Key\`, repeating the request creates no second promotion. ${mayOf}${
          name === 'Store' ? '' : ' If a store pays a part, `stores` lists the stores that may accept.'
        }`,
        example: { body: name === 'Store' ? STORE_EXAMPLE : ACCOUNT_EXAMPLE },
        body: Type.Object(PROMOTION_BODY),
        response,
      },
      config: {
        ...door.config,
        strict: true,
        replayHours: REPLAY_HOURS,
        refuses: [
          ...forbidden,
          'promotion_exists',
          ...(name === 'Store' ? [] : (['agreement_required'] as const)),
        ] as const,
      },
    },
    async (request) =>
      change(request, (tx, owner, at) => createPromotion(tx, { owner, body: request.body as JsonObject }, at)),
  );
  http.post(
    `${root}/promotions/:promotion_id`,
    {
      schema: {
        operationId: `change${name}Promotion`,
        tags,
        summary: "Update a promotion's end and limits",
        description: `${CHANGE_WORDS} ${mayOf}`,
        example: { path, body: name === 'Store' ? { max_uses: 2000 } : { budget_cents: 200_000 } },
        params,
        body: Type.Object(CHANGE_FIELDS, CHANGE_OPTIONS),
        response,
      },
      config: { ...door.config, refuses: [...forbidden, 'not_found', 'transition_not_allowed'] as const },
    },
    async (request) =>
      change(request, (tx, owner, at) =>
        changePromotion(tx, { owner, promotionId: request.params.promotion_id }, request.body as JsonObject, at),
      ),
  );
  for (const step of PROMOTION_STEPS) {
    const [summary, description] = STEP_WORDS[step];
    const refuses = [
      ...forbidden,
      'not_found',
      ...(step === 'end' ? [] : (['transition_not_allowed'] as const)),
      ...(step === 'resume' && name === 'Account' ? (['agreement_required'] as const) : []),
    ] as const;
    http.post(
      `${root}/promotions/:promotion_id/${step}`,
      {
        schema: {
          operationId: `${step}${name}Promotion`,
          tags,
          summary,
          description: `${description} ${mayOf}`,
          example: { path },
          params,
          body: Type.Object({}),
          response,
        },
        config: { ...door.config, refuses },
      },
      async (request) =>
        change(request, (tx, owner, at) =>
          stepPromotion(tx, { owner, promotionId: request.params.promotion_id }, step, at),
        ),
    );
  }
}

function acceptRoute(http: Http, { db, clock }: Deps): void {
  http.post(
    '/store/promotions/:promotion_id/accept',
    {
      schema: {
        operationId: 'acceptStorePromotion',
        summary: "Agree to pay the store's part of a promotion",
        description:
          "From then on, the promotion applies at the store. In a sandbox, a store can agree to the promotions of the sandbox's account. Repeating the request changes nothing. Requires a store key or the store's owner.",
        example: { path },
        params,
        body: Type.Object({}),
        response,
      },
      config: { audience: 'store', ownerOnly: true, refuses: ['live_only', 'not_found', 'transition_not_allowed'] },
    },
    async (request) => {
      const viewer = { ...STORE.viewerOf(request), withOffersTo: request.merchant.storeId };
      const { session, merchant } = request;
      const { storeId } = merchant;
      const { promotion_id: promotionId } = request.params;
      const agreedBy =
        session?.name ?? (merchant.source === 'key' ? 'A key of the store' : 'The owner, in the console');
      return db.transaction().execute(async (tx) => {
        await acceptPromotion(tx, { viewer, promotionId, agreedBy }, clock.now());
        const stored = await findSeenPromotion(tx, viewer, promotionId);
        return showPromotion(stored, { payer: 'store', storeId, now: clock.now() });
      });
    },
  );
}

const STORE_EXAMPLE = { kind: 'percent', percent: 20, minimum_subtotal: 1500, max_uses: 1000 } satisfies Body;
const ACCOUNT_EXAMPLE = {
  kind: 'amount',
  amount_cents: 500,
  code: 'WELCOME5',
  first_order: true,
  budget_cents: 100_000,
} satisfies Body;
type Body = Partial<Record<keyof typeof PROMOTION_BODY, unknown>>;
