import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { REFUSALS } from '../../src/app/wiring/refusals.ts';
import { HTTP_REFUSALS } from '../../src/platform/http/refusal.ts';
import { UCP_REFUSALS } from '../../src/surfaces/ucp/refusals.ts';
import { ROOT, textOf } from '../source-files.ts';

/* docs/ucp.md names what the protocol's operations can answer: refusals with their status, and codes of messages. */

const GUIDE = textOf('docs/ucp.md');
const NAMES = /`([a-z_]+)`/g;

const ROWS = [...GUIDE.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)];
const DOCUMENTED = new Map(
  ROWS.flatMap(([, status, codes = '']) => [...codes.matchAll(NAMES)].map(([, code = '']) => [code, Number(status)])),
);
const NAMED = new Set([...GUIDE.matchAll(NAMES)].map(([, code = '']) => code));

/** The protocol's names and statuses of the API's refusals. */
const RENAMED: Readonly<Record<string, string>> = { rate_limited: 'rate_limit_exceeded' };
const STATUSES: Readonly<Record<string, number>> = {
  idempotency_conflict: 409,
  insufficient_scope: 403,
  internal_error: 500,
};

/** What a request passes through before and around its operation, and the operations. */
const FILES = [
  ...globSync('src/surfaces/ucp/*.ts', { cwd: ROOT }).filter(
    (file) => !/\.test\.ts$|[a-z]-[a-z-]+\.route\.ts$/.test(file),
  ),
  'src/access/idempotency/idempotency.hook.ts',
  'src/surfaces/agents/mcp-exchange.flow.ts',
];

test('every error of an operation is documented with its status, and every documented one occurs', () => {
  const thrown = FILES.flatMap((file) =>
    [...textOf(file).matchAll(/new Refusal\(\s*'([a-z_]+)'/g)].map(([, code = '']) => code),
  );
  const declared = [HTTP_REFUSALS, UCP_REFUSALS].flatMap((table) =>
    Object.values(table).flatMap((codes) => Object.keys(codes)),
  );
  const names = Object.fromEntries(Object.entries(RENAMED).map(([ours, theirs]) => [theirs, ours]));
  for (const code of new Set([...thrown, ...declared])) {
    assert.ok(DOCUMENTED.has(RENAMED[code] ?? code), `${code} is not under Refusals of docs/ucp.md`);
  }
  for (const [code, status] of DOCUMENTED) {
    const ours = REFUSALS[(names[code] ?? code) as keyof typeof REFUSALS];
    assert.equal(status, STATUSES[code] ?? ours?.status, code);
  }
});

test('every message code of a shop is documented', () => {
  const codes = FILES.flatMap((file) =>
    [...textOf(file).matchAll(/(?:code: |(?:recoverable|fault)\()'([a-z_]+)'/g)].map(([, code = '']) => code),
  );
  assert.ok(codes.length > 30);
  assert.deepEqual(
    [...new Set(codes)].filter((code) => !NAMED.has(code) && code !== 'serves'),
    [],
  );
});
