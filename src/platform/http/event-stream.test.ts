import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStream } from './event-stream.ts';

function givenOutlet(writableLength: number) {
  const written: string[] = [];
  const outlet = {
    written,
    writableLength,
    writableEnded: false,
    destroyed: false,
    write: (text: string) => written.push(text),
    end() {
      outlet.writableEnded = true;
    },
    destroy() {
      outlet.destroyed = true;
    },
    once() {},
  };
  return outlet;
}

test('a message is one event with its id', () => {
  const outlet = givenOutlet(0);
  new EventStream(outlet).send('order', '{"a":1}', '7');
  assert.deepEqual(outlet.written, ['id: 7\nevent: order\ndata: {"a":1}\n\n']);
});

test('a page that does not read is dropped instead of being written to', () => {
  const outlet = givenOutlet(300_000);
  new EventStream(outlet).beat();
  assert.deepEqual([outlet.destroyed, outlet.written], [true, []]);
});

test('nothing is written after the end, which happens once', () => {
  const outlet = givenOutlet(0);
  const stream = new EventStream(outlet);
  stream.end();
  stream.end();
  stream.send('order', '{}');
  assert.deepEqual(outlet.written, []);
});
