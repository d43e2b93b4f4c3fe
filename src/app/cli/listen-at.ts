import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '../../platform/config/config.ts';
import { loadSettings, type ServiceConfig } from '../wiring/read-settings.ts';
import type { Service } from '../wiring/service.ts';
import type { Role } from '../wiring/service-options.ts';
import { CommandFailure } from './failure.ts';

/** Makes a service listen. A worker node listens only for probes, if PORT is set; a busy port does not stop it. */
export async function listen(service: Service, config: Config, role: Role): Promise<string | undefined> {
  if (role === 'worker' && !process.env.PORT?.trim()) return undefined;
  try {
    return await service.listen();
  } catch (error) {
    if (role !== 'worker') throw explainListenError(error, config);
    service.deps.log.warn({ err: error }, 'the port cannot be used: working without it');
    return undefined;
  }
}

/**
 * Reads the settings of a listening service. Refuses a busy port before the database is opened and the demo loaded.
 * Replaces PORT 0 in `env` by a free port, which links contain and workers share.
 */
export async function readConfigToListen(env: Record<string, string | undefined>): Promise<ServiceConfig> {
  const config = await loadSettings(env);
  const port = await refuseBusyPort(config);
  if (config.port === port) return config;
  env.PORT = String(port);
  return loadSettings(env);
}

/** The port, or a free one for 0. */
async function refuseBusyPort(config: Config): Promise<number> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  probe.once('error', (error) => reject(explainListenError(error, config)));
  probe.listen({ host: config.host, port: config.port }, () => {
    const { port } = probe.address() as AddressInfo;
    probe.close(() => resolve(port));
  });
  return await promise;
}

export async function listenPrivately(service: Service, config: Config): Promise<string | undefined> {
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
    EADDRINUSE: `Port ${port} on ${host} is already in use. Stop the other program, or choose another port, such as ${names.port}=${port === 65_535 ? 8080 : port + 1}.`,
    EACCES: `This user isn't allowed to listen on port ${port} of ${host}. Choose a ${names.port} of 1024 or higher.`,
    EADDRNOTAVAIL: `${names.host} ${host} isn't an address of this machine.`,
    ENOTFOUND: `${names.host} ${host} isn't an address of this machine.`,
    EAI_AGAIN: `${names.host} ${host} isn't an address of this machine.`,
    ENOTSUP: 'Workers can share a port only on Linux and FreeBSD. Start with WORKERS=1 here.',
    EINVAL: `${names.host} ${host} isn't an address to listen on.`,
  };
  const sentence = sentences[String((error as { code?: unknown } | null)?.code)];
  return sentence ? new CommandFailure(sentence, { cause: error }) : error;
}
