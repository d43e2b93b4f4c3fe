import { type CourierGateway, type CourierReport, definePlugin } from 'doorstep/plugin';

/** A courier plug-in for tests: deliveries in memory, reported by calls with the secret as their authorization. */
function createBikes({ secret, clock }: { secret: string; clock: { now(): Temporal.Instant } }): CourierGateway {
  const deliveries = new Map<string, CourierReport>();
  const reportOf = (key: string, state: CourierReport['state']): CourierReport => ({
    deliveryId: `bike-${key}`,
    key,
    state,
    driver: { name: 'Bo' },
    eta: null,
    feeCents: 500,
    currency: 'usd',
    trackingUrl: null,
    proofUrl: null,
    at: clock.now(),
    eventId: null,
  });
  return {
    quote: async () => ({ kind: 'quoted', quote: { quoteId: 'q', feeCents: 500, currency: 'usd' } }),
    async create({ key }) {
      const report = deliveries.get(key) ?? reportOf(key, 'pending');
      deliveries.set(key, report);
      return { kind: 'created', report };
    },
    async find({ key }) {
      const report = deliveries.get(key);
      return report ? { kind: 'found', report } : { kind: 'none' };
    },
    cancel: async () => 'canceled',
    update: async () => 'not_updated',
    raiseTip: async () => 'not_updated',
    readReport({ authorization }, body) {
      if (authorization !== secret) return { kind: 'forged' };
      const { key, state } = JSON.parse(body.toString('utf8'));
      return { kind: 'report', report: reportOf(key, state) };
    },
  };
}

export default definePlugin({
  name: 'bike',
  version: '1.0.0',
  api: 1,
  settings: { secret: { expected: 'at least 8 characters', parse: (text) => (text.length < 8 ? undefined : text) } },
  couriers: [{ name: 'bike', open: async ({ settings, clock }) => createBikes({ secret: settings.secret, clock }) }],
});
