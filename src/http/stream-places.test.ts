import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeerNumbers } from '../lib/peer-numbers.ts';
import type { Client } from './client-of.ts';
import { createStreamPlaces } from './stream-places.ts';

const client = (name: string, kind: Client['kind'] = 'single'): Client => ({ name, kind });
const tooMany = { name: 'Refusal', code: 'rate_limited' };

test('one client opens two hundred streams and no more, whatever their links, and closes nobody else out', () => {
  const take = createStreamPlaces();
  const seat = (n: number, name = '9.9.9.9') => ({ client: client(name), link: `order ${n}`, maxOfLink: 50 });
  const leave = Array.from({ length: 200 }, (_, n) => take(seat(n)));
  assert.throws(() => take(seat(200)), tooMany);
  take(seat(200, '9.9.9.10'));
  leave[0]?.();
  leave[0]?.();
  take(seat(200));
  assert.throws(() => take(seat(201)), tooMany);
});

test('one link has its own bound, whoever comes with the link', () => {
  const take = createStreamPlaces();
  const seat = (n: number, link = 'order a') => ({ client: client(`9.9.9.${n}`), link, maxOfLink: 50 });
  const leave = Array.from({ length: 50 }, (_, n) => take(seat(n)));
  assert.throws(() => take(seat(50)), tooMany);
  take(seat(50, 'order b'));
  leave[7]?.();
  take(seat(50));
});

test('an address that may be a proxy has five thousand streams, a declared proxy as many as there is room for', () => {
  const take = createStreamPlaces();
  const open = (kind: Client['kind'], count: number) => {
    for (let n = 0; n < count; n += 1) take({ client: client(kind, kind), link: `${kind} ${n}`, maxOfLink: 1 });
  };
  open('shared', 5000);
  assert.throws(() => open('shared', 1), tooMany);
  open('proxy', 5001);
});

test('streams at another process of the service count in the bounds of an address and of a link', () => {
  const numbers = createPeerNumbers(() => {});
  numbers.hear(2, [
    ['streams of client 9.9.9.9', 199, null],
    ['streams of link order b', 50, null],
  ]);
  const take = createStreamPlaces(numbers);
  const leave = take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 });
  assert.throws(() => take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 }), tooMany);
  assert.throws(() => take({ client: client('9.9.9.10'), link: 'order b', maxOfLink: 50 }), tooMany);
  leave();
  take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 });
  numbers.forget(2);
  for (let n = 1; n < 50; n += 1) take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 });
});
