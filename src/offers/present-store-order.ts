import type { Static } from 'typebox';
import { quotedReadyEpochS } from '../deliveries/confirmed-details.ts';
import { epochSeconds } from '../lib/time.ts';
import { fulfilledItems } from '../orders/adjustments/item-adjustment.ts';
import { repriceOrder } from '../orders/adjustments/reprice-order.ts';
import { allowsStep } from '../orders/advance-order.ts';
import { allergensOf } from '../orders/item-food.ts';
import { numberOf, type Order } from '../orders/order.ts';
import { ADVANCE_EVENTS } from '../orders/order-events.ts';
import { presentOrder } from '../orders/present-order.ts';
import type { PricedCustomization } from '../quotes/price-order.ts';
import type { StoreOrderSchema } from './store-order-schema.ts';

export type StoreOrder = Static<typeof StoreOrderSchema>;
type StoreOrderOption = StoreOrder['items'][number]['options'][number];

/** An order for its store: the tracking link has no key. `driverLink` is the address of the driver's page. */
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
    order_number: numberOf(order),
    offered_at: secondsOf(order.offerAt),
    received_at: secondsOf(order.receivedAt),
    confirm_by: order.status === 'awaiting_confirmation' ? secondsOf(order.confirmBy) : null,
    quoted_ready_by: quotedReadyEpochS(order),
    ready_by: secondsOf(order.readyBy),
    store_part: storePartOf(order),
    driver_link: driverLink,
    driver_accepted_at: order.driver.acceptedEpochS ?? null,
    steps: ADVANCE_EVENTS.filter((event) => allowsStep(order, event)),
  };
}

function storePartOf(order: Order): StoreOrder['store_part'] {
  const price = repriceOrder(order);
  const fees = price.deliveryFeeCents + price.serviceFeeCents + price.smallOrderFeeCents;
  return {
    subtotal: price.subtotalCents,
    sales_tax_cents: price.salesTaxCents,
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

const secondsOf = (moment: Temporal.Instant | null) => moment && epochSeconds(moment);
