import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { listPlatformCalls } from '../../notify/webhooks/platform-calls.db.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, optionalText, orNull } from '../../platform/http/api-components.ts';
import { maybeText, moment, showRow } from '../operator/field-schemas.ts';

const MAX_CALLS = 100;

const DeliverySchema = component('UcpDelivery', 'A call to a platform about an order.', {
  webhook_id: Type.String({ description: 'All attempts share it.' }),
  profile_url: Type.String({ description: "The platform's profile URL." }),
  order_id: Type.String(),
  type: Type.String({ description: 'The event that it follows from.' }),
  state: Type.Enum(['pending', 'delivered', 'dead']),
  attempts: Type.Integer(),
  last_status: orNull(Type.Integer(), 'Null if there was no response.'),
  last_error: maybeText('Why the last attempt failed.'),
  next_attempt_at: moment('When it is tried again.'),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
});

export const listUcpDeliveriesOperation = operation({
  name: 'listUcpDeliveries',
  endpoint: 'GET /ucp/deliveries',
  summary: 'Calls to UCP platforms about orders',
  description: `The latest ${MAX_CALLS}, newest first. An order's page lists its own.`,
  query: Type.Object({ order_id: optionalText(64, 'Those of one order.') }),
  answer: describedObject('Newest first.', { deliveries: Type.Array(DeliverySchema) }),
  on: {
    operator: {
      command: 'ucp deliveries',
      table: {
        deliveries: {
          Order: 'order_id',
          Event: 'type',
          Platform: 'profile_url',
          State: 'state',
          Attempts: 'attempts',
          Status: 'last_status',
        },
      },
      role: 'viewer',
    },
  },
}).run(async ({ db }: { db: Db }, { query: { order_id: orderId } }) => {
  const calls = await listPlatformCalls(db, { ...(orderId ? { orderId } : {}), limit: MAX_CALLS });
  return { deliveries: calls.map(showRow) };
});
