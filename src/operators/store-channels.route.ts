import { Type } from 'typebox';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { type Fault, Refusal } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import type { Clock } from '../lib/clock.ts';
import type { PublicHttp } from '../lib/public-http.ts';
import { type ChannelChanges, setChannels } from '../offers/set-channels.flow.ts';
import { emailTarget, phoneTarget, printerTarget } from '../offers/store-channel.ts';
import { listChannels } from '../offers/store-channels.db.ts';
import { EXAMPLE_STORE_ID } from '../stores/example-store.ts';
import { recordChange } from './record-change.flow.ts';
import { storeNotFound } from './stores.route.ts';
import { ChannelsAnswerSchema, presentChannel, StoreParams } from './stores-schema.ts';

const REMOVABLE = ['email', 'sms', 'webhook', 'printer', 'operator', 'console', 'auto_confirm'] as const;
const target = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description }));

const Body = Type.Object({
  email: target('One e-mail address.'),
  sms: target('A phone number.'),
  webhook: target('The URL of a point of sale.'),
  printer: target('HOST:PORT of a printer.'),
  operator: Type.Optional(Type.Boolean({ description: "Whether the operator's view takes orders of the store." })),
  print_at: Type.Optional(
    Type.Enum(['offered', 'confirmed'], { description: 'When the printer prints the kitchen ticket.' }),
  ),
  auto_confirm_minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: 'The first channel that has an order confirms it with these.',
    }),
  ),
  remove: Type.Optional(
    Type.Array(Type.Enum([...REMOVABLE]), { maxItems: REMOVABLE.length, description: 'What is taken away.' }),
  ),
});
type ChannelsBody = Type.Static<typeof Body>;

const schema = {
  operationId: 'setStoreChannels',
  tags: ['Operator'],
  summary: 'Set how a store receives its live orders',
  description: 'What is left out stays as it is.',
  example: {
    path: { store_id: EXAMPLE_STORE_ID },
    body: { email: 'kitchen@example.com', printer: 'kitchen-printer:9100', operator: true },
  },
  params: StoreParams,
  body: Body,
  response: { 200: ChannelsAnswerSchema },
};
const config = { audience: 'operator', refuses: ['store_not_found', 'webhook_endpoint_not_allowed'] } as const;

type Needs = { db: Db; clock: Clock; publicHttp: PublicHttp; inventory: Pick<InventoryCache, 'evict'> };

/** POST /operator/stores/{store_id}/channels. */
export function storeChannelsRoute(http: Http, deps: Needs): void {
  http.post('/operator/stores/:store_id/channels', { schema, config }, async ({ session, params, body }, reply) => {
    const { store_id: storeId } = params;
    const changes = changesOf(body);
    if (typeof changes.webhook === 'string') changes.webhook = await callableUrl(deps.publicHttp, changes.webhook);
    const { set, hadWebhook } = await recordChange(
      deps,
      session,
      async (tx, at) => {
        const before = await listChannels(tx, storeId);
        const done = await setChannels(tx, storeId, changes, at);
        if (!done) throw storeNotFound();
        return { set: done, hadWebhook: before.some(({ channel }) => channel === 'webhook') };
      },
      () => ({ action: 'store.set_channels', target: storeId, details: namesOf(changes) }),
    );
    deps.inventory.evict(storeId);
    reply.header('cache-control', 'no-store');
    const secret = hadWebhook ? undefined : set.channels.find(({ channel }) => channel === 'webhook')?.signingSecret;
    return {
      store_id: storeId,
      channels: set.channels.map(presentChannel),
      auto_confirm_minutes: set.autoConfirmMinutes,
      ...(secret ? { signing_secret: secret } : {}),
    };
  });
}

/** Refuses targets that no channel can have, all at once, and a channel that is both set and taken away. */
function changesOf(body: ChannelsBody): ChannelChanges {
  const faults: Fault[] = [];
  const fault = (name: string, message: string) => void faults.push({ in: 'body', name, message });
  const changes: ChannelChanges = {};
  const read = (name: 'email' | 'sms' | 'printer', parse: (text: string) => string | undefined, expected: string) => {
    const text = body[name]?.trim();
    if (text === undefined) return;
    const value = parse(text);
    if (value === undefined) fault(name, `must be ${expected}`);
    else changes[name] = value;
  };
  read('email', emailTarget, 'one e-mail address');
  read('sms', phoneTarget, 'a phone number');
  read('printer', printerTarget, 'HOST:PORT');
  if (body.webhook !== undefined) changes.webhook = body.webhook.trim();
  if (body.operator !== undefined) changes.operator = body.operator;
  if (body.print_at !== undefined) changes.printAt = body.print_at;
  if (body.auto_confirm_minutes !== undefined) changes.autoConfirmMinutes = body.auto_confirm_minutes;
  for (const name of body.remove ?? []) {
    const key = name === 'auto_confirm' ? 'autoConfirmMinutes' : name;
    if (changes[key] !== undefined) fault('remove', `must not name ${name}, which is set too`);
    else if (key === 'operator' || key === 'console') changes[key] = false;
    else changes[key] = null;
  }
  if (body.print_at !== undefined && body.printer === undefined) fault('print_at', 'comes with printer');
  if (faults.length === 0 && Object.keys(changes).length === 0) fault('body', 'must change something');
  if (faults.length > 0) throw invalidRequest(faults);
  return changes;
}

async function callableUrl(publicHttp: PublicHttp, url: string): Promise<string> {
  const check = await publicHttp.checkUrl(url);
  if ('refusal' in check) throw new Refusal('webhook_endpoint_not_allowed', check.refusal);
  return check.url;
}

/** What was set and what was taken away, without the addresses. */
function namesOf(changes: ChannelChanges) {
  const entries = Object.entries(changes);
  return {
    set: entries.filter(([, value]) => value !== null && value !== false).map(([name]) => name),
    removed: entries.filter(([, value]) => value === null || value === false).map(([name]) => name),
  };
}
