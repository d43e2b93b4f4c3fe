import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../test/source-files.ts';

/** Loads the whole service, opens its tracing with and without a collector, and prints what was loaded for traces. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  let loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  await import('./src/service.ts');
  const { openTracing } = await import('./src/wiring/open-tracing.ts');
  const { readConfig } = await import('./src/config.ts');
  const { systemClock } = await import('./src/lib/clock.ts');
  const opened = new AsyncDisposableStack();
  const open = (env) => openTracing({ config: readConfig(env), clock: systemClock, log: undefined, role: 'all' }, opened);
  const ofTraces = () => loaded.filter((url) => /@opentelemetry|src.adapters.tracing/.test(url));
  const off = { isOpen: (await open({})) !== undefined, modules: ofTraces(), all: loaded.length };
  loaded = [];
  const on = { isOpen: (await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })) !== undefined, modules: ofTraces() };
  await opened.disposeAsync();
  console.log(JSON.stringify({ off, on }));
`;

test('a service without a collector has no tracer, and loads neither an exporter nor a package of OpenTelemetry', async () => {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 10_000_000 });
  const { off, on } = JSON.parse(stdout);
  assert.ok(off.all > 500, `${off.all} modules`);
  // The library of metrics loads the API package, which holds no tracer.
  const others = off.modules.filter((url: string) => !/node_modules.@opentelemetry.api\//.test(url));
  assert.deepEqual([off.isOpen, others], [false, []]);
  assert.deepEqual(
    [on.isOpen, on.modules.map((url: string) => url.split('/').at(-1))],
    [true, ['otlp-exporter.ts', 'otlp-json.ts']],
  );
});
