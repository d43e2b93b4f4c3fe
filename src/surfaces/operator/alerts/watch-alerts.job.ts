import { budgetDay } from '../../../access/budgets/budget.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Db, Sql } from '../../../platform/db/connect.ts';
import type { Worker } from '../../../platform/jobs/job-queue.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { randomId } from '../../../platform/lib/random-id.ts';
import { instantOfEpochSeconds } from '../../../platform/lib/time.ts';
import { listSearchDifferences, type SearchDifference } from '../../../search/stores/search-checks.db.ts';
import { readHealthFacts } from '../conditions.db.ts';
import { judgeConditions } from '../conditions.ts';
import { findWaiting, presentFound } from '../find-waiting.flow.ts';
import {
  countQueues,
  listFailingChannels,
  listUnreachedStores,
  listUnreliableEndpoints,
  listUsedUpBudgets,
  readStuckPayments,
} from '../health.db.ts';
import {
  deleteAlerts,
  insertNotice,
  listDuty,
  listSentAlerts,
  listUnderWay,
  lockAlerts,
  type SentAlert,
  saveAlert,
} from './alerts.db.ts';
import {
  type Alert,
  type AlertKind,
  type AlertPhase,
  alertTitle,
  type Condition,
  progressOf,
  recipientsOf,
  waysOf,
} from './alerts.ts';

/** Maximum conditions of one kind, as many as the health page lists. */
const MAX_OF_KIND = 100;
/** Minutes for which a difference of search counts. The load that ends it takes a minute; a failed one finds it again. */
const SEARCH_DIFFERS_MINUTES = 15;

type WatchDeps = { db: Db; clock: Clock; config: Pick<Config, 'dailyBudgets'> };

/** Checks every condition once a minute, on whichever node; what follows is queued in the same transaction. */
export function watchAlerts(deps: WatchDeps): Worker<object> {
  return { kind: { name: 'watch-alerts' }, concurrency: 1, everyMinutes: 1, run: () => lookAtAlerts(deps) };
}

/** One pass: opens and ends alerts, and queues a notice to each operator on duty about what is new. */
export async function lookAtAlerts({ db, clock, config }: WatchDeps): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockAlerts(tx);
    const now = clock.now();
    const conditions = new Map((await readConditions(db, config, clock)).map((one) => [one.key, one]));
    const before = await listUnderWay(tx);
    const known = new Set(before.map(({ key }) => key));
    const fresh = [...conditions.values()].filter(({ key }) => !known.has(key));
    const after: Alert[] = [];
    const forgotten: string[] = [];
    for (const alert of [...before, ...fresh.map((condition) => newAlert(condition, now))]) {
      const condition = conditions.get(alert.key);
      const progress = progressOf(alert.kind, alert, condition !== undefined, now);
      if (!progress) forgotten.push(alert.alertId);
      else after.push({ ...alert, ...progress, title: condition?.title ?? alert.title });
    }
    for (const alert of after) await saveAlert(tx, alert);
    await deleteAlerts(tx, forgotten);
    await queueNotices(tx, after, now);
  });
}

function newAlert(condition: Condition, now: Temporal.Instant): Alert {
  const start = { seenSince: now, openedAt: null, clearSince: null, endedAt: null };
  return { ...condition, ...start, alertId: randomId('alr_', 12), acknowledgedAt: null, acknowledgedBy: null };
}

/**
 * Notifies operators on duty, or all administrators, of open alerts that nobody has acknowledged, each once.
 * Anyone who was notified of an alert is notified of its end, on duty or not. Alerts of one pass are one notice per
 * operator and way.
 */
async function queueNotices(tx: Sql, alerts: readonly Alert[], now: Temporal.Instant): Promise<void> {
  const sent = await listSentAlerts(
    tx,
    alerts.map(({ alertId }) => alertId),
  );
  const keyOf = ({ alertId, operatorId, way, phase }: SentAlert) => [alertId, operatorId, way, phase].join(' ');
  const sentKeys = new Set(sent.map(keyOf));
  const open = alerts.filter(({ openedAt, endedAt, acknowledgedAt }) => openedAt && !endedAt && !acknowledgedAt);
  const ended = new Set(alerts.filter(({ endedAt }) => endedAt).map(({ alertId }) => alertId));
  const opened = recipientsOf(await listDuty(tx)).flatMap((operator) =>
    waysOf(operator).flatMap((way) =>
      open.map(({ alertId }) => ({ alertId, operatorId: operator.operatorId, way, phase: 'opened' as AlertPhase })),
    ),
  );
  const resolved = sent
    .filter(({ alertId, phase }) => phase === 'opened' && ended.has(alertId))
    .map((item): SentAlert => ({ ...item, phase: 'resolved' }));
  const items = [...opened, ...resolved].filter((item) => !sentKeys.has(keyOf(item)));
  const byNotice = Map.groupBy(items, ({ operatorId, way, phase }) => [operatorId, way, phase].join(' '));
  for (const [first, ...more] of byNotice.values()) {
    if (!first) continue;
    const { alertId, ...to } = first;
    const notice = { ...to, noticeId: randomId('msg_'), createdAt: now };
    await insertNotice(tx, notice, [alertId, ...more.map((item) => item.alertId)]);
  }
}

