import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { givenCounters } from '../../../test/given/counters.ts';
import { UnreadAnswers } from './unread-answers.hook.ts';

const BOUNDS = { maxBytes: 1000, maxBytesOfHolder: 400 };

/** A response whose client reads when the test decides. */
function givenResponse() {
  const socket = { bytesWritten: 0, writableLength: 0 };
  const response = Object.assign(new EventEmitter(), {
    socket,
    writableFinished: false,
    destroyed: false,
    destroy() {
      response.destroyed = true;
      response.emit('close');
    },
  });
  return { socket, response, raw: response as unknown as ServerResponse };
}

function given() {
  const clock = { nowMs: 0 };
  const counters = givenCounters();
  const unread = new UnreadAnswers({ nowMs: () => clock.nowMs, peers: counters.own, ...BOUNDS });
  const hold = (holder: string, bytes: number) => {
    const one = givenResponse();
    unread.hold(holder, bytes, one.raw);
    return one;
  };
  return { clock, unread, hold, counters };
}

test('one holder has so many unread bytes and no more, and its next answer waits until they are read', () => {
  const { unread, hold } = given();
  const first = hold('a', 400);
  assert.equal(unread.refusalOf('a', 1)?.code, 'rate_limited');
  assert.equal(unread.refusalOf('b', 400), undefined);
  first.response.emit('finish');
  assert.deepEqual([unread.refusalOf('a', 400), unread.total()], [undefined, 0]);
  // A response above the limit is still sent if nothing else is unread.
  assert.equal(unread.refusalOf('a', 900), undefined);
});

test('the process has so many unread bytes and no more', () => {
  const { unread, hold } = given();
  const held = ['a', 'b', 'c'].map((holder) => hold(holder, 330));
  assert.equal(unread.total(), 990);
  assert.equal(unread.refusalOf('d', 11)?.code, 'not_ready');
  assert.equal(unread.refusalOf('d', 10), undefined);
  held[0]?.response.emit('close');
  assert.equal(unread.refusalOf('d', 340), undefined);
});

test('a full process frees the responses that went unread for five seconds, oldest first', () => {
  const { clock, unread, hold } = given();
  const held = ['a', 'b', 'c'].map((holder) => hold(holder, 330));
  clock.nowMs = 4999;
  assert.equal(unread.refusalOf('d', 330)?.code, 'not_ready');
  Object.assign(held[0]?.socket ?? {}, { bytesWritten: 1 });
  unread.sweep();
  clock.nowMs = 5001;
  assert.equal(unread.refusalOf('d', 330), undefined);
  assert.deepEqual(
    held.map(({ response }) => response.destroyed),
    [false, true, false],
  );
  assert.equal(unread.total(), 660);
});

test('a holder that doesn’t read makes room only for itself', () => {
  const { clock, unread, hold } = given();
  const [own, other] = [hold('a', 400), hold('b', 400)];
  clock.nowMs = 6000;
  assert.equal(unread.refusalOf('a', 100), undefined);
  assert.deepEqual([own.response.destroyed, other.response.destroyed], [true, false]);
});

test('a response read slower than 256 KiB a minute is cut, and a faster reader isn’t', () => {
  const { clock, unread, hold } = given();
  const [dripping, steady] = [hold('a', 300), hold('b', 300)];
  for (clock.nowMs = 1000; clock.nowMs <= 180_000; clock.nowMs += 1000) {
    dripping.socket.bytesWritten += 1024;
    steady.socket.bytesWritten += 5 * 1024;
    if (clock.nowMs === 59_000) unread.sweep();
    assert.equal(dripping.response.destroyed, clock.nowMs > 60_000);
    unread.sweep();
  }
  assert.equal(steady.response.destroyed, false);
  assert.equal(unread.total(), 300);
});

test('entries waiting in this process aren’t read', () => {
  const { clock, unread, hold } = given();
  const stuck = hold('a', 300);
  for (clock.nowMs = 1000; clock.nowMs <= 60_000; clock.nowMs += 1000) {
    stuck.socket.bytesWritten += 64 * 1024;
    stuck.socket.writableLength += 64 * 1024;
    unread.sweep();
  }
  assert.equal(stuck.response.destroyed, true);
});

test('answers that other workers hold count in the same bounds, until those workers end', () => {
  const { unread, hold, counters } = given();
  counters.peer.set('unread answers of a', 300);
  counters.peer.set('unread answers', 900);
  assert.equal(unread.refusalOf('a', 101)?.code, 'rate_limited');
  assert.equal(unread.refusalOf('b', 101)?.code, 'not_ready');
  assert.equal(unread.refusalOf('a', 100), undefined);
  hold('a', 100);
  assert.equal(unread.refusalOf('a', 1)?.code, 'rate_limited');
  counters.forgetPeer();
  assert.equal(unread.refusalOf('a', 300), undefined);
});
