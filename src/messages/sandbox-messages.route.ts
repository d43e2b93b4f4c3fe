import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { FOLLOWERS } from '../followers.ts';
import type { Http } from '../http.ts';
import { dispatchEvents } from '../orders/dispatch-events.flow.ts';
import { hasWaitingEvents } from '../orders/order-events.db.ts';
import { MESSAGE_CHANNELS, MESSAGE_KINDS, presentMessage } from './message.ts';
import { listSandboxMessages } from './messages.db.ts';
import { withTexts } from './write-messages.flow.ts';

const MAX_ROUNDS = 40;
const ROUND_MS = 25;

const text = Type.String();
const maybeText = Type.Union([Type.String(), Type.Null()]);

const schema = {
  operationId: 'listSandboxMessages',
  tags: ['Sandbox'],
  summary: 'What a sandbox order would have sent by SMS and e-mail, oldest first',
  querystring: Type.Object({ order_id: Type.String({ maxLength: 255, description: 'The order.' }) }),
  response: {
    200: Type.Object(
      {
        messages: Type.Array(
          Type.Object({
            id: text,
            order_id: text,
            channel: Type.Enum([...MESSAGE_CHANNELS]),
            kind: Type.Enum([...MESSAGE_KINDS]),
            to: text,
            bcc: maybeText,
            from: text,
            subject: maybeText,
            text,
            html: maybeText,
            timestamp: Type.Integer(),
          }),
        ),
      },
      { description: 'Empty for an order that is not yours.' },
    ),
  },
};

/** GET /sandbox/messages: the outbox. An order that is not the caller's has none, like one that does not exist. */
export function sandboxMessagesRoute(http: Http, deps: Deps): void {
  http.get('/sandbox/messages', { schema, config: { sandboxOnly: true } }, async ({ caller, query }) => {
    await followUp(deps, query.order_id);
    const messages = await listSandboxMessages(deps.db, caller, query.order_id);
    return { messages: (await withTexts(deps, messages)).map(presentMessage) };
  });
}

/** What a client has just caused is there when it looks, though no worker may have come round to it, or one is about it. */
async function followUp(deps: Deps, orderId: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS && (await hasWaitingEvents(deps.db, orderId)); round += 1) {
    if ((await dispatchEvents(deps, FOLLOWERS)) === 0) await delay(ROUND_MS);
  }
}
