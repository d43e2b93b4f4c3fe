import { type Static, Type } from 'typebox';
import { nameOf } from '../../../access/customers/customer.ts';
import { offeredTips } from '../../../ordering/money/offered-tips.ts';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import { isWeighedOrder, type Order, type RequestedItem } from '../../../ordering/order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../../../ordering/order/order-deps.ts';
import { type OrderFault, OrderRefused } from '../../../ordering/order/order-faults.ts';
import { orderTotalCents } from '../../../ordering/order/order-view.ts';
import { requireGateway } from '../../../ordering/payments/payment-gateway.ts';
import { listPaymentMethods } from '../../../ordering/payments/payment-methods.db.ts';
import {
  CART_MEMBERS,
  type Cart,
  cartOf,
  MAX_ITEMS,
  MAX_OPTIONS,
  MAX_QUANTITY,
  missingToPlace,
  OrderBody,
} from '../../../ordering/place/order-body.ts';
import { quoteCart } from '../../../ordering/place/place-order.flow.ts';
import { optionalText } from '../../../platform/http/api-components.ts';
import type { Refusal } from '../../../platform/http/refusal.ts';
import { invalidRequest } from '../../../platform/http/request-schema.ts';
import type { CatalogProduct } from '../../../supply/catalog/product.ts';
import { readWeight } from '../../../supply/pricing/weight.ts';
import { choiceEntries, findChoice, type ShownChoice } from '../product-choices.ts';
import { withExplanation } from '../refused-answer.ts';
import { showOrder } from '../shown-order.ts';
import {
  type AgentCaller,
  clip,
  DOOR_NAMES,
  defineTool,
  MAX_NAME,
  money,
  resolvedAddress,
  type Tool,
  takeFitting,
} from '../tool.ts';

/* Tool `quote_order`: a cart to an unplaced order with its total, and the steps left for a person. */

const P = OrderBody.properties;
const ITEM = P.items.items.properties;
const OPTION = ITEM.selected_options.items.properties;

const item = Type.Object(
  {
    product_id: ITEM.product_id,
    quantity: Type.Optional(
      Type.Refine(
        Type.Unsafe<number | string>({ type: ['integer', 'string'], minimum: 1, maximum: MAX_QUANTITY, maxLength: 40 }),
        (quantity) => typeof quantity === 'number' || readWeight(quantity) !== undefined,
        () => 'must be a whole number, or of goods by weight a text such as "1.5 lb"',
      ),
    ),
    selected_options: Type.Optional(
      Type.Array(
        Type.Object({ option_id: OPTION.option_id, quantity: OPTION.quantity }, { additionalProperties: false }),
        { maxItems: MAX_OPTIONS, description: 'Including nested ones' },
      ),
    ),
    notes: ITEM.notes,
    substitution: ITEM.substitution,
  },
  { additionalProperties: false },
);

const input = {
  order_id: optionalText(64, 'A quote to replace'),
  ...Type.Omit(Type.Pick(OrderBody, [...CART_MEMBERS]), ['quote_preference']).properties,
  items: Type.Array(item, { minItems: 1, maxItems: MAX_ITEMS, description: 'Items from one store' }),
  pickup: Type.Boolean({ description: 'true: pickup; false: delivery' }),
  user_id: P.user_id,
  payment_method_id: P.payment_method_id,
  customer_order_id: P.customer_order_id,
};

type Quoted = Omit<Static<typeof OrderBody>, 'place_order'>;
type Deps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

/** Creates the tool for an unplaced order (docs/orders.md), for accounts whose agents may order unpaid or not. */
export function quoteOrderTool(deps: Deps, { unpaid }: { unpaid: boolean }): Tool {
  return defineTool({
    name: 'quote_order',
    description:
      'Prices, checks and stores an order without placing it. Lists all errors. Returns the same as get_order.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: unpaid ? { ...input, charge_user: P.charge_user } : input,
    names: DOOR_NAMES,
    async run(caller, { order_id: replaces, ...given }) {
      const body: Quoted = ofCustomer(caller, given);
      // A live order that charges needs a gateway, which is checked first (docs/requests.md#keys-and-accounts).
      if (body.charge_user !== false) requireGateway(deps.gateways, caller.mode);
      if (replaces === undefined) caller.visitor?.count('carts');
      const how = { replaces: replaces ?? null, needsStreet: true, idempotencyKey: caller.idempotencyKey ?? null };
      const { order, door } = await quoteCart(deps, caller, cartOfAgent(caller, body), how).catch((error: unknown) => {
        throw error instanceof OrderRefused ? withChoices(error) : error;
      });
      const missing = missingToPlace(order.request, { totalCents: order.quote.totalWithTipCents }).map(
        ({ name }) => name,
      );
      return {
        ...showOrder(order, checkoutLinkDeps(deps, caller)),
        ...suggestedTips(order),
        ...(missing.length > 0 ? { missing_to_place: missing } : {}),
        ...resolvedAddress(door),
        ...(await savedCards(deps, caller)),
        next: nextStep(caller, order, missing.length > 0),
      };
    },
  });
}

