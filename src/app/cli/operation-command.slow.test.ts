import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenPizzeria, type Pizzeria } from '../../../test/given/pizzeria.ts';
import { fieldsOf, optionOf } from './field-options.ts';
import { ALL } from './operation-command.ts';

const host = givenCommandHost();
let shop: Pizzeria;
before(async () => {
  shop = await givenPizzeria();
});
after(async () => {
  await host.close();
  await shop.close();
});

test('every command of an operation has its inputs: it succeeds or fails with a sentence', async () => {
  const { order_id } = (await shop.place('Margherita')).body;
  const known: Record<string, string> = { account_id: shop.accountId, store_id: shop.storeId, order_id };
  const env = { DATABASE_URL: shop.connectionString, WEBHOOK_ALLOW_PRIVATE: 'true' };
  const commands = ALL.flatMap((one) => [one.command ?? []].flat().map((usage) => ({ one, usage })));
  assert.ok(commands.length > 60, String(commands.length));
  for (const { one, usage } of commands) {
    const words = usage.split(' ').map((word) => (word.startsWith('<') ? (known[word.slice(1, -1)] ?? 'x') : word));
    const options = fieldsOf(one).flatMap((field) => {
      if (!field.isRequired || usage.includes(`<${field.name}>`)) return [];
      const { schema, words: [word] = [] } = field;
      const value = word ?? known[field.name] ?? (/integer|number/.test(schema.type ?? '') ? '1' : 'x');
      return [optionOf(field).long ?? '', schema.type === 'boolean' ? 'on' : value];
    });
    const { status, stdout, stderr } = await host.runCommand([...words, ...options], env);
    assert.doesNotMatch(stdout + stderr, /TypeError|^ +at /m, [...words, ...options].join(' '));
    assert.ok(status !== null && status <= 2, `${usage}: ${status}`);
  }
});