/**
 * Every condition that holds now, by the rules of the operator's waiting list and health. Sandbox orders, payments and
 * budgets are left out.
 */
async function readConditions(sql: Sql, { dailyBudgets }: WatchDeps['config'], clock: Clock) {
  const now = clock.now();
  const { orders } = presentFound(await findWaiting(sql, now));
  const nowEpochS = now.epochMilliseconds / 1000;
  const late = orders.filter(({ alerts_at: at }) => at !== null && at <= nowEpochS && !clock.settlesAt?.());
  const limit = MAX_OF_KIND + 1;
  const channels = await listFailingChannels(sql, limit);
  const stores = await listUnreachedStores(sql, now, limit);
  const stuckSince = await readStuckPayments(sql, now);
  const queues = await countQueues(sql, now);
  const budgets = await listUsedUpBudgets(sql, { day: budgetDay(now), defaults: dailyBudgets, limit });
  const endpoints = await listUnreliableEndpoints(sql, now, limit);
  const health = judgeConditions(await readHealthFacts(sql, {}));
  const [difference] = await listSearchDifferences(sql, now.subtract({ minutes: SEARCH_DIFFERS_MINUTES }));
  const conditions = [
    ...health.flatMap(({ key, title }) => (title === undefined ? [] : [condition(key, `service ${key}`, title)])),
    ...(difference ? [condition('search_differs', 'search', differenceTitle(difference))] : []),
    ...late.map((order) => {
      const title = `Order ${order.order_number} at ${order.store_name} is not confirmed and will be canceled${timeOf(order)}`;
      return condition('order_unconfirmed', `order ${order.order_id}`, title, `orders/${order.order_id}`);
    }),
    ...stores.map(({ storeId, storeName }) =>
      condition('store_unreached', `store ${storeId}`, `No channel reaches ${storeName}`, `stores/${storeId}`),
    ),
    ...channels.map(({ storeId, storeName, channel, lastError }) => {
      const title = `The channel ${channel} of ${storeName} fails: ${lastError ?? 'no answer'}`;
      return condition('channel_failing', `channel ${storeId} ${channel}`, title, `stores/${storeId}`);
    }),
    ...(stuckSince ? [condition('payments_stuck', 'payments', 'The payment gateway does not answer')] : []),
    ...queues
      .filter(({ queue, failing }) => (queue === 'emails' || queue === 'SMS') && failing > 0)
      .map(({ queue, lastError }) => {
        const title = `${queue === 'SMS' ? 'SMS' : 'Emails'} to customers fail: ${lastError ?? 'no answer'}`;
        return condition('messages_failing', `messages ${queue}`, title);
      }),
    ...budgets
      .filter(({ mode }) => mode === 'live')
      .map(({ accountId, accountName, kind, max }) => {
        const title = `${accountName} has used up its daily budget of ${kind.replaceAll('_', ' ')} (${max})`;
        return condition('budget_used_up', `budget ${accountId} ${kind}`, title, `accounts/${accountId}`);
      }),
    ...endpoints.map(({ accountId, accountName, isFailing, calls, failed }) => {
      const title = `The webhook of ${accountName} fails: ${isFailing ? 'every call' : `${failed} of ${calls} calls in an hour`}`;
      return condition('webhook_failing', `webhook ${accountId}`, title, `accounts/${accountId}`);
    }),
  ];
  const reported = [...Map.groupBy(conditions, ({ kind }) => kind).values()].flatMap(atMost);
  return reported.map((condition) => ({ ...condition, title: alertTitle(condition.title) }));
}

const condition = (kind: AlertKind, key: string, title: string, page = 'health'): Condition => ({
  kind,
  key,
  title,
  page,
});

/** The conditions of one kind; those beyond the maximum are one that says so. */
function atMost(conditions: readonly Condition[]): Condition[] {
  const [more] = conditions.slice(MAX_OF_KIND);
  if (!more) return [...conditions];
  const title = `There are more than ${MAX_OF_KIND} such alerts: ${more.title}`;
  return [...conditions.slice(0, MAX_OF_KIND), { ...more, key: `more ${more.kind}`, title }];
}

function differenceTitle({ missing, firstMissing }: SearchDifference): string {
  if (firstMissing === null) return 'Search had stores that are not listed, and reads all again';
  return `Search lacked ${missing} stores, the first ${firstMissing}, and reads all again`;
}

/** The time of an order's cancelation on its store's clock. */
function timeOf({ confirm_by: epochS, store_time_zone: zone }: { confirm_by: number | null; store_time_zone: string }) {
  if (epochS === null) return '';
  const time = instantOfEpochSeconds(epochS).toZonedDateTimeISO(zone).toPlainTime();
  return ` at ${time.toString({ smallestUnit: 'minute' })} (${zone})`;
}
