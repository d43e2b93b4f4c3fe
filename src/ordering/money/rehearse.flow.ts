import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { countRefunds } from './refunds.db.ts';
import type { OrderChange } from './take-step.flow.ts';
import { findTips } from './tips.db.ts';

/*
 * Previews: a change runs in its transaction, its outcome is described, and it is rolled back. A preview's id is a digest
 * of order and outcome: the confirmed change runs again, and is undone where its digest differs.
 */

type Beside<Change, Result> = (tx: Sql, change: Change, now: Temporal.Instant) => Promise<Result>;

/** The outcome that a change would have now, as `read` describes it; undefined if it would change nothing. */
export async function rehearse<Change extends OrderChange, Outcome>(
  run: (alongside: Beside<Change, void>) => Promise<unknown>,
  read: Beside<Change, Outcome>,
): Promise<Outcome | undefined> {
  const undo = new Error('previewed');
  let outcome: Outcome | undefined;
  await run(async (tx, change, now) => {
    outcome = await read(tx, change, now);
    throw undo;
  }).catch((error) => {
    if (error !== undo) throw error;
  });
  return outcome;
}

/** Returns a preview's ID, from the description of the change and the order's money before it. */
export async function readPreviewId(
  tx: Sql,
  { before }: Pick<OrderChange, 'before'>,
  described: readonly unknown[],
): Promise<string> {
  const { orderId, lastSequence, status, chargedCents, refundedCents, refundingCents } = before;
  const attempts = [await countRefunds(tx, orderId), (await findTips(tx, orderId)).length];
  const moved = [orderId, lastSequence, status, chargedCents, refundedCents, refundingCents, ...attempts];
  const digest = sha256(JSON.stringify([moved, ...described]));
  return `pv_${digest.toString('base64url').slice(0, 24)}`;
}

/** Refuses a change whose outcome differs from the preview. */
export function refuseOutdated({ previewId }: { previewId: string }, confirmed: string | undefined): void {
  if (confirmed === undefined || confirmed === previewId) return;
  throw new Refusal('preview_outdated', 'The order has changed since this preview. Review the new preview.');
}
