import { type Static, Type } from 'typebox';
import { type Caller, sandboxOf } from '../../../access/accounts/account.ts';
import { offeredTips } from '../../../ordering/money/offered-tips.ts';
import { checkoutLinkDeps } from '../../../ordering/order/checkout-link.ts';
import { autofillOptions, chooseOptions } from '../../../ordering/order/choose-options.ts';
import type { Order, OrderRequest, RequestedItem } from '../../../ordering/order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../../../ordering/order/order-deps.ts';
import { orderTotalCents } from '../../../ordering/order/order-view.ts';
import { requireGateway } from '../../../ordering/payments/payment-gateway.ts';
import {
  MAX_ITEMS,
  MAX_OPTIONS,
  missingToPlace,
  OrderBody,
  orderRequestOf,
} from '../../../ordering/place/order-body.ts';
import { createOrder, locateDoor, type OrderCommand } from '../../../ordering/place/place-order.flow.ts';
import { optionalText } from '../../../platform/http/api-components.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { openProduct } from '../../../supply/catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../../supply/catalog/product.ts';
import { findCatalogProducts } from '../../../supply/catalog/products.db.ts';
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

const P = OrderBody.properties;
const ITEM = P.items.items.properties;
const OPTION = ITEM.selected_options.items.properties;

const item = Type.Object(
  {
    product_id: ITEM.product_id,
    quantity: ITEM.quantity,
    selected_options: Type.Optional(
      Type.Array(
        Type.Object({ option_id: OPTION.option_id, quantity: OPTION.quantity }, { additionalProperties: false }),
        { maxItems: MAX_OPTIONS, description: 'Nested ones too' },
      ),
    ),
    notes: ITEM.notes,
    substitution: ITEM.substitution,
  },
  { additionalProperties: false },
);

const input = Type.Object(
  {
    order_id: optionalText(64, 'An earlier quote, to replace'),
    items: Type.Array(item, { minItems: 1, maxItems: MAX_ITEMS, description: 'Of one store' }),
    pickup: Type.Boolean({ description: 'true: pickup; false: delivery' }),
    driver_tip_cents: P.driver_tip_cents,
    user_latitude: P.user_latitude,
    user_longitude: P.user_longitude,
    address: P.address,
    user_street_num: P.user_street_num,
    user_street_name: P.user_street_name,
    user_apt_num: P.user_apt_num,
    user_city: P.user_city,
    user_state: P.user_state,
    user_zipcode: P.user_zipcode,
    user_country: P.user_country,
    user_language: P.user_language,
    user_dropoff_notes: P.user_dropoff_notes,
    user_pickup_notes: P.user_pickup_notes,
    drop_off: P.drop_off,
    user_name: P.user_name,
    user_email: P.user_email,
    user_phone: P.user_phone,
    user_id: P.user_id,
    payment_method_id: P.payment_method_id,
    scheduled_id: P.scheduled_id,
    autofill_selected_options: P.autofill_selected_options,
    customer_order_id: P.customer_order_id,
  },
  { additionalProperties: false },
);

type Deps = CreateOrderDeps & Pick<OrderDeps, 'trackingSites'>;

const unpaidInput = Type.Object(
  { ...input.properties, charge_user: P.charge_user },
  { additionalProperties: false },
) as typeof input;

/** Creates the tool for an unplaced order (docs/orders.md), for accounts whose agents may order unpaid or not. */
export function quoteOrderTool(deps: Deps, { unpaid }: { unpaid: boolean }): Tool {
  return defineTool({
    name: 'quote_order',
    description:
      'Prices and checks an order without placing it, and keeps it under an order_id. Names every fault at once. Show the customer items and total before place_order. Answers as get_order does.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: unpaid ? unpaidInput : input,
    names: DOOR_NAMES,
    async run(caller, { order_id: replaces, ...given }) {
      const body: Omit<Static<typeof OrderBody>, 'place_order'> = given;
      // A live order that charges needs a gateway, which is checked first (docs/requests.md#keys-and-accounts).
      if (body.charge_user !== false) requireGateway(deps.gateways, caller.mode);
      const asked = { request: orderRequestOf(body), address: body.address ?? null };
      const { request, door } = await locateDoor(deps, caller, asked, true);
      const command = { request, address: asked.address, replaces: replaces ?? null };
      const order = await quoteOrExplain(deps, caller, command);
      const missing = missingToPlace(order.request).map(({ name }) => name);
      return {
        ...showOrder(order, checkoutLinkDeps(deps, caller)),
        ...suggestedTips(order),
        ...(missing.length > 0 ? { missing_to_place: missing } : {}),
        ...resolvedAddress(door),
        next: nextStep(caller, order, missing.length > 0),
      };
    },
  });
}

