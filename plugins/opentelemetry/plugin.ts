import { definePlugin, httpUrl, PLUGIN_API, VERSION } from 'doorstep/plugin';

/** The endpoint chooses the tracer; the SDK reads its other settings itself. */
export default definePlugin({
  version: VERSION,
  api: PLUGIN_API,
  name: 'opentelemetry',
  prefix: 'otel',
  settings: { exporterOtlpEndpoint: { expected: 'an http or https URL without a query', parse: httpUrl } },
  tracers: [
    {
      name: 'opentelemetry',
      packages:
        '@opentelemetry/core@2.12.1 @opentelemetry/exporter-trace-otlp-http@0.223.1 @opentelemetry/resources@2.12.1 @opentelemetry/sdk-trace-base@2.12.1',
      async open({ settings, clock, log, role }) {
        const { openOpenTelemetry } = await import('./tracer.ts');
        return openOpenTelemetry({ endpoint: settings.exporterOtlpEndpoint, role, clock, log });
      },
    },
  ],
});
