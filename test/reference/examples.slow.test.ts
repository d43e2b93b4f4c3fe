import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import kept from '../../src/surfaces/docs/example-answers.json' with { type: 'json' };
import { type ApiDocument, assertDescribed, assertEventDescribed, operationsOf } from '../api-document.ts';
import { shownAnswers } from './example-answers.ts';
import { createExampleClient, type ExampleClient, type Exchange } from './example-client.ts';
import { createTraveler, JOURNEY, SIGNED_BY_OTHERS, type Traveler } from './example-journey.ts';
import { type Demo, givenDemo } from './given-demo.ts';
import { proxyOf } from './prism-proxy.ts';
import { exchangeWith } from './send-exchange.ts';

let demo: Demo;
let document: ApiDocument;
let client: ExampleClient;
let traveler: Traveler;
let exchange: Exchange;
let differences: readonly string[];
before(async () => {
  demo = await givenDemo();
  document = (await demo.app.get('/openapi.json')).body;
  exchange = exchangeWith(await demo.app.service.listen());
  const proxy = await proxyOf(document, exchange);
  differences = proxy.differences;
  client = createExampleClient(document, proxy.exchange, exchange);
  traveler = createTraveler(demo, client);
});
after(() => demo.close());

for (const [title, part] of Object.entries(JOURNEY)) {
  test(`examples are answered with a success as they stand: ${title}`, () => part(traveler));
}

test('every operation has an example that was sent, or is signed by another party', () => {
  const ids = operationsOf(document).map(({ operation }) => operation.operationId ?? '');
  assert.deepEqual(
    ids.filter((id) => !client.succeeded.has(id)),
    SIGNED_BY_OTHERS,
  );
});

test('Prism, between client and service, finds no difference between the description and what is sent', () => {
  assert.deepEqual(differences, []);
});

test('Prism is at work: a request and an answer that the description forbids are differences', async () => {
  const broken = structuredClone({ ...document, paths: { '/healthz': document.paths['/healthz'] } });
  const get = broken.paths['/healthz']?.get ?? assert.fail('no operation');
  get.parameters = [{ name: 'deep', in: 'query', required: true, schema: { type: 'boolean' } }];
  get.responses = {
    200: { description: 'Ill.', content: { 'application/json': { schema: { required: ['reason'] } } } },
  };
  const proxy = await proxyOf(broken, exchange);
  await proxy.exchange({ method: 'GET', path: '/healthz', headers: {} });
  assert.equal(proxy.differences.length, 2);
  assert.match(proxy.differences.join('\n'), /request query.*deep[\s\S]*answer body.*reason/);
});

test('the answers that the description shows are as it describes them, and each webhook has a call: `npm run example-answers` writes them', () => {
  assert.deepEqual(Object.keys(kept), Object.keys(shownAnswers(client.answers)));
  const answers = new Map<string, unknown>(Object.entries(kept));
  for (const { name, operation } of operationsOf(document)) {
    const body = answers.get(operation.operationId ?? '');
    const headers = { 'content-type': 'application/json' };
    if (body !== undefined) assertDescribed(document, name, { status: 200, headers, text: '…', body });
  }
  for (const { post } of Object.values(document.webhooks)) {
    assertEventDescribed(document, answers.get(post.operationId ?? '') as { type: string });
  }
});
