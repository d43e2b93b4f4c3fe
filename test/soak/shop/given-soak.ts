import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { setChannels } from '../../../src/fulfillment/store-channels/set-channels.flow.ts';
import { openDb, openPool } from '../../../src/platform/db/connect.ts';
import { givenWorld, runClient, type World } from '../../faults/orders-clients.ts';
import { callerOf, type Environment, runCommand, type Sample } from '../../faults/service-process.ts';
import { orderBody } from '../../given/orders.ts';
import { givenReceiver, type Receiver } from '../../given/receiver.ts';
import { givenSmtp, type SmtpReceiver } from '../../given/smtp.ts';

/** Sandbox clients order with cards, live clients without a charge; only live orders send mail. */
const CLIENTS = 4;
const LIVE_EVERY_MS = 150;

/** What the webhook receiver and the mail server have seen, without bodies, because a soak takes hours. */
type Seen = {
  /** The event of each webhook id, and the number of its calls. */
  calls: Map<string, { event: string; times: number }>;
  /** The number of copies of each mail, by Message-ID without its host. */
  mails: Map<string, number>;
};

export type Soak = {
  world: World;
  seen: Seen;
  liveOrders: string[];
  samples: Sample[];
  settings: Environment;
  startClients(): Promise<unknown>;
  close(): Promise<void>;
};

/** A running service with a shop, an account with a webhook, a mail server, and no orders yet. */
export async function givenSoak(
  dataDir: string,
  seed: number,
  where: { databaseUrl?: string; directUrl(): string },
): Promise<Soak> {
  const receiver = await givenReceiver();
  const smtp = await givenSmtp();
  const settings: Environment = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Soak <soak@soak.example>',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...(where.databaseUrl === undefined ? {} : { DATABASE_URL: where.databaseUrl }),
  };
  const samples: Sample[] = [];
  const world = await givenWorld(dataDir, seed, { settings, seen: (sample) => void samples.push(sample) });
  await giveChannel(where.directUrl(), world.storeId);
  const { key } = await runCommand(dataDir, ['keys', 'create', '--account', world.account, '--live'], settings);
  const seen: Seen = { calls: new Map(), mails: new Map() };
  const counting = setInterval(() => count(seen, receiver, smtp), 200);
  const liveOrders: string[] = [];
  const live = callerOf(
    () => world.service?.url ?? 'http://127.0.0.1:9',
    key,
    (sample) => void samples.push(sample),
  );
  for (const { post } of [world.call, live]) {
    const endpoint = await post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/hook` });
    assert.equal(endpoint.status, 200, JSON.stringify(endpoint.body));
  }
  return {
    world,
    seen,
    liveOrders,
    samples,
    settings,
    startClients: () =>
      Promise.all([...Array.from({ length: CLIENTS }, (_, index) => runClient(world, index)), buyLive()]),
    async close() {
      clearInterval(counting);
      await receiver.close();
      await smtp.close();
    },
  };

  async function buyLive(): Promise<void> {
    const body = orderBody(world.shop.products.Margherita, null, {
      charge_user: false,
      autofill_selected_options: true,
      include_final_quote: false,
    });
    for (let number = 0; !world.isEnding; number += 1) {
      await pause(LIVE_EVERY_MS);
      if (!world.service) continue;
      const reply = await live.post('/order/order/v2', body, `live-${number}`).catch(() => undefined);
      if (reply?.status === 200) liveOrders.push(reply.body.order_id);
      else if (reply) assert.ok(reply.status === 503 || reply.status === 409, JSON.stringify(reply.body));
    }
  }
}

/** Moves arrivals into the counts. */
function count(seen: Seen, receiver: Receiver, smtp: SmtpReceiver): void {
  for (const { id, body } of receiver.calls.splice(0)) {
    const { data } = JSON.parse(body);
    const event = `${data.order.order_id} ${data.sequence}`;
    const known = seen.calls.get(id);
    assert.ok(known === undefined || known.event === event, `${id} names one event`);
    seen.calls.set(id, { event, times: (known?.times ?? 0) + 1 });
  }
  for (const { mail } of smtp.received.splice(0)) {
    const id = mail.messageId?.replace(/^<|@.*$/g, '') ?? '';
    seen.mails.set(id, (seen.mails.get(id) ?? 0) + 1);
  }
}

async function giveChannel(connectionString: string, storeId: string): Promise<void> {
  const db = openDb(openPool({ connectionString, schema: 'doorstep', max: 1 }));
  await db.transaction().execute((tx) => setChannels(tx, storeId, { operator: true }, Temporal.Now.instant()));
  await db.destroy();
}
