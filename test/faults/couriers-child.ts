import { createUberDirect } from '../../plugins/uber-direct/gateway.ts';
import { callCouriers, courierEvents } from '../../src/fulfillment/deliveries/couriers/call-couriers.flow.ts';
import { dispatchEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { createFollowEvent } from '../../src/ordering/order/follow-event.flow.ts';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { createMetrics } from '../../src/platform/lib/metrics.ts';
import { createTokenSealer } from '../../src/platform/lib/tokens.ts';

/**
 * A worker that dispatches events and calls couriers until it is killed: `couriers-child.ts CONNECTION SCHEMA SECONDS
 * BASE_URL TOKEN_URL SECRET`. Its clock is SECONDS ahead, so that the leases of the worker killed before have run out.
 */
const [connectionString = '', schema = '', seconds = '0', baseUrl = '', tokenUrl = '', secret = ''] =
  process.argv.slice(2);
const clock = { now: () => Temporal.Now.instant().add({ seconds: Number(seconds) }) };
const account = { clientId: 'client', clientSecret: secret, webhookSecret: 'unused' };
const db = openDb(openPool({ connectionString, schema }));
const deps = {
  db,
  followEvent: createFollowEvent(db, undefined),
  clock,
  log: createLog('fatal'),
  metrics: createMetrics(),
  tokens: createTokenSealer({ current: 'any', previous: [] }),
  couriers: new Map([['uber_direct', createUberDirect({ ...account, clock, baseUrl, tokenUrl })]]),
};
const loop = callCouriers(deps);
const eventHandlers = [courierEvents(deps)];
for (;;) {
  const dispatched = await dispatchEvents({ db: deps.db, eventHandlers });
  const started = await loop.runOnce();
  if (dispatched + started === 0) await new Promise((done) => setTimeout(done, 20));
}
