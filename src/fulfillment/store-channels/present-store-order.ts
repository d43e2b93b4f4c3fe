import { type Static, Type } from 'typebox';
import { fulfilledItems } from '../../ordering/orders/adjustments/item-adjustment.ts';
import { repriceOrder } from '../../ordering/orders/adjustments/reprice-order.ts';
import { ADVANCE_EVENTS, type Order, shownOrderNumber } from '../../ordering/orders/order.ts';
import { allergensOf, possibleSteps } from '../../ordering/orders/order-view.ts';
import { OrderSchema, presentOrder } from '../../ordering/orders/present-order.ts';
import { named, reference } from '../../platform/http/api-components.ts';
import { epochSecondsOrNull } from '../../platform/lib/time.ts';
import { ALLERGENS } from '../../supply/catalog/food.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { TaxesByName, taxesMember } from '../../supply/pricing/quote-schema.ts';
import { quotedReadyEpochS } from '../deliveries/kitchen-times.ts';

const moment = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} Epoch seconds, or null.` });

const allergens = (description: string) =>
  Type.Union([Type.Array(Type.Enum([...ALLERGENS])), Type.Null()], { description: `${description} Null: unknown.` });

const StoreOrderOptionSchema = Type.Object(
  {
    customization: Type.String({ description: 'The choice that the option answers.' }),
    name: Type.String(),
    quantity: Type.Integer(),
    options: Type.Array(reference('StoreOrderOption'), { description: 'What was chosen with the option.' }),
  },
  named('StoreOrderOption', 'An option as the kitchen reads it.'),
);

const StoreOrderItemSchema = Type.Object(
  {
    ...OrderSchema.properties.items.items.properties,
    name: Type.String({ description: 'Of what is handed over: of the substitute, where there is one.' }),
    ordered_name: Type.String({ description: 'Of what was ordered.' }),
    options: Type.Array(StoreOrderOptionSchema),
    allergens: allergens('Allergens that are known of the product and its chosen options, as they were ordered.'),
    may_contain: allergens('Traces that are known beside `allergens`.'),
    named_substitutes: Type.Array(Type.Object({ product_id: Type.String(), name: Type.String() }), {
      description: 'The products that the customer takes instead, with the preference `specific`.',
    }),
  },
  named('StoreOrderItem', 'An item with the names that the kitchen needs.'),
);

/** An order for its store: the Order element, and what the kitchen needs (docs/store-api.md#an-order). */
export const StoreOrderSchema = Type.Object(
  {
    ...OrderSchema.properties,
    items: Type.Array(StoreOrderItemSchema),
    tracking_link: Type.String({ description: 'Shows the order, and permits nothing: it has no `key`.' }),
    order_number: Type.String({ description: 'What people call the order at the counter.' }),
    offered_at: moment('When the store is offered the order.'),
    received_at: moment('When a first channel of the store had the order; null for a sandbox order.'),
    confirm_by: moment('When an unconfirmed order is canceled.'),
    quoted_ready_by: Type.Integer({
      description: 'When the food has to be ready for the quoted time of arrival, in epoch seconds.',
    }),
    ready_by: moment('When the food is ready, as the store said; for a scheduled order not before `quoted_ready_by`.'),
    store_part: Type.Object(
      { subtotal: Type.Integer(), sales_tax_cents: Type.Integer(), taxes: TaxesByName, total: Type.Integer() },
      {
        description:
          'What the store gets for what it hands over, in cents: `total` has its fees and taxes, and no tip.',
      },
    ),
    driver_link: Type.Union([Type.String(), Type.Null()], {
      description: "The page of the store's own driver; null without one.",
    }),
    driver_accepted_at: moment("When the store's own driver accepted the delivery on the driver's page."),
    steps: Type.Array(Type.Enum([...ADVANCE_EVENTS]), { description: 'The steps that the order can take now.' }),
  },
  named('StoreOrder', 'An order as its store sees it.'),
);

export type StoreOrder = Static<typeof StoreOrderSchema>;
type StoreOrderOption = StoreOrder['items'][number]['options'][number];

/** Days after its end for which a store sees how to reach an order's customer (docs/store-api.md#past-orders). */
const CONTACT_DAYS = 3;

/**
 * An order as its store may still see it: some days after its end without the customer's phone, email and address, and
 * without the driver's phone and position.
 */
export function withoutOldContacts(order: Order, now: Temporal.Instant): Order {
  const endedAt = order.completedAt ?? order.canceledAt;
  const isKept = endedAt === null || Temporal.Instant.compare(endedAt.add({ hours: 24 * CONTACT_DAYS }), now) > 0;
  if (isKept) return order;
  const { name, vehicleType } = order.driver;
  const driver = { ...(name === undefined ? {} : { name }), ...(vehicleType === undefined ? {} : { vehicleType }) };
  return { ...order, driver, request: { ...order.request, customer: { ...order.request.customer, ...NO_CONTACT } } };
}

const NO_CONTACT = {
  email: '',
  phone: null,
  latitude: null,
  longitude: null,
  streetNum: '',
  streetName: '',
  aptNum: '',
  city: '',
  state: '',
  zipcode: '',
  dropoffNotes: '',
  pickupNotes: '',
} as const;

/** Presents an order to its store. The tracking link has no key; `driverLink` is the URL of the driver's page. */
export function presentStoreOrder(order: Order, siteUrl: string, driverLink: string | null = null): StoreOrder {
  const presented = presentOrder(order, { siteUrl });
  const fulfilled = fulfilledItems(order);
  return {
    ...presented,
    items: presented.items.map((item, index) => {
      const { contains, mayContain } = allergensOf(fulfilled[index] ?? {});
      const ordered = order.quote.items[index];
      return {
        ...item,
        name: fulfilled[index]?.name ?? '',
        ordered_name: ordered?.name ?? '',
        options: fulfilled[index]?.customizations.flatMap(optionsOf) ?? [],
        allergens: contains && [...contains],
        may_contain: mayContain && [...mayContain],
        named_substitutes: (ordered?.namedSubstitutes ?? []).map(({ productId, name }) => ({
          product_id: productId,
          name,
        })),
      };
    }),
    order_number: shownOrderNumber(order),
    offered_at: epochSecondsOrNull(order.offerAt),
    received_at: epochSecondsOrNull(order.receivedAt),
    confirm_by: order.status === 'awaiting_confirmation' ? epochSecondsOrNull(order.confirmBy) : null,
    quoted_ready_by: quotedReadyEpochS(order),
    ready_by: epochSecondsOrNull(order.readyBy),
    store_part: storePartOf(order),
    driver_link: driverLink,
    driver_accepted_at: order.driver.acceptedEpochS ?? null,
    steps: possibleSteps(order),
  };
}

/** What the store earns for what it hands over, without tip. */
export function storePartOf(order: Pick<Order, 'quote' | 'adjustments'>): StoreOrder['store_part'] {
  const price = repriceOrder(order);
  const fees = price.deliveryFeeCents + price.serviceFeeCents + price.smallOrderFeeCents;
  return {
    subtotal: price.subtotalCents,
    sales_tax_cents: price.salesTaxCents,
    ...taxesMember(price.taxes),
    total: price.subtotalCents + fees + price.salesTaxCents,
  };
}

function optionsOf({ name, options }: PricedCustomization): StoreOrderOption[] {
  return options.map((option) => ({
    customization: name,
    name: option.name,
    quantity: option.quantity,
    options: option.customizations.flatMap(optionsOf),
  }));
}
