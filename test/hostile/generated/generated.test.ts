import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Http } from '../../../src/platform/http/http.ts';
import type { ApiDocument } from '../../api-document.ts';
import { checkAnswers } from '../../check-answers.ts';
import type { Reply } from '../../harness.ts';
import { runs } from '../../runs.ts';
import { assertMoneyReconciles, rowsOfAccount } from './check-books.ts';
import { type Attack, givenAttack } from './given-attack.ts';
import type { Send } from './judge-answer.ts';
import { faultsOfFraming } from './raw-framing.ts';
import { arbitraryRequests, describeFaults, emptyTally, samplePlans, sendPlans, type Tally } from './run-attack.ts';
import { sendOverHttp } from './send-over-http.ts';

/** A fixed seed makes every run the same; `npm run soak -- hostile` uses a new seed each time. */
const SEED = Number(process.env.HOSTILE_SEED ?? process.env.PROPERTY_SEED ?? 20_260_610);
const REPEAT = `HOSTILE_SEED=${SEED} npm test -- test/hostile/generated/generated.test.ts`;
const REQUESTS = runs(20_000, 2000);
const ROUND = 1000;
const AT_ONCE = 8;
const STREAMS = 150;
const FRAMINGS = 300;
const PLANTED = 800;

let attack: Attack;
let document: ApiDocument;
let port: number;
let earlier: Record<string, string[]>;
const lines: string[] = [];
before(async () => {
  attack = await givenAttack((line) => lines.push(line));
  document = attack.shop.service.http.swagger() as unknown as ApiDocument;
  earlier = await rowsOfAccount(attack.shop.service.deps.db, attack.bystander.accountId);
  port = await attack.shop.listen();
});
after(() => attack.close());

test('any request that the description can make is answered as described, and never with a fault of the service', async (t) => {
  const { shop, arms } = attack;
  const send = sendInProcess(shop.service.http);
  const tally = emptyTally();
  const requests = arbitraryRequests(document, ({ isStream }) => !isStream);
  for (let round = 0; round * ROUND < REQUESTS; round += 1) {
    await sendPlans(samplePlans(requests, SEED + round, ROUND), { arms, send, atOnce: AT_ONCE, tally });
    assert.deepEqual(await describeFaults(tally, send), [], REPEAT);
    await attack.reopen();
    await shop.advance({ seconds: 1 });
  }
  t.diagnostic(`answers by status: ${JSON.stringify(Object.fromEntries([...tally.statuses].sort()))}`);
  assert.ok(tally.sent >= REQUESTS);
  assertWentDeep(tally);
});

/** Guards against a vacuous seed whose requests are all refused early: each of these must succeed repeatedly. */
function assertWentDeep({ done }: Tally): void {
  const money = ['/order/order/v2', '/order/refund', '/order/tip', '/order/cancel', '/order/finalize'];
  const steps = ['/sandbox/orders/{order_id}/advance', '/store/orders/{order_id}/confirm', '/payment/create'];
  const counts = [...money, ...steps].map((path) => [path, done.get(`POST ${path}`) ?? 0] as const);
  assert.deepEqual(
    counts.filter(([, count]) => count < REQUESTS / 1000),
    [],
    REPEAT,
  );
  assert.ok(done.size > runs(80, 50), `${done.size} operations were done: ${REPEAT}`);
}

test('a stream is opened or refused as described', async () => {
  const { arms } = attack;
  const send = sendOverHttp(`http://127.0.0.1:${port}`, document);
  const tally = emptyTally();
  const requests = arbitraryRequests(document, ({ isStream }) => isStream);
  await sendPlans(samplePlans(requests, SEED, STREAMS), { arms, send, atOnce: AT_ONCE, tally });
  assert.deepEqual(await describeFaults(tally, send), [], REPEAT);
  assert.equal(tally.sent, STREAMS);
  assert.ok((tally.statuses.get(200) ?? 0) > 20, JSON.stringify([...tally.statuses]));
});

