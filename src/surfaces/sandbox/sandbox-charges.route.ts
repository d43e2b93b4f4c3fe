import { Type } from 'typebox';
import type { Caller } from '../../access/accounts/account.ts';
import { operation } from '../../access/operations/operation.ts';
import { findOrder } from '../../ordering/order/orders.db.ts';
import type { Gateways, RecordedCharge } from '../../ordering/payments/payment-gateway.ts';
import { findCardIdentity, findMethodsByToken } from '../../ordering/payments/payment-methods.db.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { component, optionalFilter } from '../../platform/http/api-components.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { epochSeconds } from '../../platform/lib/time.ts';

const ChargeSchema = component('Charge', 'A charge recorded by the sandbox gateway.', {
  charge_id: Type.String({ description: "The gateway's own ID." }),
  order_id: Type.String({ description: 'The charged order.' }),
  payment_method_id: Type.String({ description: "The card. Empty if it isn't yours." }),
  amount: Type.Integer({ description: 'The charged or requested amount, in cents.' }),
  authorized_amount: Type.Optional(
    Type.Integer({ description: 'The authorized amount in cents. Present only for an authorization.' }),
  ),
  captured_amount: Type.Optional(
    Type.Integer({ description: 'The captured amount in cents. Present only for an authorization.' }),
  ),
  refunded_amount: Type.Integer({ description: 'The refunded amount in cents.' }),
  status: Type.Enum(['succeeded', 'declined', 'to_collect', 'authorized', 'voided'], {
    description:
      '`declined`: nothing was charged. `to_collect`: cash to collect at handoff. `authorized`: not captured yet. `voided`: authorized but never captured.',
  }),
  timestamp: Type.Integer({ description: 'Epoch seconds.' }),
});

type Filter = { order_id?: string; payment_method_id?: string };

/** GET /sandbox/charges. The gateway has no accounts, so the route queries only the caller's ids. */
export const sandboxChargesOperation = operation({
  name: 'listSandboxCharges',
  endpoint: 'GET /sandbox/charges',
  summary: 'List sandbox charges for an order or payment method, oldest first',
  description: "One of the two parameters is required. With both, returns that order's charges to that card.",
  example: { query: { order_id: '{order_id}' } },
  query: Type.Object({
    order_id: optionalFilter(255, 'An order of this account.'),
    payment_method_id: optionalFilter(255, 'A payment method of this account.'),
  }),
  answer: Type.Object({ charges: Type.Array(ChargeSchema) }, { description: 'Empty for an unknown ID.' }),
  on: { account: { scope: 'read', config: { sandboxOnly: true } } },
}).run(async ({ db, gateways }: { db: Db; gateways: Gateways }, { by: { caller }, query }) => {
  if (query.order_id === undefined && query.payment_method_id === undefined) {
    throw invalidField('query', 'order_id', 'or payment_method_id is required');
  }
  const own = await ownFilter(db, caller, query);
  const charges = own ? await gateways.sandbox.listCharges(own) : [];
  const methods = await findMethodsByToken(db, caller, [...new Set(charges.map(({ cardToken }) => cardToken))]);
  return { charges: charges.map((charge) => presentCharge(charge, methods.get(charge.cardToken) ?? '')) };
});

async function ownFilter(db: Sql, caller: Caller, { order_id, payment_method_id }: Filter) {
  if (order_id !== undefined && !(await findOrder(db, caller, order_id))) return undefined;
  const order = order_id === undefined ? {} : { orderId: order_id };
  if (payment_method_id === undefined) return order;
  const card = await findCardIdentity(db, caller, payment_method_id);
  return card && { ...order, cardTokens: [card.gatewayToken] };
}

function presentCharge(charge: RecordedCharge, paymentMethodId: string) {
  return {
    charge_id: charge.chargeId,
    order_id: charge.orderId,
    payment_method_id: paymentMethodId,
    amount: charge.amountCents,
    ...(charge.authorizedCents !== null && {
      authorized_amount: charge.authorizedCents,
      captured_amount: charge.status === 'succeeded' ? charge.amountCents : 0,
    }),
    refunded_amount: charge.refundedCents,
    status: charge.status,
    timestamp: epochSeconds(charge.at),
  };
}
