import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { FORGET_CARD } from './cards.job.ts';
import { markPaymentMethodDeleted } from './payment-methods.db.ts';

/** Deletes a user's payment method, and lets the gateway forget the card; false if the user has no such method. */
export async function deletePaymentMethod(
  { db, clock, jobs }: Context & { jobs: Jobs },
  world: Parameters<typeof markPaymentMethodDeleted>[1],
  method: { userId: string; paymentMethodId: string },
  keep: (tx: Sql) => Promise<unknown> = async () => {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const token = await markPaymentMethodDeleted(tx, world, { ...method, at: clock.now() });
    if (token === undefined) return false;
    await jobs.enqueue(tx, FORGET_CARD, { token, mode: world.mode });
    await keep(tx);
    return true;
  });
}
