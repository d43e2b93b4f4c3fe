import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setChannels } from '../src/fulfillment/store-channels/set-channels.flow.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { importFiles } from '../src/supply/imports/import-files.flow.ts';
import { pizzeria } from '../test/feed-lines.ts';
import { createReport } from './report.ts';
import { givenBench, untilIdle } from './setup.ts';

/**
 * A thousand printers, each of which polls every five seconds: the share of a core that the service takes for them, and
 * what a poll costs alongside the shortest answer of the same server. `npm run bench -- printers [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const PRINTERS = 1000;
const POLL_SECONDS = 5;
const ROUNDS = values.quick ? 1 : 6;
const MAX_SHARE = 0.1;

const report = createReport('printers');
const secrets: string[] = [];
const service = await givenBench(async (db) => {
  const lines = Array.from({ length: PRINTERS }, (_, n) => `${JSON.stringify(pizzeria({ external_id: `p${n}` }))}\n`);
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: 'generated', stdin: Readable.from(lines) });
  for (const { storeId } of await db.selectFrom('stores').select('storeId').execute()) {
    const changes = { printer: 'cloudprnt', polls: true } as const;
    const set = await db.transaction().execute((tx) => setChannels(tx, storeId, changes, systemClock.now()));
    secrets.push(set?.printerSecret ?? assert.fail('the printer has no secret'));
  }
});
const STATE = JSON.stringify({ status: '23 6 0 0 0 0 0 0 0', statusCode: '200%20OK', printingInProgress: false });

const poll = (nth: number) =>
  fetch(`${service.url}/plugins/cloud-printers/cloudprnt/${secrets[nth]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: STATE,
  });
const live = () => fetch(`${service.url}/healthz`);

/** Milliseconds of processor for a second's requests, spread over all seconds of the rounds. */
async function cpuOf(request: (nth: number) => Promise<Response>): Promise<number> {
  const beforeMs = await service.cpuMs();
  const answers: Promise<void>[] = [];
  for (let nth = 0; nth < PRINTERS * ROUNDS; nth += 1) {
    answers.push(
      request(nth % PRINTERS).then(async (answer) => {
        assert.equal(answer.status, 200, await answer.text());
      }),
    );
    await delay((POLL_SECONDS * 1000) / PRINTERS);
  }
  await Promise.all(answers);
  return ((await service.cpuMs()) - beforeMs) / (ROUNDS * POLL_SECONDS);
}

await untilIdle(service);
await cpuOf(poll);
const polls = await cpuOf(poll);
const shortest = await cpuOf(live);
await service.close();
report.add({
  what: 'a thousand printers that poll every 5 seconds',
  value: polls / 1000,
  unit: 'of a core',
  peer: { name: 'as many of /healthz', value: shortest / 1000 },
  limit: { max: MAX_SHARE },
});
report.finish();
