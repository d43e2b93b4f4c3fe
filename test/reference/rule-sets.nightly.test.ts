// covers: src/surfaces/docs/api-description.ts, test/reference/package/*
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, givenApp } from '../harness.ts';
import { loadApiChecks } from './api-checks.ts';

const { createConfig, lintFromString, oas, Spectral } = await loadApiChecks();

/** Reports that the API accepts, each with its reason. Remove entries that no longer occur. */
const KEPT: Readonly<Record<string, string>> = {
  'operation-2xx-response #/paths/~1payment~1setup~1{setup_id}/post/responses':
    'A form of a page is answered with a redirect, so that a reload sends no card twice.',
  'operation-2xx-response #/paths/~1payment~1setup~1{setup_id}~1return/get/responses':
    'The page of the gateway leads the browser on to the shop.',
  'operation-2xx-response #/paths/~1tracking~1cancel/post/responses':
    'A form of a page is answered with a redirect, so that a reload cancels nothing.',
  'operation-2xx-response #/paths/~1tracking~1tip/post/responses':
    'A form of a page is answered with a redirect, so that a reload charges nothing.',
  'operation-2xx-response #/paths/~1tracking~1notes/post/responses':
    'A form of a page is answered with a redirect, so that a reload changes nothing.',
  'operation-2xx-response #/paths/~1tracking~1problem/post/responses':
    'A form of a page is answered with a redirect, so that a reload sends no second email.',
  'operation-2xx-response #/paths/~1checkout~1{link}~1approved/get/responses':
    'The page of the bank leads the browser on to the order.',
  'operation-2xx-response #/paths/~1t~1{short_code}/get/responses': 'A short link leads the browser on to the page.',
  'operation-2xx-response #/paths/~1checkout~1again/post/responses':
    'A form of a page is answered with a redirect, so that a reload orders nothing more.',
  'operation-2xx-response #/paths/~1console~1operator~1link~1{token}/post/responses':
    'A form of a page is answered with a redirect, so that a reload uses no link twice.',
  'operation-2xx-response #/paths/~1oauth~1authorize/post/responses':
    'A form of a page is answered with a redirect, so that a reload sends no second code.',
  'operation-2xx-response #/paths/~1connections/post/responses':
    'A form of a page is answered with a redirect, so that a reload disconnects nothing.',
  'operation-2xx-response #/paths/~1profile/post/responses':
    'A form of a page is answered with a redirect, so that a reload removes nothing more.',
  'operation-2xx-response #/paths/~1console~1operator~1openid/get/responses':
    'The page leads the browser on to the issuer.',
  'no-ambiguous-paths #/paths/~1checkout~1{link}~1approved':
    'No link of a checkout is `assets`: a link is sealed, and longer. OpenAPI prefers the path without a template.',
  'no-ambiguous-paths #/paths/~1driver~1assets~1{name}':
    'No token of a driver is `assets`: a token is sealed, and longer. OpenAPI prefers the path without a template.',
  'no-ambiguous-paths #/paths/~1driver~1{token}~1photo': 'As above: no token of a driver is `assets`.',
};

let app: App;
let text: string;
before(async () => {
  app = await givenApp();
  text = (await app.get('/openapi.json')).text;
});
after(() => app.close());

async function redoclyReports(description: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const reports = await lintFromString({ source: description, absoluteRef: 'openapi.json', config });
  return reports.map(({ ruleId, location: [at], message }) => `${ruleId} ${at?.pointer ?? '#/'}: ${message}`);
}

async function spectralReports(description: object): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  const reports = await spectral.run(description);
  return reports.map(({ code, path, message }) => `${code} #/${path.join('/')}: ${message}`);
}

/** A report's rule and location, without its message. */
const nameOf = (report: string) => report.slice(0, report.indexOf(': '));

test('Redocly’s recommended rule set reports no error and no warning beyond the reasoned exceptions', async () => {
  const reports = await redoclyReports(text);
  assert.deepEqual(
    reports.filter((report) => !Object.hasOwn(KEPT, nameOf(report))),
    [],
  );
  const gone = Object.keys(KEPT).filter((name) => !reports.some((report) => nameOf(report) === name));
  assert.deepEqual(gone, []);
});

test('the recommended rule set of Spectral reports nothing', async () => {
  assert.deepEqual(await spectralReports(JSON.parse(text)), []);
});

test('both rule sets are at work: a description with faults is reported', async () => {
  const whole = JSON.parse(text);
  const { get } = whole.paths['/search/store/v3'];
  const broken = { ...whole, paths: { '/search/store/v3': { get } }, webhooks: {} };
  delete get.description;
  get.responses[200].content['application/json'].example = { stores: 'none' };
  get.security = [{ 'No-Scheme': [] }];
  const { path, query } = { path: 'paths//search/store/v3/get', query: '#/paths/~1search~1store~1v3/get' };
  const spectral = await spectralReports(broken);
  for (const code of ['operation-description', 'oas3-valid-media-example']) {
    assert.ok(
      spectral.some((report) => report.startsWith(`${code} #/${path}`)),
      code,
    );
  }
  const redocly = await redoclyReports(JSON.stringify(broken));
  for (const rule of ['security-defined', 'no-invalid-media-type-examples']) {
    assert.ok(
      redocly.some((report) => report.startsWith(`${rule} ${query}`)),
      rule,
    );
  }
});
