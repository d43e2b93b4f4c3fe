import type { Operator } from '../../../access/sessions/operator.ts';
import { oneLine, shorten } from '../../../platform/lib/plain-text.ts';
import { CONDITION_KEYS, CONDITIONS, type ConditionKey } from '../conditions.ts';

/**
 * Alerts to operators on duty (docs/operator-dashboard.md#alerts). An alert is a condition that opened and ends. It
 * opens once the condition has held for a while and ends once it has been gone for a while, so that flapping sends no
 * stream of messages; alerts that open or end together are one message.
 */

/** Seconds for which a condition must hold to open, and must be gone to end. */
const OWN_DAMPING = {
  order_unconfirmed: { openAfter: 0, endAfter: 0 },
  store_unreached: { openAfter: 120, endAfter: 300 },
  channel_failing: { openAfter: 120, endAfter: 300 },
  payments_stuck: { openAfter: 0, endAfter: 300 },
  messages_failing: { openAfter: 600, endAfter: 300 },
  budget_used_up: { openAfter: 0, endAfter: 0 },
  search_differs: { openAfter: 0, endAfter: 300 },
  webhook_failing: { openAfter: 0, endAfter: 300 },
};
export type AlertKind = keyof typeof OWN_DAMPING | ConditionKey;
const DAMPING: ReadonlyMap<string, { openAfter: number; endAfter: number }> = new Map([
  ...Object.entries(OWN_DAMPING),
  ...CONDITION_KEYS.map((key) => [key, { openAfter: CONDITIONS[key].alertsAfter, endAfter: 300 }] as const),
]);
export const ALERT_KINDS = [...DAMPING.keys()] as readonly AlertKind[];

export const ALERT_WAYS = ['email', 'sms', 'webhook'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];
export type AlertPhase = 'opened' | 'resolved';

/** A condition that holds now. `key` names it while it lasts; `page` is its place in the operator's view. */
export type Condition = { key: string; kind: AlertKind; title: string; page: string };

export type Alert = Condition & {
  alertId: string;
  seenSince: Temporal.Instant;
  openedAt: Temporal.Instant | null;
  clearSince: Temporal.Instant | null;
  endedAt: Temporal.Instant | null;
  acknowledgedAt: Temporal.Instant | null;
  acknowledgedBy: string | null;
};

type Progress = Pick<Alert, 'seenSince' | 'openedAt' | 'clearSince' | 'endedAt'>;

const isPast = (since: Temporal.Instant, seconds: number, now: Temporal.Instant) =>
  Temporal.Instant.compare(since.add({ seconds }), now) <= 0;

/** The progress of an alert at a look at its condition; undefined if it is forgotten before it has opened. */
export function progressOf(
  kind: AlertKind,
  before: Progress | undefined,
  holds: boolean,
  now: Temporal.Instant,
): Progress | undefined {
  const { openAfter = 0, endAfter = 0 } = DAMPING.get(kind) ?? {};
  const alert = before ?? { seenSince: now, openedAt: null, clearSince: null, endedAt: null };
  if (alert.openedAt === null) {
    if (!holds) return undefined;
    return isPast(alert.seenSince, openAfter, now) ? { ...alert, openedAt: now } : alert;
  }
  if (holds) return { ...alert, clearSince: null };
  const clearSince = alert.clearSince ?? now;
  return { ...alert, clearSince, endedAt: isPast(clearSince, endAfter, now) ? now : null };
}

export type DutyOperator = Pick<Operator, 'operatorId' | 'name' | 'email' | 'phone'> & {
  alertWebhookUrl: string | null;
};

/** The ways by which alerts can reach an operator. */
export function waysOf({ email, phone, alertWebhookUrl }: Omit<DutyOperator, 'operatorId' | 'name'>): AlertWay[] {
  const addresses: Readonly<Record<AlertWay, string | null>> = { email, sms: phone, webhook: alertWebhookUrl };
  return ALERT_WAYS.filter((way) => addresses[way] !== null);
}

/** Whom alerts reach: those on duty; with no one of them in reach, the administrators. */
export function recipientsOf<One extends DutyOperator & { onDuty: boolean }>(operators: readonly One[]): One[] {
  const inReach = operators.filter((operator) => waysOf(operator).length > 0);
  const onDuty = inReach.filter((operator) => operator.onDuty);
  return onDuty.length > 0 ? onDuty : inReach;
}

const MAX_TITLE = 160;
/** Maximum alerts that a message names; the view has them all. */
const MAX_NAMED = 20;
const MAX_SMS_TITLE = 90;

/** A title of one line, whatever a store is called. */
export const alertTitle = (text: string) => shorten(oneLine(text), MAX_TITLE);

type AlertHeadline = Pick<Alert, 'title' | 'openedAt'>;

export function alertSubject(phase: AlertPhase, alerts: readonly AlertHeadline[]): string {
  const [first] = alerts;
  const lead = phase === 'opened' ? 'Alert' : 'Resolved';
  if (alerts.length === 1) return `${lead}: ${first?.title ?? ''}`;
  return phase === 'opened' ? `${alerts.length} alerts` : `${alerts.length} alerts are resolved`;
}

export function alertText(phase: AlertPhase, alerts: readonly AlertHeadline[], link: string): string {
  const named = alerts.slice(0, MAX_NAMED).map(({ title }) => `- ${title}`);
  const more = alerts.length > MAX_NAMED ? [`and ${alerts.length - MAX_NAMED} more`] : [];
  const lead = phase === 'opened' ? 'This needs a person:' : 'This is over:';
  return [lead, '', ...named, ...more, '', link, ''].join('\n');
}

export function alertSms(phase: AlertPhase, alerts: readonly AlertHeadline[], link: string): string {
  const subject = alertSubject(phase, alerts);
  return `Doorstep: ${shorten(subject, MAX_SMS_TITLE)} ${link}`;
}
