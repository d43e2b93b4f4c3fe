import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT, textOf } from '../../../test/source-files.ts';
import { TRACING_PACKAGES } from './open-tracing.ts';

/** Loads the whole service, opens tracing with and without a collector, and prints the loaded packages. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  let loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  await import('./src/app/wiring/service.ts');
  const { openTracing } = await import('./src/app/wiring/open-tracing.ts');
  const { readSettings } = await import('./src/app/wiring/read-settings.ts');
  const { systemClock } = await import('./src/platform/lib/clock.ts');
  const opened = new AsyncDisposableStack();
  const open = (env) => openTracing({ config: readSettings(env), clock: systemClock, log: undefined, role: 'all' }, opened);
  const ofTraces = () => loaded.filter((url) => /@opentelemetry|src.app.adapters.opentelemetry/.test(url));
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
  // The metrics library loads OpenTelemetry's API package, which contains no tracer.
  const others = off.modules.filter((url: string) => !/node_modules.@opentelemetry.api\//.test(url));
  assert.deepEqual([off.isOpen, others], [false, []]);
  assert.equal(on.isOpen, true);
  assert.ok(on.modules.some((url: string) => url.endsWith('adapters/opentelemetry.ts')));
});

test('a collector without the OpenTelemetry packages stops the start with the command, which brings no database beside DATABASE_URL', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (/^@opentelemetry.(sdk|exporter)/.test(name)) throw Object.assign(new Error(), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      },
    });
    const { openTracing } = await import('./src/app/wiring/open-tracing.ts');
    for (const databaseUrl of [undefined, 'postgres://127.0.0.1/doorstep']) {
      const config = { otlpEndpoint: 'http://127.0.0.1:9', databaseUrl };
      await openTracing({ config, role: 'all' }, new AsyncDisposableStack()).catch(({ message }) => console.log(message));
    }
  `;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  assert.equal(
    stdout,
    ['--omit=dev', '--omit=dev --omit=peer']
      .map(
        (omitted) =>
          `OTEL_EXPORTER_OTLP_ENDPOINT needs the packages of OpenTelemetry: run \`npm install --prefix ${ROOT} --no-save ${omitted} ${TRACING_PACKAGES}\`, or remove the setting.\n`,
      )
      .join(''),
  );
  const { devDependencies } = JSON.parse(textOf('package.json'));
  for (const named of TRACING_PACKAGES.split(' ')) {
    const at = named.lastIndexOf('@');
    assert.equal(named.slice(at + 1), devDependencies[named.slice(0, at)], named);
  }
  assert.ok(textOf('docs/operating.md').includes(TRACING_PACKAGES));
});
