import { Type } from 'typebox';
import { operation, REASON } from '../../access/operations/operation.ts';
import { markTipsPaidOut } from '../../ordering/money/tips.db.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { lockOrder } from '../../ordering/order/orders.db.ts';
import type { Context } from '../../platform/db/context.ts';
import { component, describedObject, optionalText } from '../../platform/http/api-components.ts';
import { cutPage } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { maybeText, showRow } from './field-schemas.ts';
import { listOwedTips, type OwedTip } from './owed-tips.db.ts';
import { TIPS } from './tables.ts';

const PAGE_SIZE = 50;

const OwedTipSchema = component('OwedTip', "The raised tips that an order's driver is owed.", {
  order_id: Type.String(),
  order_number: Type.String(),
  store_id: Type.String(),
  store_name: Type.String(),
  driver_name: maybeText("The delivery's driver. Null once the customer's data is erased."),
  courier: maybeText("The driver's courier company. Null for other drivers."),
  amount: Type.Integer({ description: 'Cents.' }),
  currency: Type.Enum(['USD', 'CAD']),
});

const presentOwed = ({ cents, country, ...row }: OwedTip) => {
  return { ...showRow(row), amount: cents, currency: currencyOf(country) };
};

export const listOwedTipsOperation = operation({
  endpoint: 'GET /tips',
  summary: 'List raised tips owed to drivers',
  description:
    'Lists tips on completed live orders if they were raised too late for the courier company, are in no store’s payout and are unpaid. Returns 50 per page.',
  query: Type.Object({ after: optionalText(64, "The previous page's last `order_id`.") }),
  answer: describedObject('By `order_id`.', {
    tips: Type.Array(OwedTipSchema),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as `after` to get the next page. Null on the last page.',
    }),
  }),
  on: { operator: { command: 'tips list', table: TIPS, role: 'viewer' } },
}).run(async ({ db }: Context, { query: { after = '' } }) => {
  const owed = await listOwedTips(db, { after, limit: PAGE_SIZE + 1 });
  const { page, next } = cutPage(owed, PAGE_SIZE, ({ orderId }) => orderId);
  return { tips: page.map(presentOwed), next };
});

export const markTipPaidOperation = operation({
  endpoint: 'POST /orders/:order_id/tip_paid',
  refuses: ['order_not_found', 'transition_not_allowed'],
  summary: 'Mark raised tips as paid to the driver',
  description:
    'Removes the tips from the list. If `amount` differs from the amount owed, returns 409 `transition_not_allowed`.',
  example: { body: { amount: 300, reason: 'Paid by the courier company, invoice 17.' } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'From `GET /operator/tips`.' }) }),
  body: Type.Object({ amount: Type.Integer({ minimum: 1, description: 'The paid cents.' }), reason: REASON }),
  answer: OwedTipSchema,
  on: { operator: { command: 'tips paid <order_id>', role: 'support' } },
}).run(async (_needs: object, { save, params: { order_id: orderId }, body: { amount, reason } }) => {
  const paid = await save(
    async (tx, at) => {
      if (!(await lockOrder(tx, orderId))) throw orderNotFound();
      const [owed] = await listOwedTips(tx, { orderId, after: '', limit: 1 });
      if (owed?.cents !== amount) {
        const sentence = `The amount owed to this order's driver is ${formatPrice(owed?.cents ?? 0)}.`;
        throw new Refusal('transition_not_allowed', sentence);
      }
      await markTipsPaidOut(tx, orderId, at);
      return owed;
    },
    () => ({ action: 'order.tip_paid', target: orderId, details: { amount, reason } }),
  );
  return presentOwed(paid);
});
