import { createServer } from 'node:net';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../db/open-database.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { type Service, startService } from '../service.ts';
import type { Role } from '../wiring/service-options.ts';
import { CommandFailure, Interrupted } from './failure.ts';
import { type Interruption, interrupted, listenForInterruption } from './interruption.ts';

export type ServiceRun<T> = {
  role: Role;
  /** Adds settings that the environment leaves out. */
  complete?(config: Config): Promise<Config>;
  /** Runs before the service listens. */
  prepare(service: Service, config: Config): Promise<T>;
  /** Runs when the service answers; `url` is undefined for a service that does not listen. */
  announce(url: string | undefined, prepared: T): void;
};

/**
 * Runs the service of the settings until a signal. Then the service refuses new requests, answers the requests under
 * way, and closes jobs, pool and database, in this order. Rejects with a sentence where the service cannot start or
 * listen, and with an error that nothing caught.
 */
export async function runService<T>({ role, complete, prepare, announce }: ServiceRun<T>): Promise<void> {
  const settings = readConfig(process.env);
  const config = (await complete?.(settings)) ?? settings;
  const log = createLog(config.logLevel);
  const interruption = listenForInterruption();
  failOnStrayErrors(interruption, (error) => log.fatal({ err: error }, 'uncaught error: stopping'));
  const listens = role !== 'worker' || Boolean(process.env.PORT?.trim());
  if (listens && role !== 'worker') await refuseBusyPort(config);
  {
    await using resources = new AsyncDisposableStack();
    const database = await openDatabase(config, log).catch((error: unknown) => {
      // Ctrl-C in a terminal also ends the programs that create a database; that failure has the signal as its reason.
      if (!interruption.signal.aborted) throw error;
    });
    if (!database) return endAs(interruption);
    resources.defer(() => database.close());
    if (interruption.signal.aborted) return endAs(interruption);
    const { connectionString } = database;
    const onNewerSchema = (error: Error) => interruption.stop(error);
    const service = await startService({ config, connectionString, log, clock: systemClock, role, onNewerSchema });
    resources.defer(() => service.close());
    if (interruption.signal.aborted) return endAs(interruption);
    const prepared = await prepare(service, config);
    if (interruption.signal.aborted) return endAs(interruption);
    const url = listens ? await listen(service, config, role) : undefined;
    const metricsUrl = await listenPrivately(service, config);
    log.info({ url, metricsUrl, role }, 'ready');
    announce(url, prepared);
    await interrupted(interruption);
    log.info('stopping');
  }
  endAs(interruption);
}

/** A signal is the regular end of a service; any other reason is a failure. */
function endAs({ signal }: Interruption): void {
  if (!(signal.reason instanceof Interrupted)) throw signal.reason;
}

function failOnStrayErrors(interruption: Interruption, tell: (error: unknown) => void): void {
  const fail = (error: unknown) => {
    tell(error);
    interruption.stop(error);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}

/** A worker listens only for probes, and only where PORT is set: a port in use does not stop a worker. */
async function listen(service: Service, config: Config, role: Role): Promise<string | undefined> {
  try {
    return await service.listen();
  } catch (error) {
    if (role !== 'worker') throw explainListenError(error, config);
    service.deps.log.warn({ err: error }, 'the port cannot be used: working without it');
    return undefined;
  }
}

/** Refuses a port in use before the service opens the database and loads the demo catalogue. */
async function refuseBusyPort(config: Config): Promise<void> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once('error', (error) => reject(explainListenError(error, config)));
  probe.listen({ host: config.host, port: config.port }, () => probe.close(() => resolve()));
  await promise;
}

async function listenPrivately(service: Service, config: Config): Promise<string | undefined> {
  try {
    return await service.listenPrivately();
  } catch (error) {
    const at = { ...config, ...config.metrics };
    throw explainListenError(error, at, { host: 'METRICS_PORT', port: 'METRICS_PORT' });
  }
}

function explainListenError(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
  names = { host: 'HOST', port: 'PORT' },
): unknown {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use by another program: stop it, or choose another port, for example ${names.port}=${port === 65_535 ? 8080 : port + 1}.`,
    EACCES: `This user may not listen on port ${port} of ${host}: choose a ${names.port} from 1024 up.`,
    EADDRNOTAVAIL: `${names.host} ${host} is not an address of this machine.`,
    ENOTFOUND: `${names.host} ${host} is not an address of this machine.`,
    EAI_AGAIN: `${names.host} ${host} is not an address of this machine.`,
    EINVAL: `${names.host} ${host} is not an address to listen on.`,
  };
  const sentence = sentences[String((error as { code?: unknown } | null)?.code)];
  return sentence ? new CommandFailure(sentence, { cause: error }) : error;
}
