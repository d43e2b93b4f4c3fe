import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readSettings } from '../src/app/wiring/read-settings.ts';
import { type Clock, systemClock } from '../src/platform/lib/clock.ts';
import { createLog } from '../src/platform/lib/log.ts';

/**
 * Runs the service in its own process on a bench's schema and sends its address once search is loaded. An optional
 * moment sets the clock.
 */
const [connectionString = '', schema = '', moment] = process.argv.slice(2);
const config = readSettings({ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...process.env });
const clock = moment === undefined ? systemClock : clockFrom(Temporal.Instant.from(moment));
const log = createLog(config.logLevel);
const { startService } = await import('../src/app/wiring/service.ts');
const service = await startService({ config, connectionString, schema, clock, log });
await service.deps.storeFeed.catchUp();
process.send?.({ url: await service.listen(), rssBytes: process.memoryUsage.rss() });
const held = monitorEventLoopDelay({ resolution: 1 });
held.enable();
process.on('message', () => {
  process.send?.({ ...process.cpuUsage(), rss: process.memoryUsage.rss(), heldMs: held.max / 1e6 });
  held.reset();
});
process.once('disconnect', () => service.close().then(() => process.exit(0)));

function clockFrom(begin: Temporal.Instant): Clock {
  const ahead = systemClock.now().until(begin);
  return { now: () => systemClock.now().add(ahead) };
}