/** The cart of a signed-in customer, who is its user and whose contacts stand in for missing ones. */
function ofCustomer<Body extends Pick<Static<typeof OrderBody>, 'user_id' | 'user_name' | 'user_email' | 'user_phone'>>(
  { customer }: AgentCaller,
  body: Body,
): Body {
  if (!customer) return body;
  if (body.user_id !== undefined) {
    throw invalidRequest([{ in: 'body', name: 'user_id', message: 'is the signed-in customer, and cannot be named' }]);
  }
  const { userId, email, phone } = customer;
  const name = nameOf(customer);
  const contacts = {
    ...(name !== '' && { user_name: name }),
    ...(email !== null && { user_email: email }),
    ...(phone !== null && { user_phone: phone }),
  };
  return { ...contacts, ...body, user_id: userId };
}

/** The cart of a call, which names the program of a customer's token. */
function cartOfAgent({ customer }: AgentCaller, body: Quoted): Cart {
  const { request: written, address } = cartOf(body);
  const request = { ...written, items: written.items.map((item, at) => amountOf(item, body.items[at]?.quantity)) };
  if (!customer) return { request, address };
  return { request: { ...request, agent: { name: customer.clientName, host: customer.clientHost } }, address };
}

/** An item whose `quantity` is a weight with its unit, or counts pieces. */
function amountOf(item: RequestedItem, quantity: number | string | undefined): RequestedItem {
  if (quantity === undefined) return item;
  return { ...item, amount: typeof quantity === 'string' ? (readWeight(quantity) ?? {}) : { isCount: true } };
}

const MAX_CARDS = 10;

/** The cards that a customer's agent may charge. */
async function savedCards({ db }: Pick<Deps, 'db'>, caller: AgentCaller) {
  if (!caller.customer || caller.agentOrders !== 'place') return {};
  const cards = await listPaymentMethods(db, caller, caller.customer.userId, MAX_CARDS);
  return {
    saved_cards: cards.map(({ paymentMethodId, brand, last4 }) => ({
      payment_method_id: paymentMethodId,
      brand,
      last4,
    })),
  };
}

/** The tips that the hosted pages offer too; a pickup has none. */
function suggestedTips({ quote, request: { mode } }: Order) {
  if (mode === 'pickup') return {};
  const tips = offeredTips(quote.subtotalCents + quote.markupCents);
  return { suggested_tips: tips.map(({ percent, cents }) => ({ percent, ...money('tip', cents) })) };
}

function nextStep({ agentOrders }: AgentCaller, order: Order, isMissing: boolean): string {
  const total = isWeighedOrder(order.quote)
    ? 'the total, an estimate, and at_most, the most that they pay'
    : 'the total';
  if (agentOrders === 'handover')
    return `Show the customer the items and ${total}, and send checkout_url, where they enter the missing details, pay and place the order.`;
  if (isMissing)
    return 'Call quote_order again with this order_id, the same items and the arguments in missing_to_place. Or send the customer checkout_url, where they enter them, pay and place the order.';
  return `Show the customer the items and ${total}. When the customer agrees, call place_order with this order_id and expected_total_cents ${orderTotalCents(order)}, or send the customer checkout_url.`;
}

const MAX_CHOICES_BYTES = 4 * 1024;
/**
 * Maximum items per error whose choices are explained. Once the model has corrected them, the next call explains
 * others.
 */
const MAX_EXPLAINED_ITEMS = 5;
/** Adds the modifier groups that the option errors name, with their allowed options. */
function withChoices(refused: OrderRefused): Refusal {
  const wrong = refused.faults.filter(({ code, product }) => code === 'invalid_options' && product);
  const byItem = [...Map.groupBy(wrong, ({ name }) => name)].slice(0, MAX_EXPLAINED_ITEMS);
  const shown = byItem.flatMap(([name, [first, ...others]]) => {
    if (!first?.product) return [];
    const head = { at: name.replace(/\..*/, ''), product: clip(first.product.name, MAX_NAME) };
    return choicesAtFault(first.product, [first, ...others]).map((choice) => ({ ...head, ...choice }));
  });
  return shown.length === 0 ? refused : withExplanation(refused, { choices: takeFitting(shown, MAX_CHOICES_BYTES) });
}

/** Returns the faulty choices. For an unknown option, all choices that need no other option. */
function choicesAtFault({ customizations }: CatalogProduct, faults: readonly OrderFault[]): ShownChoice[] {
  const named = faults.flatMap(({ customizationId }) => customizationId ?? []);
  const hasUnknown = faults.some(({ kind }) => kind === 'unknown_option');
  const topIds = hasUnknown ? customizations.map(({ id }) => id) : [];
  return [...new Set([...named, ...topIds])].flatMap((id) => {
    const found = findChoice(customizations, id);
    return found ? choiceEntries(found.customization, found.parent) : [];
  });
}
