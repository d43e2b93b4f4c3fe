import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { COURIER_STATES } from '../../src/fulfillment/deliveries/couriers/courier-gateway.ts';

type Schema = { properties: Record<string, { enum?: string[] } | undefined> };
type Document = { paths: Record<string, Record<string, unknown>>; components: { schemas: Record<string, Schema> } };

const ROOT = join(import.meta.dirname, '../..');
const DOCS = readFileSync(join(import.meta.dirname, 'courier-companies.md'), 'utf8');
const COMPANIES = [
  { title: 'Uber Direct', file: 'uber-direct-openapi.yml', member: 'status' },
  { title: 'DoorDash Drive', file: 'doordash-drive-openapi.yml', member: 'delivery_status' },
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Code spans of the first and second column of the section's tables. */
function rowsOf(title: string): { left: string[]; right: string }[] {
  const section = DOCS.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, left = '', right = '']) => ({
    left: [...left.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
    right,
  }));
}

for (const { title, file, member } of COMPANIES) {
  const path = join(ROOT, '../shared/data/contracts', file);
  const skip = existsSync(path) ? false : `${file} is absent`;

  test(`courier-companies.md places every operation of ${title} in the port`, { skip }, () => {
    const { paths } = parse(readFileSync(path, 'utf8')) as Document;
    const published = Object.entries(paths).flatMap(([route, item]) =>
      METHODS.filter((method) => Object.hasOwn(item, method)).map((method) => `${method.toUpperCase()} ${route}`),
    );
    const placed = rowsOf(title).flatMap(({ left }) => left.filter((word) => /^[A-Z]+ \//.test(word)));
    assert.deepEqual(placed.toSorted(), published.toSorted());
  });

  test(`courier-companies.md gives every state of ${title} one state of ours`, { skip }, () => {
    const { components } = parse(readFileSync(path, 'utf8')) as Document;
    const published = components.schemas.Delivery?.properties[member]?.enum ?? [];
    const states = rowsOf(title).filter(({ left }) => left.length === 1 && published.includes(left[0] ?? ''));
    assert.deepEqual(
      states.flatMap(({ left }) => left),
      published,
    );
    for (const { right } of states) {
      const first = /^`([a-z_]+)`/.exec(right)?.[1];
      assert.ok(
        COURIER_STATES.some((state) => state === first),
        right,
      );
    }
  });
}
