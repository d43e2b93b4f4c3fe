import type { Logger } from 'pino';
import { contentAnswer } from '../http/content-answers.ts';
import { beginEventStream, type EventStream } from '../http/event-stream.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { StreamSlots } from '../load/stream-slots.ts';
import type { AuthenticateConsole } from '../merchants/authenticate-console.hook.ts';
import { readWaiting, type WaitingDeps } from './read-waiting.flow.ts';
import { WaitingSchema } from './waiting.ts';
import { createWaitingFeed, type WaitingWatcher } from './waiting-feed.cache.ts';

/** A view whose browser lost its stream connects again after this. */
const RETRY_MS = 1000;
/** The session is looked up, and a quiet stream written to, once in this many readings of the list. */
const BEAT_EVERY = 5;
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
      if (!feed.hasRoom()) {
        throw new Refusal('not_ready', 'Too many views are open.', { headers: { 'retry-after': '30' } });
      }
      const { client, session } = request;
      const giveBack = deps.streamSlots.take({ client, link: session.sessionId, maxOfLink: MAX_OF_A_SESSION });
      const stream = beginEventStream(reply, RETRY_MS);
      if (!stream) return giveBack();
      stream.onClose(giveBack);
      const isSignedIn = () => deps.authenticateConsole(request, 'operator');
      stream.onClose(feed.watch(watcherOf(stream, isSignedIn)));
    },
  );
}

function watcherOf(stream: EventStream, isSignedIn: () => Promise<void>): WaitingWatcher {
  let readings = 0;
  const write = (event: string, data: string) => stream.write(`event: ${event}\ndata: ${data}\n\n`);
  const endUnlessSignedIn = () => isSignedIn().catch(() => stream.end());
  return {
    send(list) {
      write('waiting', list);
      void endUnlessSignedIn();
    },
    beat() {
      readings += 1;
      if (readings % BEAT_EVERY !== 0) return;
      write('beat', '{}');
      void endUnlessSignedIn();
    },
    fail: () => write('failed', '{}'),
    end: stream.end,
  };
}
