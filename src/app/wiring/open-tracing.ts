import { dirname } from 'node:path';
import { errorCode } from 'doorstep/files';
import manifest from '../../../package.json' with { type: 'json' };
import { ConfigError } from '../../platform/config/config.ts';
import { PACKAGES } from '../../platform/lib/compile-cache.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { Tracer } from '../../platform/lib/tracing.ts';
import type { ServiceOptions } from './service-options.ts';

/** The packages, in the versions that the tests use, which an operator installs. */
export const TRACING_PACKAGES =
  '@opentelemetry/core@2.12.1 @opentelemetry/exporter-trace-otlp-http@0.223.1 @opentelemetry/resources@2.12.1 @opentelemetry/sdk-trace-base@2.12.1';

/** Opens this process's traces; undefined without a collector, and then OpenTelemetry is not loaded. */
export async function openTracing(
  { config, clock, log, role }: Pick<ServiceOptions, 'config' | 'clock' | 'log' | 'role'>,
  opened: AsyncDisposableStack,
): Promise<Tracer | undefined> {
  if (!config.otlpEndpoint) return undefined;
  const { openOpenTelemetry } = await import('../adapters/opentelemetry.ts').catch((error) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    // npm would otherwise add what the installation left out; the embedded database serves nodes without DATABASE_URL.
    const omitted = config.databaseUrl ? '--omit=dev --omit=peer' : '--omit=dev';
    throw new ConfigError([
      `OTEL_EXPORTER_OTLP_ENDPOINT needs the packages of OpenTelemetry: run \`npm install --prefix ${dirname(PACKAGES)} --no-save ${omitted} ${TRACING_PACKAGES}\`, or remove the setting.`,
    ]);
  });
  const identity = { 'service.instance.id': randomId('', 9), 'doorstep.role': role };
  const attributes = { 'service.version': manifest.version, ...identity };
  const tracer = openOpenTelemetry({ endpoint: config.otlpEndpoint, attributes, clock, log });
  opened.defer(() => tracer.close());
  return tracer;
}