/** The tips that the hosted pages offer too; a pickup has none. */
function suggestedTips({ quote, request: { mode } }: Order) {
  if (mode === 'pickup') return {};
  const tips = offeredTips(quote.subtotalCents + quote.markupCents);
  return { suggested_tips: tips.map(({ percent, cents }) => ({ percent, ...money('tip', cents) })) };
}

function nextStep({ agentOrders }: AgentCaller, order: Order, isMissing: boolean): string {
  if (agentOrders === 'handover')
    return 'Show the customer the items and the total, and send checkout_url: there they enter what is missing, pay and place the order.';
  if (isMissing)
    return 'Call quote_order again with this order_id, the same items and the arguments that missing_to_place names; or send the customer checkout_url, where they enter them, pay and place the order.';
  return `Show the customer the items and the total. When the customer agrees, call place_order with this order_id and expected_total_cents ${orderTotalCents(order)}, or send the customer checkout_url.`;
}

async function quoteOrExplain(
  deps: Deps,
  caller: Caller,
  command: Pick<OrderCommand, 'request' | 'address' | 'replaces'>,
) {
  try {
    return await createOrder(deps, caller, { ...command, place: false, idempotencyKey: null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const choices = await allowedChoices(deps, caller, command.request, error);
    throw choices.length === 0 ? error : withExplanation(error, { choices });
  }
}

const MAX_CHOICES_BYTES = 4 * 1024;
/**
 * Maximum items per refusal whose choices are explained. Once the model has corrected them, the next call explains
 * others.
 */
const MAX_EXPLAINED_ITEMS = 5;
const AT_OPTIONS = /^items\[(\d+)\]\.selected_options$/;

type AllowedChoice = ShownChoice & { at: string; product: string };

/** Returns the modifier groups that the option faults name, with their allowed options. */
async function allowedChoices(
  deps: Deps,
  caller: Caller,
  request: OrderRequest,
  { extras }: Refusal,
): Promise<AllowedChoice[]> {
  const indices = new Set((extras.errors ?? []).flatMap(({ name }) => AT_OPTIONS.exec(name)?.[1] ?? []));
  const shown: AllowedChoice[] = [];
  for (const index of [...indices].slice(0, MAX_EXPLAINED_ITEMS)) {
    const item = request.items[Number(index)];
    const product = item && (await readProduct(deps, caller, item.productId));
    if (!item || !product) continue;
    const head = { at: `items[${index}]`, product: clip(product.name, MAX_NAME) };
    shown.push(...choicesAtFault(product, item, request).map((choice) => ({ ...head, ...choice })));
  }
  return takeFitting(shown, MAX_CHOICES_BYTES);
}

async function readProduct({ db, tokens }: Deps, caller: Caller, token: string): Promise<CatalogProduct | undefined> {
  const ref = openProduct(tokens, token);
  const [product] = ref ? await findCatalogProducts(db, ref.storeId, [ref.productNo], sandboxOf(caller)) : [];
  return product;
}

/** Returns the faulty choices. For an unknown option, all choices that need no other option. */
function choicesAtFault(
  { customizations }: CatalogProduct,
  { selectedOptions }: RequestedItem,
  { autofillSelectedOptions }: OrderRequest,
): ShownChoice[] {
  const selected = selectedOptions.map((option) => ({ ...option, quantity: option.quantity ?? undefined }));
  const chosen = (autofillSelectedOptions ? autofillOptions : chooseOptions)(customizations, selected);
  if (!('faults' in chosen)) return [];
  const named = new Set(chosen.faults.flatMap(({ customizationId }) => customizationId ?? []));
  const hasUnknown = chosen.faults.some(({ kind }) => kind === 'unknown_option');
  const topIds = hasUnknown ? customizations.map(({ id }) => id) : [];
  return [...new Set([...named, ...topIds])].flatMap((id) => {
    const found = findChoice(customizations, id);
    return found ? choiceEntries(found.customization, found.parent) : [];
  });
}
