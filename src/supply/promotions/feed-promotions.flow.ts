import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { LineFault } from '../stores/feed-fields.ts';
import { type FeedPromotion, leftOut } from './feed-promotions.ts';
import { changePromotion, createPromotion, stateOf, stepPromotion } from './manage-promotions.flow.ts';
import { CHANGE_FIELDS, presentPromotion, readPromotionBody } from './promotion-shape.ts';
import { findPromotions, type StoredPromotion, updatePromotion } from './promotions.db.ts';

/**
 * Makes the feed's promotions of stores match their lines: new ones are created, absent ones end, and only the end and
 * the limits of a begun promotion change; any other change is another promotion. Returns errors by store.
 */
export async function writeFeedPromotions(
  tx: Sql,
  stores: readonly { storeId: string; promotions?: readonly FeedPromotion[] }[],
  at: Temporal.Instant,
): Promise<Map<string, LineFault[]>> {
  const faults = new Map<string, LineFault[]>();
  if (stores.length === 0) return faults;
  const storeIds = stores.map(({ storeId }) => storeId);
  const found = await findPromotions(tx, { latestFromFeedsOf: storeIds, limit: MAX_READ }, null);
  const byStore = Map.groupBy(found, ({ ownerId }) => ownerId);
  for (const { storeId, promotions = [] } of stores) {
    const known = new Map((byStore.get(storeId) ?? []).map((stored) => [stored.externalId, stored]));
    const left = new Set(promotions.map(({ externalId }) => externalId));
    for (const [externalId, stored] of known) if (!left.has(externalId ?? '')) await end(tx, stored, at);
    for (const promotion of promotions) {
      const own = await faultsIn(promotion, () =>
        writeOne(tx, storeId, promotion, known.get(promotion.externalId), at),
      );
      if (own.length > 0) faults.set(storeId, [...(faults.get(storeId) ?? []), ...own]);
    }
  }
  return faults;
}

/** A bound of memory: no import writes as many stores at a time. */
const MAX_READ = 100_000;

/** Ends a promotion for its feed, whose id is free again; one that the store ended keeps it, so that it stays ended. */
async function end(tx: Sql, { promotion: { promotionId }, ...owner }: StoredPromotion, at: Temporal.Instant) {
  await stepPromotion(tx, { owner, promotionId }, 'end', at);
  await updatePromotion(tx, promotionId, { externalId: null });
}

async function writeOne(
  tx: Sql,
  storeId: string,
  { externalId, body }: FeedPromotion,
  known: StoredPromotion | undefined,
  at: Temporal.Instant,
): Promise<void> {
  if (body === null) return;
  const { fields } = readPromotionBody(body, 'store');
  const given = presentPromotion({ ...fields, promotionId: known?.promotion.promotionId ?? '' });
  const before = known && presentPromotion(known.promotion);
  if (JSON.stringify(before) === JSON.stringify(given)) return;
  const isOpen = known !== undefined && stateOf(known, at) !== 'ended';
  if (isOpen && JSON.stringify(part(before, false)) === JSON.stringify(part(given, false))) {
    const of = { owner: known, promotionId: known.promotion.promotionId };
    const change = changePromotion(tx, of, part(body, true), at);
    if (!(await change.then(() => false, isRefused))) return;
  }
  if (isOpen) await end(tx, known, at);
  if ((fields.endsEpochS ?? Infinity) <= epochSeconds(at)) return;
  await createPromotion(tx, { owner: { offeredBy: 'store', ownerId: storeId }, body, externalId }, at);
}

/** The fields changeable after its start, or the rest. */
function part(shown: object | undefined, changes: boolean): JsonObject {
  return Object.fromEntries(Object.entries(shown ?? {}).filter(([name]) => name in CHANGE_FIELDS === changes));
}

const isRefused = (error: unknown) => (error instanceof Refusal ? true : Promise.reject(error));

async function faultsIn({ path }: FeedPromotion, write: () => Promise<void>): Promise<LineFault[]> {
  try {
    await write();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'promotion_exists') return [leftOut({ path: `${path}.code`, message: 'expected another code' })];
    const faults = error.extras.errors ?? [{ name: '', message: error.message }];
    return faults.map(({ name, message }) =>
      leftOut({ path: `${path}.${name}`, message: message.replace(/^must be/, 'expected') }),
    );
  }
}
