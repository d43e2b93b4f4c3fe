import { pino } from 'pino';
import { createAuthenticate } from '../../src/access/accounts/authenticate.hook.ts';
import { createTrackingKeys } from '../../src/access/accounts/tracking-site.ts';
import { operationRoutes } from '../../src/access/operations/operation-routes.route.ts';
import { createAuthenticateConsole } from '../../src/access/sessions/authenticate-console.hook.ts';
import { createSandboxGateway } from '../../src/app/adapters/payments/sandbox.ts';
import { createApp } from '../../src/app/wiring/app.ts';
import { ClockWatch } from '../../src/app/wiring/clock-watch.ts';
import type { Deps } from '../../src/app/wiring/deps.ts';
import { SINGLE_PROCESS } from '../../src/app/wiring/peers.ts';
import type { ServiceConfig } from '../../src/app/wiring/read-settings.ts';
import { simulationOf, workersOf } from '../../src/app/wiring/workers.ts';
import { callCouriers, courierEvents } from '../../src/fulfillment/deliveries/couriers/call-couriers.flow.ts';
import { findCourierStores } from '../../src/fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { queueStoreNotices } from '../../src/fulfillment/store-channels/queue-notices.flow.ts';
import { noticeQueue } from '../../src/fulfillment/store-channels/send-notices.flow.ts';
import { findLinkedOrder } from '../../src/fulfillment/store-channels/store-notices.db.ts';
import { messageEvents } from '../../src/notify/messages/message-events.flow.ts';
import { messageQueues } from '../../src/notify/messages/send-messages.flow.ts';
import { callEndpoints, webhookEvents } from '../../src/notify/webhooks/call-endpoints.flow.ts';
import { timerEvents } from '../../src/ordering/money/order-timer.job.ts';
import { MONEY_OPERATIONS } from '../../src/ordering/money/routes.ts';
import { type EventHandler, moneyEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { createFollowEvent } from '../../src/ordering/order/follow-event.flow.ts';
import { createOrderStatements } from '../../src/ordering/order/order-statements.db.ts';
import { createPaymentMethodRoute } from '../../src/ordering/payments/create-payment-method.route.ts';
import { createOrderRoute } from '../../src/ordering/place/create-order.route.ts';
import { finalizeOrderOperation } from '../../src/ordering/place/finalize-order.route.ts';
import { ledgerEvents } from '../../src/ordering/statements/write-ledger.flow.ts';
import type { Http } from '../../src/platform/http/http.ts';
import { JobQueue } from '../../src/platform/jobs/job-queue.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import type { LeasedQueue } from '../../src/platform/jobs/leased-queue.ts';
import { type Clock, DatabaseClock } from '../../src/platform/lib/clock.ts';
import { createTokenSealer } from '../../src/platform/lib/tokens.ts';
import { EventLoopScheduler } from '../../src/platform/load/event-loop-scheduler.ts';
import { StreamSlots } from '../../src/platform/load/stream-slots.ts';
import { StoreSearch } from '../../src/search/stores/store-search.index.ts';
import { InventoryCache } from '../../src/supply/catalog/inventory.cache.ts';
import { CodeGuesses } from '../../src/supply/promotions/code-guesses.flow.ts';
import { advanceOrderOperation } from '../../src/surfaces/sandbox/advance-order.route.ts';
import { ORDER_STEP_OPERATIONS } from '../../src/surfaces/store-console/order-steps.route.ts';
import type { World } from './base-world.ts';
import type { Calls } from './outside-party.ts';
import type { Sabotage } from './sabotages.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import { type ChannelBooks, createSimulatedChannels } from './simulated-channels.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { createSimulatedGateway, type GatewayBooks } from './simulated-gateway.ts';
import type { Machine } from './simulated-machine.ts';
import type { SimulatedPool } from './simulated-pool.ts';
import { createSimulatedTaxes, type TaxBooks } from './simulated-taxes.ts';

/** Shared by every node of a run: the machine, the server and the outside parties. */
export type Surroundings = {
  world: World;
  machine: Machine;
  scheduler: Scheduler;
  database: SimulatedDatabase;
  calls: Calls;
  gateway: GatewayBooks;
  taxes: TaxBooks;
  channels: ChannelBooks;
  config: ServiceConfig;
  /** The mail frame, a constant that takes a third of a second to compile. */
  frame: string;
  sabotage: Sabotage;
  databaseClock: SimulatedDatabaseClock;
};

/** The database's clock, which a run may set. */
export type SimulatedDatabaseClock = {
  /** By how much it's ahead of the machines' time, since its one step. */
  aheadMs: number;
  /** The step, in the machines' time, and the orders that were canceled before. */
  step: { atMs: number; canceledBefore: ReadonlySet<string> } | undefined;
};

/** One run of a node, from its start with empty memory to its death. */
export type SimulatedNode = {
  owner: Owner;
  http: Http;
  deps: Deps;
  clockWatch: ClockWatch;
  eventHandlers: readonly EventHandler[];
  queues: readonly Pick<LeasedQueue, 'name' | 'runOnce'>[];
  crash(): Promise<void>;
};

const POOL = 5;
const GATEWAY_POOL = 2;

/**
 * Starts a node: the service's composition with simulated ports and pools, on a machine whose clock is `aheadMs` ahead
 * of the database's.
 */
export async function startNode(name: string, aheadMs: number, around: Surroundings): Promise<SimulatedNode> {
  const { machine, scheduler, database } = around;
  const owner: Owner = { name, isAlive: true, troubles: 0 };
  return machine.runAs(owner, async () => {
    const { sabotage } = around;
    const pool = database.openPool({ owner, scheduler, max: POOL, sabotage });
    const gatewayPool = database.openPool({ owner, scheduler, max: GATEWAY_POOL, sabotage: {} });
    const clock = new DatabaseClock({
      now: () => Temporal.Instant.fromEpochMilliseconds(machine.nowMs() + aheadMs),
      epochMs: () => machine.nowMs() + aheadMs,
      elapsedMs: machine.nowMs,
    });
    const { databaseClock } = around;
    const read = async () => machine.nowMs() + databaseClock.aheadMs;
    if (!sabotage.trustsOwnClock) await clock.measure(read);
    // A node reads the last step from the database at its start.
    if (databaseClock.step) clock.settle((machine.nowMs() - databaseClock.step.atMs) / 1000);
    const deps = composed(around, owner, clock, pool, gatewayPool);
    const peers = { ...SINGLE_PROCESS, number: 2 };
    const clockWatch = new ClockWatch({ db: deps.db, clock, log: deps.log, peers, read });
    const http = await createApp(deps, registerFlows);
    await http.ready();
    const { jobs } = deps;
    const eventHandlers = [
      timerEvents({ jobs, simulation: simulationOf(deps) }),
      moneyEvents(deps),
      courierEvents(deps),
      messageEvents(deps),
      webhookEvents(deps),
      queueStoreNotices,
      ledgerEvents({ findCourierStores }),
    ];
    return {
      owner,
      http,
      deps,
      clockWatch,
      eventHandlers: sabotage.eventHandlers?.(eventHandlers) ?? eventHandlers,
      queues: [
        new JobQueue({ ...deps, workers: workersOf(deps) }).queue,
        ...[callEndpoints(deps), callCouriers(deps), ...messageQueues(deps), noticeQueue(deps)],
      ],
      async crash() {
        owner.isAlive = false;
        owner.troubles += 1;
        scheduler.drop(owner);
        await pool.crash();
        await gatewayPool.crash();
      },
    };
  });
}

/** Endpoints that change orders, with all of the service's own hooks. */
function registerFlows(http: Http, deps: Deps): void {
  createPaymentMethodRoute(http, deps);
  createOrderRoute(http, deps);
  const ofAccounts = [finalizeOrderOperation, ...MONEY_OPERATIONS, advanceOrderOperation];
  operationRoutes(http, deps, ['account'], ofAccounts);
  operationRoutes(http, deps, ['store'], ORDER_STEP_OPERATIONS);
}

function composed(
  around: Surroundings,
  owner: Owner,
  clock: Clock,
  pool: SimulatedPool,
  gatewayPool: SimulatedPool,
): Deps {
  const { world, calls, config, frame, sabotage } = around;
  const { db } = pool;
  const tokens = createTokenSealer(world.secrets);
  const scheduler = new EventLoopScheduler();
  const { mailer, smsSender, publicHttp, printer } = createSimulatedChannels(around.channels, calls, owner);
  const live = createSimulatedGateway(around.gateway, calls, owner);
  const taxes = createSimulatedTaxes(around.taxes, calls, owner);
  const parts = {
    ...{
      db,
      clock,
      tokens,
      config,
      log: pino({ level: 'silent' }),
      metrics: NO_METRICS,
      jobs: createJobs(clock),
      scheduler,
    },
    gatewayDb: gatewayPool.db,
    tokenSecrets: world.secrets,
    publicHttp,
    couriers: new Map(),
    gateways: {
      sandbox: createSandboxGateway({ db: gatewayPool.db, clock, pagesUrl: config.baseUrl }),
      live: sabotage.gateway?.(live) ?? live,
      notices: undefined,
    },
    taxes: sabotage.taxes?.(taxes) ?? taxes,
    messaging: {
      mailer: sabotage.mailer?.(mailer) ?? mailer,
      smsSender,
      textFrom: undefined,
      frame: async () => frame,
    },
    printing: { printers: new Map([['escpos', printer]]), glyphs: undefined },
    search: NO_OTHER_STORES,
    streets: [],
    streamSlots: new StreamSlots(),
    peers: SINGLE_PROCESS,
    inventory: new InventoryCache({ db, tokens, clock, pollIntervalMs: 0 }),
    authenticate: createAuthenticate({ db, clock }),
    authenticateConsole: createAuthenticateConsole({ db, clock, config, findLinkedOrder }),
    followEvent: createFollowEvent(db, undefined),
    orderStatements: createOrderStatements(db),
    codeGuesses: new CodeGuesses({ db, clock }),
    trackingSites: {
      siteOf: () => ({ siteUrl: config.trackingUrl, keyOf: createTrackingKeys(tokens) }),
      ownHosts: () => new Map(),
      refresh: async () => {},
    },
  };
  return parts as typeof parts & Omit<Deps, keyof typeof parts>;
}

/** Search finds each store only by its own name, so that no order moves to another store. */
const NO_OTHER_STORES = new StoreSearch();

const NO_METRICS: Deps['metrics'] = {
  contentType: '',
  text: async () => '',
  observeRequest: () => {},
  countProblem: () => {},
  count: () => ({ inc: () => {} }),
  countBy: () => () => {},
  histogram: () => () => {},
  gauge: () => {},
  gauges: () => {},
};
