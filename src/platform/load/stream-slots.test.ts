import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenCounters } from '../../../test/given/counters.ts';
import type { Client } from '../http/client-of.ts';
import { StreamSlots } from './stream-slots.ts';

const client = (name: string, kind: Client['kind'] = 'single'): Client => ({ name, kind });
const tooMany = { name: 'Refusal', code: 'rate_limited' };

test('one client opens up to 200 streams with any links, and leaves slots for others', () => {
  const slots = new StreamSlots();
  const seat = (n: number, name = '9.9.9.9') => ({ client: client(name), link: `order ${n}`, maxOfLink: 50 });
  const leave = Array.from({ length: 200 }, (_, n) => slots.take(seat(n)));
  assert.throws(() => slots.take(seat(200)), tooMany);
  slots.take(seat(200, '9.9.9.10'));
  leave[0]?.();
  leave[0]?.();
  slots.take(seat(200));
  assert.throws(() => slots.take(seat(201)), tooMany);
});

test('one link has its own bound, no matter who uses it', () => {
  const slots = new StreamSlots();
  const seat = (n: number, link = 'order a') => ({ client: client(`9.9.9.${n}`), link, maxOfLink: 50 });
  const leave = Array.from({ length: 50 }, (_, n) => slots.take(seat(n)));
  assert.throws(() => slots.take(seat(50)), tooMany);
  slots.take(seat(50, 'order b'));
  leave[7]?.();
  slots.take(seat(50));
});

test('an address that may be a proxy has five thousand streams, a declared proxy as many as there is room for', () => {
  const slots = new StreamSlots();
  const open = (kind: Client['kind'], count: number) => {
    for (let n = 0; n < count; n += 1) slots.take({ client: client(kind, kind), link: `${kind} ${n}`, maxOfLink: 1 });
  };
  open('shared', 5000);
  assert.throws(() => open('shared', 1), tooMany);
  open('proxy', 5001);
});

test('streams at another worker count in the bounds of an address and of a link', () => {
  const { own, peer, forgetPeer } = givenCounters();
  peer.set('streams of client 9.9.9.9', 199);
  peer.set('streams of link order b', 50);
  const slots = new StreamSlots(own);
  const leave = slots.take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 });
  assert.throws(() => slots.take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 }), tooMany);
  assert.throws(() => slots.take({ client: client('9.9.9.10'), link: 'order b', maxOfLink: 50 }), tooMany);
  leave();
  slots.take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 });
  forgetPeer();
  for (let n = 1; n < 50; n += 1) slots.take({ client: client('9.9.9.9'), link: 'order a', maxOfLink: 50 });
});
