import manifest from '../../package.json' with { type: 'json' };
import { randomId } from '../lib/random-id.ts';
import { createSampler } from '../lib/tracing/sampler.ts';
import { createTracer, type Tracer } from '../lib/tracing/tracer.ts';
import type { ServiceOptions } from './service-options.ts';

/** The traces of this process; undefined without a collector. The exporter is loaded where there is a collector alone. */
export async function openTracing(
  { config, clock, log, role }: Pick<ServiceOptions, 'config' | 'clock' | 'log' | 'role'>,
  opened: AsyncDisposableStack,
): Promise<Tracer | undefined> {
  if (!config.tracing) return undefined;
  const { tracesUrl: url, headers, resource, sampler } = config.tracing;
  const { createOtlpExporter } = await import('../adapters/tracing/otlp-exporter.ts');
  const { version } = manifest;
  const identity = { 'service.version': version, 'service.instance.id': randomId('', 9), 'doorstep.role': role };
  const sink = createOtlpExporter({ url, headers, version, clock, log, resource: { ...identity, ...resource } });
  opened.defer(() => sink.close());
  return createTracer({ clock, sampler: createSampler(sampler), sink });
}
