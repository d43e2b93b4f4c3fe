import type { PublicHttp } from 'doorstep/public-http';
import { type Static, Type } from 'typebox';
import { operation } from '../../../access/operations/operation.ts';
import { requirePublicUrl } from '../../../notify/webhooks/public-url.ts';
import type { Db } from '../../../platform/db/connect.ts';
import { component, describedObject, orNull } from '../../../platform/http/api-components.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { newSigningSecret } from '../../../platform/lib/standard-webhook.ts';
import { epochSeconds } from '../../../platform/lib/time.ts';
import { maybeText, moment, showRow } from '../field-schemas.ts';
import { acknowledgeAlert, findDuty, listDuty, listEnded, listUnderWay, saveDuty } from './alerts.db.ts';
import { ALERT_KINDS, ALERT_WAYS, type Alert, waysOf } from './alerts.ts';

/** Open and past alerts, who is on duty, and the caller's own duty. */

const MAX_PAST = 100;

const AlertSchema = component('Alert', 'A condition that on-duty operators are alerted to.', {
  alert_id: Type.String(),
  kind: Type.Enum([...ALERT_KINDS]),
  title: Type.String(),
  page: Type.String({ description: 'Its address in the operator dashboard, such as `stores/` and an ID.' }),
  opened_at: Type.Integer({ description: 'Epoch seconds.' }),
  ended_at: moment('When the condition ended.'),
  acknowledged_at: moment('When an operator acknowledged it.'),
  acknowledged_by: maybeText("The operator's name."),
});
const WAYS = Type.Array(Type.Enum([...ALERT_WAYS]), { description: 'How alerts reach the operator.' });
const DutySchema = component(
  'OperatorDuty',
  "Whether and how the operator receives alerts. The email and phone are the operator's own.",
  { on_duty: Type.Boolean(), ways: WAYS, webhook_url: maybeText('The URL that receives alerts.') },
);

type AlertDeps = { db: Db; clock: Clock; publicHttp: PublicHttp };

export const listAlertsOperation = operation({
  endpoint: 'GET /alerts',
  summary: 'List open and past alerts, and who is on duty',
  description: 'One alert opens for an ongoing condition. It closes after the condition has been resolved for a while.',
  answer: describedObject("The operators' current settings.", {
    now: Type.Integer({ description: "The service's clock, in epoch seconds." }),
    open: Type.Array(AlertSchema, { description: 'Newest first.' }),
    past: Type.Array(AlertSchema, { description: `The last ${MAX_PAST}, newest first.` }),
    on_duty: Type.Array(Type.Object({ operator_id: Type.String(), name: Type.String(), ways: WAYS })),
    you: DutySchema,
  }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ db, clock }: Pick<AlertDeps, 'db' | 'clock'>, { by: { session } }) => {
  const [underWay, past, duty] = await Promise.all([listUnderWay(db), listEnded(db, MAX_PAST), listDuty(db)]);
  const onDuty = duty.filter((one) => one.onDuty);
  return {
    now: epochSeconds(clock.now()),
    open: underWay.flatMap(presentAlert),
    past: past.flatMap(presentAlert),
    on_duty: onDuty.map((one) => ({ operator_id: one.operatorId, name: one.name, ways: waysOf(one) })),
    you: await readDuty(db, session.operatorId),
  };
});

export const acknowledgeAlertOperation = operation({
  endpoint: 'POST /alerts/:alert_id/acknowledge',
  refuses: ['not_found'],
  summary: 'Acknowledge an alert',
  description: "Operators who come on duty later aren't alerted. The alert closes with its condition.",
  params: Type.Object({ alert_id: Type.String({ maxLength: 64, description: 'An open alert.' }) }),
  body: Type.Object({}),
  answer: Type.Object(
    { alert_id: Type.String(), acknowledged: Type.Literal(true) },
    { description: 'It is acknowledged.' },
  ),
  on: { operator: { role: 'support' } },
}).run(async (_needs: object, { by: { session }, save, params: { alert_id: alertId } }) => {
  await save(
    async (tx, at) => {
      if (await acknowledgeAlert(tx, alertId, session.name ?? '', at)) return;
      throw new Refusal('not_found', 'There is no such unacknowledged alert.');
    },
    () => ({ action: 'alert.acknowledge', target: alertId, details: {} }),
  );
  return { alert_id: alertId, acknowledged: true as const };
});

export const switchDutyOperation = operation({
  endpoint: 'POST /duty',
  summary: 'Turn your alerts on or off',
  description:
    'Alerts go to on-duty operators by email, text message and webhook, using their addresses. If no one is on duty, they go to admins.',
  example: { body: { on_duty: true } },
  body: Type.Object({ on_duty: Type.Boolean({ description: 'Whether alerts go to you.' }) }),
  answer: DutySchema,
  on: { operator: { role: 'viewer' } },
}).run(async (deps: AlertDeps, { by: { session }, save, body }) => {
  const operatorId = session.operatorId ?? '';
  await save(
    (tx) => saveDuty(tx, operatorId, { onDuty: body.on_duty }),
    () => ({ action: 'duty.switch', target: operatorId, details: { on_duty: body.on_duty } }),
  );
  return readDuty(deps.db, operatorId);
});

export const setAlertWebhookOperation = operation({
  endpoint: 'POST /duty/webhook',
  refuses: ['webhook_endpoint_not_allowed'],
  summary: 'Set the URL for your alerts',
  description: "Deliveries are signed like accounts' webhooks. Each URL gets a new secret, which is shown only once.",
  example: { body: { webhook_url: 'https://ops.example.com/doorstep' } },
  body: Type.Object({
    webhook_url: orNull(Type.String({ minLength: 1, maxLength: 2048 }), 'An https URL on a public host, or null.'),
  }),
  answer: describedObject('The URL is set.', {
    webhook_url: maybeText('The URL that receives alerts.'),
    signing_secret: maybeText('Shown once.'),
  }),
  on: { operator: { role: 'support' } },
}).run(async (deps: AlertDeps, { by: { session }, save, body }) => {
  const operatorId = session.operatorId ?? '';
  const given = body.webhook_url;
  const url = given === null ? null : (await requirePublicUrl(deps.publicHttp, given, 'webhook_url')).url;
  const secret = url === null ? null : newSigningSecret();
  await save(
    (tx) => saveDuty(tx, operatorId, { alertWebhookUrl: url, alertWebhookSecret: secret }),
    () => ({ action: 'duty.set_webhook', target: operatorId, details: { is_set: url !== null } }),
  );
  return { webhook_url: url, signing_secret: secret };
});

async function readDuty(db: Db, operatorId: string | null): Promise<Static<typeof DutySchema>> {
  const operator = await findDuty(db, operatorId ?? '');
  return {
    on_duty: operator?.onDuty ?? false,
    ways: operator ? waysOf(operator) : [],
    webhook_url: operator?.alertWebhookUrl ?? null,
  };
}

/** Nothing for a condition that has not lasted long enough to open. */
function presentAlert(alert: Alert): Static<typeof AlertSchema>[] {
  const { alertId, kind, title, page, openedAt, endedAt, acknowledgedAt, acknowledgedBy } = alert;
  if (openedAt === null) return [];
  return [showRow({ alertId, kind, title, page, openedAt, endedAt, acknowledgedAt, acknowledgedBy })];
}
