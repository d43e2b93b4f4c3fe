import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { nextTurn } from '../../../test/until.ts';
import { type News, type Watcher, WatchFeed, type WatchSource } from './watch-feed.ts';

// These tests drive the timers themselves; no service runs alongside them.

type Text = News & { text: string };

function givenWatcher() {
  const seen: string[] = [];
  const watcher: Watcher<Text> = {
    send: ({ text }, before) => seen.push(before ? `${before.text} > ${text}` : text),
    beat: (hasRead) => seen.push(hasRead ? 'beat' : 'beat without news'),
    miss: () => seen.push('miss'),
    end: () => seen.push('end'),
  };
  return { seen, watcher };
}

/** A feed of texts by topic; `reads` records the topics of each read. */
function givenFeed({ mock }: TestContext, source: Partial<WatchSource<Text>> = {}) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const texts = new Map<string, string>();
  const reads: string[][] = [];
  const feed = new WatchFeed<Text>(
    {
      name: 'texts',
      maxStreams: 3,
      maxOfTopic: 2,
      pauseMs: 100,
      async read(topics) {
        reads.push([...topics]);
        return new Map(
          topics.flatMap((topic) => {
            const text = texts.get(topic);
            return text === undefined ? [] : [[topic, { version: text, text }] as const];
          }),
        );
      },
      ...source,
    },
    pino({ level: 'silent' }),
  );
  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    await nextTurn();
  };
  return { feed, texts, reads, pass };
}

test('streams of a topic share one read, and each receives its missing steps', async (t) => {
  const { feed, texts, reads, pass } = givenFeed(t);
  const [late, current] = [givenWatcher(), givenWatcher()];
  texts.set('a', 'one');
  feed.watch('a', '', late.watcher);
  feed.watch('a', 'one', current.watcher);
  await pass(1);
  assert.deepEqual([reads, late.seen, current.seen], [[['a']], ['one'], []]);
  texts.set('a', 'two');
  await pass(100);
  assert.deepEqual([late.seen, current.seen], [['one', 'one > two'], ['one > two']]);
  await feed.close();
  assert.deepEqual([late.seen.at(-1), feed.hasRoom('a')], ['end', false]);
});

test('only topics with another version are read', async (t) => {
  const versions = new Map([
    ['a', 'one'],
    ['b', 'one'],
  ]);
  const { feed, texts, reads, pass } = givenFeed(t, { listVersions: async () => versions });
  for (const topic of ['a', 'b']) feed.watch(topic, 'one', givenWatcher().watcher);
  await pass(1);
  versions.set('b', 'two');
  texts.set('b', 'two');
  await pass(100);
  await pass(100);
  assert.deepEqual(reads, [['b']]);
  await feed.close();
});

test('a feed of notifications starts listening with its first stream and reads only when notified', async (t) => {
  let listens = 0;
  const follow = () => {
    listens += 1;
    return { close: async () => {} };
  };
  const { feed, texts, reads, pass } = givenFeed(t, { follow });
  assert.deepEqual([listens, feed.wake('a')], [0, false]);
  const { seen, watcher } = givenWatcher();
  feed.watch('a', '', watcher);
  feed.watch('b', '', givenWatcher().watcher);
  await pass(1000);
  assert.deepEqual([listens, reads], [1, []]);
  texts.set('a', 'one');
  assert.equal(feed.wake('a'), true);
  await pass(100);
  assert.deepEqual([reads, seen], [[['a']], ['one']]);
  await feed.close();
});

test('a failed read is reported to the streams and in the heartbeat, and reading is retried', async (t) => {
  let isAway = true;
  const { feed, pass } = givenFeed(t, {
    beatMs: 150,
    async read(topics) {
      if (isAway) throw new Error('away');
      return new Map(topics.map((topic) => [topic, { version: '1', text: 'back' }]));
    },
  });
  const { seen, watcher } = givenWatcher();
  feed.watch('a', '', watcher);
  await pass(1);
  await pass(100);
  isAway = false;
  await pass(50);
  await pass(50);
  await pass(100);
  assert.deepEqual(seen, ['miss', 'miss', 'beat without news', 'back', 'beat']);
  await feed.close();
});

test('a topic and the feed take so many streams, and another once one has left', (t) => {
  const { feed } = givenFeed(t);
  const leave = [1, 2].map(() => feed.watch('a', '', givenWatcher().watcher));
  assert.deepEqual([feed.hasRoom('a'), feed.hasRoom('b')], [false, true]);
  feed.watch('b', '', givenWatcher().watcher);
  assert.equal(feed.hasRoom('b'), false);
  assert.throws(() => feed.requireRoom('b'), { code: 'not_ready' });
  leave[0]?.();
  leave[0]?.();
  assert.deepEqual([feed.streamCount, feed.hasRoom('a'), feed.hasRoom('b')], [2, true, true]);
});

test('one read runs at a time: later changes are read after a pause, and closing waits for the read', async (t) => {
  const ends: (() => void)[] = [];
  const reads: string[][] = [];
  const { feed, pass } = givenFeed(t, {
    follow: () => ({ close: async () => {} }),
    async read(topics) {
      reads.push([...topics]);
      await new Promise<void>((end) => ends.push(end));
      return new Map();
    },
  });
  for (const topic of ['a', 'b']) feed.watch(topic, '', givenWatcher().watcher);
  feed.wake('a');
  await pass(100);
  feed.wake('b');
  await pass(1000);
  assert.deepEqual(reads, [['a']]);
  ends[0]?.();
  await nextTurn();
  await pass(99);
  assert.deepEqual(reads, [['a']]);
  await pass(1);
  assert.deepEqual(reads, [['a'], ['b']]);
  let hasClosed = false;
  const closing = feed.close().then(() => {
    hasClosed = true;
  });
  await pass(1000);
  assert.equal(hasClosed, false);
  ends[1]?.();
  await closing;
  feed.wake('a');
  await pass(1000);
  assert.equal(reads.length, 2);
});
