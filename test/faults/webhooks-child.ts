import { createPublicHttp } from 'doorstep/public-http';
import type { Deps } from '../../src/app/wiring/deps.ts';
import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { callEndpoints, webhookEvents } from '../../src/notify/webhooks/call-endpoints.flow.ts';
import { dispatchEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { createFollowEvent } from '../../src/ordering/order/follow-event.flow.ts';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { createMetrics } from '../../src/platform/lib/metrics.ts';

/**
 * A worker that dispatches events and makes webhook calls until killed: `webhooks-child.ts CONNECTION SCHEMA SECONDS`.
 * Its clock is SECONDS ahead, past the previous worker's leases.
 */
const [connectionString = '', schema = '', seconds = '0'] = process.argv.slice(2);
const jobs = { enqueue: async () => {}, enqueueMany: async () => {} };
const db = openDb(openPool({ connectionString, schema }));
const parts: Partial<Deps> = {
  config: readSettings(process.env),
  db,
  followEvent: createFollowEvent(db, undefined),
  clock: { now: () => Temporal.Now.instant().add({ seconds: Number(seconds) }) },
  log: createLog('warn'),
  metrics: createMetrics(),
  publicHttp: createPublicHttp({ allowPrivate: true }),
  jobs,
  trackingSites: {
    siteOf: () => ({ siteUrl: 'https://track.example' }),
    ownHosts: () => new Map(),
    refresh: async () => {},
  },
};
const deps = parts as Deps;
const loop = callEndpoints(deps);
const eventHandlers = [webhookEvents(deps)];
for (;;) {
  const dispatched = await dispatchEvents({ db: deps.db, eventHandlers });
  const started = await loop.runOnce();
  if (dispatched + started === 0) await new Promise((done) => setTimeout(done, 20));
}
