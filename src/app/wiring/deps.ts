import type { Logger } from 'pino';
import type { Authenticate, ListsOrigin } from '../../access/accounts/authenticate.hook.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { AuthenticateAtSite } from '../../access/customers/authenticate-customer.hook.ts';
import type { AuthenticateConsole } from '../../access/sessions/authenticate-console.hook.ts';
import type { FollowEvent } from '../../ordering/order/follow-event.flow.ts';
import type { OrderStatements } from '../../ordering/order/order-statements.db.ts';
import type { CountUnavailable } from '../../platform/http/unavailable.ts';
import type { UndeclaredProxies } from '../../platform/http/undeclared-proxies.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import type { Tracer } from '../../platform/lib/tracing.ts';
import type { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import type { EventLoopScheduler } from '../../platform/load/event-loop-scheduler.ts';
import type { StreamSlots } from '../../platform/load/stream-slots.ts';
import type { Geocoding } from '../../supply/addresses/geocoding.cache.ts';
import type { CodeGuesses } from '../../supply/promotions/code-guesses.flow.ts';
import type { Street } from '../../surfaces/sandbox/street-route.ts';
import type { PluginRoute } from '../adapters/plugin.ts';
import type { Adapters } from './open-adapters.ts';
import type { Connections } from './open-connections.ts';
import type { StoresInMemory } from './open-stores.ts';
import type { Peers } from './peers.ts';
import type { ServiceConfig } from './read-settings.ts';

/** All dependencies that the composition opens. Routes, flows and jobs pick the parts they need. */
export type Deps = Connections &
  Adapters &
  StoresInMemory & {
    config: ServiceConfig;
    clock: Clock;
    log: Logger;
    metrics: Metrics;
    countUnavailable: CountUnavailable;
    reportLeftOut: ReportLeftOut;
    /** Undefined without a collector. */
    tracer: Tracer | undefined;
    peers: Peers;
    /** For the simulated drivers of the sandbox. */
    streets: readonly Street[];
    geocoding: Geocoding;
    scheduler: EventLoopScheduler;
    jobs: Jobs;
    authenticate: Authenticate;
    listsOrigin: ListsOrigin;
    authenticateAtSite: AuthenticateAtSite;
    authenticateConsole: AuthenticateConsole;
    followEvent: FollowEvent;
    orderStatements: OrderStatements;
    codeGuesses: CodeGuesses;
    streamSlots: StreamSlots;
    photoTurns: ConcurrencyLimiter;
    pluginRoutes: readonly PluginRoute[];
    undeclaredProxies: UndeclaredProxies;
    trackingSites: Pick<TrackingSites, 'siteOf' | 'ownHosts' | 'refresh'>;
  };
