import type { Logger } from 'pino';
import { Type } from 'typebox';
import { mayAct } from '../../access/accounts/account.ts';
import { MESSAGE_CHANNELS, MESSAGE_KINDS, presentMessage } from '../../notify/messages/message.ts';
import { withTexts } from '../../notify/messages/write-messages.flow.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { findOrder } from '../../ordering/order/orders.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Http } from '../../platform/http/http.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { readSandboxOutbox } from './order-messages.flow.ts';

const text = Type.String();
const maybeText = Type.Union([Type.String(), Type.Null()]);

const schema = {
  operationId: 'listSandboxMessages',
  tags: ['Sandbox'],
  summary: 'What a sandbox order would have sent by SMS and email, oldest first',
  description:
    'With the texts of a live order; their links have the `key` only for a key with the scope `order`. A sandbox order sends nothing.',
  example: { query: { order_id: '{order_id}' } },
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

/** GET /sandbox/messages lists the outbox, which is empty for unknown orders and orders of other accounts. */
export function sandboxMessagesRoute(
  http: Http,
  deps: { config: Config; log: Logger; db: Db; messaging: Messaging; tokens: TokenSealer },
): void {
  http.get('/sandbox/messages', { schema, config: { sandboxOnly: true, scope: 'read' } }, async ({ caller, query }) => {
    const order = await findOrder(deps.db, caller, query.order_id);
    if (!order) return { messages: [] };
    const messages = await readSandboxOutbox(deps, order);
    const { config, log, db, messaging } = deps;
    const writing = { config, log, db, messaging, tokens: mayAct(caller) ? deps.tokens : undefined };
    return { messages: (await withTexts(writing, messages)).map(presentMessage) };
  });
}
