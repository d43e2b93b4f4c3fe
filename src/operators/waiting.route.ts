import type { Logger } from 'pino';
import { contentAnswer } from '../http/content-answers.ts';
import { type EventStream, openEventStream } from '../http/event-stream.ts';
import type { Http } from '../http/http.ts';
import { type News, type Watcher, WatchFeed } from '../http/watch-feed.ts';
import type { StreamSlots } from '../load/stream-slots.ts';
import type { AuthenticateConsole } from '../merchants/authenticate-console.hook.ts';
import { readWaiting, type WaitingDeps } from './read-waiting.flow.ts';
import { type Waiting, WaitingSchema } from './waiting.ts';

/** A view whose browser lost its stream connects again after this. */
const RETRY_MS = 1000;
/** The list is read this often while a view is open: one query a process, however many views there are. */
const READ_EVERY_MS = 1000;
/** The session is looked up, and a quiet stream written to, this often. */
const BEAT_MS = 5000;
const MAX_VIEWS = 200;
/** All views watch the one list. */
const LIST = 'waiting';
/** Views of one operator: windows and devices that share a session. */
const MAX_OF_A_SESSION = 20;

const listSchema = {
  operationId: 'listWaitingOrders',
  tags: ['Operator'],
  summary: 'Live orders that their stores have not confirmed',
  description:
    'An order that no channel has acknowledged rings. What is listed here, the channel `operator` of its store has.',
  response: { 200: WaitingSchema },
};
const streamSchema = {
  operationId: 'streamWaitingOrders',
  tags: ['Operator'],
  summary: 'The same list as server-sent events',
  description:
    'Event `waiting`: the whole list, at first and whenever it has changed. Event `beat`: it has not changed. Event `failed`: it could not be read.',
  response: { 200: contentAnswer('Events `waiting`, `beat` and `failed`.', ['text/event-stream']) },
};

type Needs = WaitingDeps & { log: Logger; authenticateConsole: AuthenticateConsole; streamSlots: StreamSlots };

/** GET /operator/orders/waiting and its stream. */
export function waitingRoutes(http: Http, deps: Needs): void {
  const feed = createWaitingFeed(deps);
  // A stream has no end of its own: an open stream would delay the end of the process.
  http.addHook('preClose', () => feed.close());
  const config = { audience: 'operator' } as const;
  http.get('/operator/orders/waiting', { schema: listSchema, config }, () => readWaiting(deps));
  http.get(
    '/operator/orders/waiting/stream',
    { schema: streamSchema, config: { ...config, refuses: ['not_ready'] } as const, exposeHeadRoute: false },
    async (request, reply) => {
      feed.requireRoom(LIST);
      const { client, session } = request;
      const freeSlot = deps.streamSlots.take({ client, link: session.sessionId, maxOfLink: MAX_OF_A_SESSION });
      const stream = openEventStream(reply, { retryMs: RETRY_MS });
      if (!stream) return freeSlot();
      stream.onClose(freeSlot);
      const isSignedIn = () => deps.authenticateConsole(request, 'operator');
      stream.onClose(feed.watch(LIST, '', watcherOf(stream, isSignedIn)));
    },
  );
}

type ListNews = News & { list: Waiting };

/** Feeds the open views. The version of the list is its text, without the clock in it. */
function createWaitingFeed(deps: Needs): WatchFeed<ListNews> {
  const source = {
    name: 'views',
    maxStreams: MAX_VIEWS,
    pauseMs: READ_EVERY_MS,
    beatMs: BEAT_MS,
    async read() {
      const list = await readWaiting(deps);
      const { now: _, ...lasting } = list;
      return new Map([[LIST, { version: JSON.stringify(lasting), list }]]);
    },
  };
  return new WatchFeed<ListNews>(source, deps.log);
}

function watcherOf(stream: EventStream, isSignedIn: () => Promise<void>): Watcher<ListNews> {
  const endUnlessSignedIn = () => void isSignedIn().catch(() => stream.end());
  return {
    send({ list }) {
      stream.send('waiting', JSON.stringify(list));
      endUnlessSignedIn();
    },
    beat(hasRead) {
      // A view must not look current while the list cannot be read.
      if (hasRead) stream.send('beat', '{}');
      endUnlessSignedIn();
    },
    miss: () => stream.send('failed', '{}'),
    end: () => stream.end(),
  };
}
