import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { Caller, Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { unknownFaults } from '../../platform/http/unknown-members.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { percentOf } from '../../platform/lib/money.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { ItemFilter, Payer } from '../pricing/promotion.ts';
import { FeedObject, faultOf, type LineFault, type LineReport } from '../stores/feed-fields.ts';
import { type PromotionOwner, sandboxOwnerOf } from './promotion-row.ts';
import {
  CHANGE_FIELDS,
  needsAgreement,
  PROMOTION_LIMITS,
  type PromotionFields,
  PromotionSchema,
  presentPromotion,
  readChange,
  readPromotionBody,
} from './promotion-shape.ts';
import { promotionStateAt } from './promotion-state.ts';
import {
  findPromotions,
  findUnknownIds,
  insertAgreements,
  insertPromotion,
  lockPromotions,
  type PromotionAgreement,
  type StoredPromotion,
  updatePromotion,
} from './promotions.db.ts';

/*
 * Creating and changing promotions, for every door. Once one has begun, only its end, earlier, a pause and higher limits
 * change, so that the explanation of an order stays true. Call within a transaction.
 */

export const MAX_GENERATED = 10_000;

/** The owner of promotions created by an account's key: a sandbox has its own promotions. */
export function ownerOfAccount({ accountId, mode }: Pick<Caller, 'accountId' | 'mode'>): PromotionOwner {
  return { offeredBy: 'account', ownerId: mode === 'live' ? accountId : sandboxOwnerOf(accountId) };
}

export type CreatePromotion = {
  owner: PromotionOwner;
  body: JsonObject;
  /** The id in the store's feed. */
  externalId?: string;
  /** How many codes, each for one use, in place of a `code`. */
  generate?: number | undefined;
  /** The agreement of all its stores. */
  agreed?: Agreed | undefined;
};

/** What was created; `codes` are shown once. */
export type Created = { promotionId: string; codes: readonly string[] };

/** Creates a promotion. Refuses it with all its faults, or with promotion_exists or agreement_required. */
export async function createPromotion(tx: Sql, given: CreatePromotion, at: Temporal.Instant): Promise<Created> {
  const { owner, generate = 0, externalId = null, agreed } = given;
  const { fields, faults } = await readAndCheck(tx, given, at);
  if (faults.length > 0) throw invalidRequest(faults.map(faultOf));
  const needsStores = needsAgreement(fields);
  if (needsStores && !fields.stores) {
    throw new Refusal('agreement_required', 'A store pays a part. List the stores that may accept it in `stores`.');
  }
  const promotionId = randomId('promo_');
  const codes = Array.from({ length: generate }, () => generateCode());
  const codeHashes = codes.map(sha256);
  const promotion = { ...fields, promotionId };
  if (!(await insertPromotion(tx, { ...owner, promotion, externalId, codeHashes }, at))) {
    throw new Refusal('promotion_exists', `Another promotion uses the code ${fields.code}. End it first.`);
  }
  if (needsStores && agreed) {
    const agreements = (fields.stores ?? []).map((storeId) => ({ ...agreed, storeId }));
    await insertAgreements(tx, promotionId, agreements, at);
  }
  return { promotionId, codes };
}

/** Reads a body and looks up its ids. */
async function readAndCheck(tx: Sql, { owner, body, generate = 0, agreed }: CreatePromotion, at: Temporal.Instant) {
  const { fields, faults } = readPromotionBody(body, owner.offeredBy);
  const fault = (path: string, message: string) => faults.push({ path, message });
  if (generate > 0 && fields.code !== undefined) fault('generate', 'expected absent: it has a code');
  if (generate > 0 && fields.listed) fault('listed', 'expected false: each generated code is for one customer');
  if (agreed && !(needsAgreement(fields) && fields.stores)) {
    faults.push(NO_AGREEMENT);
  }
  if ((fields.endsEpochS ?? Infinity) <= epochSeconds(at)) fault('ends_at', 'expected in the future');
  if ((await lockPromotions(tx, owner, at)) >= PROMOTION_LIMITS.open[owner.offeredBy]) {
    fault(
      'kind',
      `expected no other: at most ${PROMOTION_LIMITS.open[owner.offeredBy]} promotions that have not ended`,
    );
  }
  faults.push(...(await findIdFaults(tx, owner, fields)));
  return { fields, faults };
}

/** Unknown ids, and a menu price above the menu's. Ids of products are looked up where the stores are named. */
async function findIdFaults(tx: Sql, owner: PromotionOwner, fields: PromotionFields): Promise<LineFault[]> {
  const { stores = [], items, terms } = fields;
  const inStores = owner.offeredBy === 'store' ? [owner.ownerId] : stores;
  const filters: [string, ItemFilter | undefined][] = [
    ['items', items],
    ['items.except', items?.except],
    ['get_items', terms.kind === 'buy_get' ? terms.getItems : undefined],
  ];
  const idsOf = (kind: 'products' | 'categories') =>
    inStores.length === 0 ? [] : filters.flatMap(([, filter]) => filter?.[kind] ?? []);
  const unknown = await findUnknownIds(tx, {
    stores,
    inStores,
    products: idsOf('products'),
    categories: idsOf('categories'),
    priced: terms.kind === 'item_price' ? (items?.products ?? []) : [],
  });
  const faultsIn = (path: string, ids: readonly string[] = [], missing: readonly string[], what: string) =>
    ids.flatMap((id, nth) =>
      missing.includes(id) ? [{ path: `${path}[${nth}]`, message: `expected the id of a ${what}` }] : [],
    );
  const isAbove =
    terms.kind === 'item_price' && 'priceCents' in terms && terms.priceCents > (unknown.lowestPrice ?? Infinity);
  return [
    ...faultsIn('stores', stores, unknown.stores, 'store'),
    ...filters.flatMap(([path, filter]) => [
      ...faultsIn(`${path}.products`, filter?.products, unknown.products, 'product'),
      ...faultsIn(`${path}.categories`, filter?.categories, unknown.categories, 'category'),
    ]),
    ...(isAbove
      ? [{ path: 'price_cents', message: `expected at most ${unknown.lowestPrice}, the price in the menu` }]
      : []),
  ];
}

/** 32 letters and digits without those that look alike: 60 bits in 12 characters. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generateCode = () => Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** A caller: an owner sees its own promotions, a store also those that it may accept, the operator all. */
export type PromotionViewer = { owner?: PromotionOwner; withOffersTo?: string; sandbox: Sandbox };

/** A promotion that the viewer sees. Refuses others with not_found. */
export async function findSeenPromotion(
  sql: Sql,
  { sandbox, ...viewer }: PromotionViewer,
  promotionId: string,
): Promise<StoredPromotion> {
  const [found] = await findPromotions(sql, { ...viewer, promotionId, limit: 1 }, sandbox);
  if (!found) throw new Refusal('not_found', 'There is no such promotion.');
  return found;
}

/** Locks a promotion of the owner; of any owner for the operator. */
async function lockOwn(tx: Sql, owner: PromotionOwner | undefined, promotionId: string, at: Temporal.Instant) {
  const viewer = { ...(owner && { owner }), sandbox: null };
  const { offeredBy, ownerId } = await findSeenPromotion(tx, viewer, promotionId);
  await lockPromotions(tx, { offeredBy, ownerId }, at);
  return findSeenPromotion(tx, viewer, promotionId);
}

export function stateOf({ promotion, paused, endedAt, agreements, ...counts }: StoredPromotion, now: Temporal.Instant) {
  const isUnagreed = needsAgreement(promotion) && agreements.length === 0;
  const progress = { isPaused: paused, isEnded: endedAt !== null, isUnagreed, ...counts };
  return promotionStateAt(promotion, progress, epochSeconds(now));
}

/** Why a promotion is paused, and what unpauses it. */
function pauseInWords({ paused, promotion, agreements }: StoredPromotion): string {
  const isUnagreed = needsAgreement(promotion) && agreements.length === 0;
  const agreement =
    'No store has agreed to pay its part: a store accepts the promotion, or the operator records `agreed_by` and `agreed_on`.';
  return [isUnagreed ? agreement : [], paused ? 'Somebody paused it: resume it.' : []].flat().join(' ');
}

/** A promotion as `payer` sees it. A store sees nothing of other stores in what others offer. */
export function showPromotion(
  stored: StoredPromotion,
  { payer, storeId, now }: { payer: Payer; storeId?: string; now: Temporal.Instant },
): Static<typeof PromotionSchema> {
  const { promotion, used, spentCents, salesCents, agreements, offeredBy } = stored;
  const percent = promotion.funding.find((share) => share.payer === payer)?.percent ?? 0;
  const isMine = ({ storeId: id }: PromotionAgreement) => storeId === undefined || id === storeId;
  const isOffered = storeId !== undefined && offeredBy !== 'store';
  const state = stateOf(stored, now);
  return {
    ...presentPromotion(isOffered ? { ...promotion, stores: [storeId] } : promotion),
    state,
    ...(state === 'paused' && { paused_because: pauseInWords(stored) }),
    ...(!isOffered && { used, spent_cents: spentCents, cost: percentOf(percent, spentCents), sales: salesCents }),
    ...(needsAgreement(promotion) && {
      agreements: agreements
        .filter(isMine)
        .map((agreed) => ({ store_id: agreed.storeId, agreed_by: agreed.agreedBy, agreed_on: agreed.agreedOn })),
    }),
  };
}

const notAllowed = (sentence: string) => new Refusal('transition_not_allowed', sentence);
const refuseEnded = (stored: StoredPromotion, at: Temporal.Instant) => {
  if (stateOf(stored, at) === 'ended') throw notAllowed('The promotion has ended. Create a new one.');
};

export const PROMOTION_STEPS = ['pause', 'resume', 'end'] as const;
export type PromotionStep = (typeof PROMOTION_STEPS)[number];

type OfOwner = { owner: PromotionOwner | undefined; promotionId: string };

/** Pauses, resumes or ends a promotion; a repeated step changes nothing. */
export async function stepPromotion(tx: Sql, of: OfOwner, step: PromotionStep, at: Temporal.Instant): Promise<OfOwner> {
  const { owner, promotionId } = of;
  const stored = await lockOwn(tx, owner, promotionId, at);
  if (step === 'end') {
    if (stateOf(stored, at) !== 'ended') await updatePromotion(tx, promotionId, { endedAt: at.toString() });
    return of;
  }
  refuseEnded(stored, at);
  if (step === 'resume' && needsAgreement(stored.promotion) && stored.agreements.length === 0) {
    throw new Refusal('agreement_required', 'A store pays a part, and no store has agreed yet.');
  }
  await updatePromotion(tx, promotionId, { paused: step === 'pause' });
  return of;
}

export type Agreed = Omit<PromotionAgreement, 'storeId'>;

/** Records that the stores of a promotion agreed to pay a part. Refuses a promotion of which no named store pays one. */
export async function agreeToPromotion(tx: Sql, promotionId: string, agreed: Agreed, at: Temporal.Instant) {
  const stored = await lockOwn(tx, undefined, promotionId, at);
  refuseEnded(stored, at);
  const { promotion } = stored;
  if (!needsAgreement(promotion) || !promotion.stores) throw invalidRequest([faultOf(NO_AGREEMENT)]);
  const agreements = promotion.stores.map((storeId) => ({ ...agreed, storeId }));
  await insertAgreements(tx, promotionId, agreements, at);
}

const NO_AGREEMENT = { path: 'agreed_by', message: 'expected absent, unless stores that it names pay a part' };

/** Changes the end and the limits, nothing else. Once it has begun the end moves nearer and limits rise, else transition_not_allowed. */
export async function changePromotion(tx: Sql, of: OfOwner, body: JsonObject, at: Temporal.Instant): Promise<OfOwner> {
  const { owner, promotionId } = of;
  const stored = await lockOwn(tx, owner, promotionId, at);
  const { promotion, createdAt } = stored;
  const report: LineReport = { faults: [], warnings: [] };
  const from = new FeedObject(body, report);
  const { endsEpochS, ...limits } = readChange(from, promotion);
  if (endsEpochS !== undefined && endsEpochS <= epochSeconds(at))
    from.fault('ends_at', 'expected in the future; end it instead');
  if (promotion.terms.kind === 'item_price' && Object.keys(limits).length > 0) {
    from.fault('max_uses', 'expected absent: a price in the menu has no limit');
  }
  const unknown = unknownFaults(body, PromotionSchema);
  if (report.faults.length + unknown.length > 0) throw invalidRequest([...report.faults.map(faultOf), ...unknown]);
  refuseEnded(stored, at);
  const shown: JsonObject = showPromotion(stored, { payer: stored.offeredBy, now: at });
  const others = Object.keys(body).filter((name) => !Object.hasOwn(CHANGE_FIELDS, name));
  if (!others.every((name) => isDeepStrictEqual(body[name] ?? shown[name], shown[name]))) {
    throw notAllowed("Only a promotion's end and limits can be changed. End it, and create a new one.");
  }
  const begins = promotion.startsEpochS ?? epochSeconds(createdAt);
  if (begins <= epochSeconds(at)) {
    const names = ['maxUses', 'maxUsesPerUser', 'budgetCents'] as const;
    const lowered = names.find((name) => (limits[name] ?? Infinity) < (promotion[name] ?? Infinity));
    if ((endsEpochS ?? 0) > (promotion.endsEpochS ?? Infinity) || lowered !== undefined) {
      throw notAllowed('It has begun: its end can only move earlier, and its limits can only rise. Create a new one.');
    }
  }
  const end = endsEpochS === undefined ? {} : { endsAt: instantOfEpochSeconds(endsEpochS).toString() };
  const changes = { ...limits, ...end };
  if (Object.keys(changes).length > 0) await updatePromotion(tx, promotionId, changes);
  return of;
}

function refuseLiveOffer(): never {
  throw new Refusal('live_only', 'A sandbox can agree only to its own promotions, never to live ones.');
}

/** Agrees for a store to pay its part of what others offer it. */
export async function acceptPromotion(
  tx: Sql,
  {
    viewer,
    promotionId,
    agreedBy,
  }: { viewer: PromotionViewer & { withOffersTo: string }; promotionId: string; agreedBy: string },
  at: Temporal.Instant,
): Promise<void> {
  const { withOffersTo: storeId, sandbox } = viewer;
  const stored = await findSeenPromotion(tx, viewer, promotionId);
  // A sandbox agrees to what its account offers there, and to nothing that live orders have.
  if (sandbox !== null && stored.ownerId !== sandboxOwnerOf(sandbox)) refuseLiveOffer();
  if (stored.offeredBy === 'store') throw notAllowed('The store’s own promotion needs no acceptance.');
  refuseEnded(stored, at);
  const agreedOn = at.toZonedDateTimeISO('UTC').toPlainDate().toString();
  await insertAgreements(tx, promotionId, [{ storeId, agreedBy, agreedOn }], at);
}
