import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT, textOf } from '../../test/source-files.ts';
import plugin from './plugin.ts';

const PACKAGES = plugin.tracers?.[0]?.packages ?? '';

/** Loads the whole service, opens tracing without a collector, without the plug-in and with both, and prints the loaded packages. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  let loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  await import('./src/app/wiring/service.ts');
  const { openTracer } = await import('./src/app/wiring/open-plugins.ts');
  const { loadSettings } = await import('./src/app/wiring/read-settings.ts');
  const { systemClock } = await import('./src/platform/lib/clock.ts');
  const open = async (env) => {
    const tracer = await openTracer({ config: await loadSettings(env), clock: systemClock, log: undefined, role: 'all' });
    const modules = loaded.filter((url) => /@opentelemetry|plugins.opentelemetry.tracer/.test(url));
    await tracer?.close();
    return { isOpen: tracer !== undefined, modules, all: loaded.length };
  };
  const off = await open({});
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';
  const without = await open({ OTEL_EXPORTER_OTLP_ENDPOINT, PLUGINS_OFF: 'opentelemetry' });
  loaded = [];
  console.log(JSON.stringify({ off, without, on: await open({ OTEL_EXPORTER_OTLP_ENDPOINT }) }));
`;

test('a service without a collector or without the plug-in has no tracer, and loads neither an exporter nor a package of OpenTelemetry', async () => {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 10_000_000 });
  const { off, without, on } = JSON.parse(stdout);
  assert.ok(off.all > 500, `${off.all} modules`);
  // The metrics library loads OpenTelemetry's API package, which contains no tracer.
  const others = without.modules.filter((url: string) => !/node_modules.@opentelemetry.api\//.test(url));
  assert.deepEqual([off.isOpen, without.isOpen, others], [false, false, []]);
  assert.equal(on.isOpen, true);
  assert.ok(on.modules.some((url: string) => url.endsWith('opentelemetry/tracer.ts')));
});

test('a collector without the OpenTelemetry packages stops the start with the install command', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (/^@opentelemetry.(sdk|exporter)/.test(name)) throw Object.assign(new Error(), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      },
    });
    const { openTracer } = await import('./src/app/wiring/open-plugins.ts');
    const { readSettings } = await import('./src/app/wiring/read-settings.ts');
    for (const DATABASE_URL of ['', 'postgres://127.0.0.1/doorstep']) {
      const config = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', DATABASE_URL });
      await openTracer({ config }).catch(({ message }) => console.log(message));
    }
  `;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  assert.equal(
    stdout,
    ['--omit=dev', '--omit=dev --omit=peer']
      .map(
        (omitted) =>
          `Plug-in opentelemetry lacks packages: run \`npm install --prefix ${ROOT} --no-save ${omitted} ${PACKAGES}\`, or remove OTEL_EXPORTER_OTLP_ENDPOINT.\n`,
      )
      .join(''),
  );
  const { devDependencies } = JSON.parse(textOf('package.json'));
  for (const named of PACKAGES.split(' ')) {
    const at = named.lastIndexOf('@');
    assert.equal(named.slice(at + 1), devDependencies[named.slice(0, at)], named);
  }
  assert.ok(textOf('docs/monitoring.md').includes(PACKAGES));
});