test('bytes that are nearly a request are refused or dropped, and never a fault of the service', async () => {
  const { arms } = attack;
  const plans = samplePlans(
    arbitraryRequests(document, ({ isStream }) => !isStream),
    -SEED,
    FRAMINGS,
  );
  const { faults, answered } = await faultsOfFraming(port, plans, arms, AT_ONCE);
  assert.deepEqual(faults, [], REPEAT);
  assert.ok(answered > FRAMINGS / 3, `${answered} answers`);
});

test('after all that nothing of another account has changed', async () => {
  const { db } = attack.shop.service.deps;
  assert.ok((earlier.orders?.length ?? 0) > 0 && (earlier.payment_methods?.length ?? 0) > 0);
  assert.deepEqual(await rowsOfAccount(db, attack.bystander.accountId), earlier);
});

test('after all that each order’s money equals its gateway’s records', async (t) => {
  await attack.shop.advance({ minutes: 10 });
  const counted = await assertMoneyReconciles(attack.shop.service.deps.db, attack.stripe);
  t.diagnostic(`${counted} orders with money`);
  assert.ok(counted > runs(50, 5), `${counted} orders`);
});

test('no log line contains a card number, a key, a session or a secret', () => {
  assert.ok(lines.length > REQUESTS / 20, `${lines.length} lines`);
  const shown = lines.filter((line) => attack.secrets.some((secret) => line.includes(secret)));
  assert.deepEqual(shown, []);
});

test('a planted service error and a planted undescribed field are found with their smallest requests', async () => {
  const { shop, arms } = attack;
  const planted = withPlantedFaults(shop.service.http);
  checkAnswers(planted);
  const send = sendInProcess(planted);
  const tally = emptyTally();
  const wanted = ['GET /payment/list', 'POST /order/tip'];
  const requests = arbitraryRequests(document, ({ name }) => wanted.includes(name));
  await sendPlans(samplePlans(requests, SEED, PLANTED), { arms, send, atOnce: AT_ONCE, tally });
  const found = await describeFaults(tally, send);
  assert.ok(
    found.some((fault) => /answered with 500.*\nPOST \/order\/tip/s.test(fault)),
    found.join('\n'),
  );
  assert.ok(
    found.some((fault) => /planted.*\nGET \/payment\/list\?user_id=[^&]*\nid-token: …$/s.test(fault)),
    found.join('\n'),
  );
});

const LARGE_TIP = /"driver_tip_cents":\s*[1-9]\d{3}/;

/** The service with two planted faults: a large tip answers 500, and card lists contain an extra field. */
function withPlantedFaults(http: Http): Http {
  const inject = async (request: InjectOptions): Promise<Partial<LightMyRequestResponse>> => {
    const { raw, statusCode, headers, rawPayload } = await http.inject(request);
    const body = Buffer.isBuffer(request.payload) ? request.payload.toString() : '';
    if (raw.req.url?.startsWith('/order/tip') && LARGE_TIP.test(body)) {
      return { raw, headers, statusCode: 500, rawPayload: internalError(), body: internalError().toString() };
    }
    const isList = raw.req.url?.startsWith('/payment/list') && statusCode === 200 && !headers['content-encoding'];
    const payload = isList ? Buffer.from(rawPayload.toString().replace('{', '{"planted":1,')) : rawPayload;
    return { raw, headers, statusCode, rawPayload: payload, body: payload.toString() };
  };
  return { inject, swagger: () => http.swagger(), printRoutes: () => http.printRoutes() } as unknown as Http;
}

/** Matches the service's own 500, which the OpenAPI document covers. */
function internalError(): Buffer {
  const sentence = 'Something went wrong.';
  const problem = { type: 'urn:doorstep:error:internal_error', title: 'Internal error', status: 500, detail: sentence };
  return Buffer.from(JSON.stringify({ ...problem, code: 'internal_error', error: sentence, request_id: 'req_x' }));
}

/** Sends requests in process. The harness validates each response; its error message is the fault. */
function sendInProcess(http: Http): Send {
  return async ({ method, url, headers, body }) => {
    try {
      const request = { method, url, headers, ...(body && { payload: body }) } as InjectOptions;
      const reply = await http.inject(request);
      const answer = {
        status: reply.statusCode,
        headers: reply.headers as Reply['headers'],
        body: undefined,
        text: reply.body,
      };
      return { answer };
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) };
    }
  };
}
