import { createPublicHttp } from 'doorstep/public-http';
import { createTcpPrinter } from '../../plugins/escpos/tcp-printer.ts';
import type { Deps } from '../../src/app/wiring/deps.ts';
import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { queueStoreNotices } from '../../src/fulfillment/store-channels/queue-notices.flow.ts';
import { noticeQueue } from '../../src/fulfillment/store-channels/send-notices.flow.ts';
import { dispatchEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { createFollowEvent } from '../../src/ordering/order/follow-event.flow.ts';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { createMetrics } from '../../src/platform/lib/metrics.ts';

/**
 * A worker that offers orders to stores until killed: `notices-child.ts CONNECTION SCHEMA SECONDS STEP`. Its clock is
 * SECONDS ahead, past the previous worker's leases. When idle, it advances the clock by STEP seconds to skip retry
 * delays.
 */
const [connectionString = '', schema = '', seconds = '0', step = '0'] = process.argv.slice(2);
let aheadS = Number(seconds);
const jobs = { enqueue: async () => {}, enqueueMany: async () => {} };
const db = openDb(openPool({ connectionString, schema }));
const parts: Partial<Deps> = {
  config: readSettings(process.env),
  db,
  followEvent: createFollowEvent(db, undefined),
  clock: { now: () => Temporal.Now.instant().add({ seconds: aheadS }) },
  log: createLog('error'),
  metrics: createMetrics(),
  publicHttp: createPublicHttp({ allowPrivate: true }),
  printing: { printers: new Map([['escpos', createTcpPrinter()]]), glyphs: undefined },
  jobs,
  trackingSites: {
    siteOf: () => ({ siteUrl: 'https://track.example' }),
    ownHosts: () => new Map(),
    refresh: async () => {},
  },
};
const deps = parts as Deps;
const loop = noticeQueue(deps);
for (;;) {
  const dispatched = await dispatchEvents({ db: deps.db, eventHandlers: [queueStoreNotices] });
  const started = await loop.runOnce();
  if (dispatched + started > 0) continue;
  await new Promise((done) => setTimeout(done, 20));
  if (step === '0') continue;
  await loop.idle();
  aheadS += Number(step);
}
