import { budgetDay } from '../../access/budgets/budget.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/db/context.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { ProblemReport } from './message.ts';
import { insertMessages, listReports, lockLastEvent } from './messages.db.ts';

/** Maximum reports of one order. After that, customers write to the account's help. */
const MAX_REPORTS = 5;

type ReportDeps = Context & { config: Pick<Config, 'dailyBudgets'> };

/**
 * Queues the email to the account's help about a problem with a placed order. The same report again queues nothing. A
 * sandbox order keeps the email in its outbox. `too_many`: nothing is queued.
 */
export async function reportProblem(
  { db, clock, config }: ReportDeps,
  { orderId, accountId, mode }: Order,
  report: ProblemReport,
): Promise<'queued' | 'too_many'> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const sequence = await lockLastEvent(tx, orderId);
    const earlier = await listReports(tx, orderId);
    if (earlier.some(({ reason, text }) => reason === report.reason && text === report.text)) return 'queued';
    if (sequence === undefined || earlier.length >= MAX_REPORTS) return 'too_many';
    const [state, nextAttemptAt] = mode === 'live' ? (['pending', now] as const) : (['kept', null] as const);
    const message = {
      messageId: randomId('msg_'),
      accountId,
      orderId,
      sequence,
      mode,
      channel: 'email',
      kind: 'order_problem',
      state,
      lastError: null,
      nextAttemptAt,
      createdAt: now,
      report,
    } as const;
    await insertMessages(tx, [message], { ...config.dailyBudgets, day: budgetDay(now) });
    return 'queued';
  });
}
