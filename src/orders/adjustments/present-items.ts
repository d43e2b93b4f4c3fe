import type { Static } from 'typebox';
import type { PricedCustomization } from '../../quotes/price-order.ts';
import type { Order, RequestedItem, Substitution } from '../order.ts';
import type { OrderSchema } from '../order-schema.ts';
import { fulfilledItems } from './item-adjustment.ts';

type PresentedItem = Static<typeof OrderSchema>['items'][number];

/** The items of the Order element: as they were ordered, and as the store hands them over. */
export function presentItems(order: Pick<Order, 'request' | 'quote' | 'adjustments'>): PresentedItem[] {
  const handedOver = fulfilledItems(order);
  return order.request.items.map((item, index) => {
    const fulfilled = handedOver[index];
    const isReplaced = fulfilled !== undefined && fulfilled.replaces !== null;
    return {
      product_id: isReplaced ? fulfilled.productId : item.productId,
      quantity: item.quantity,
      ordered_quantity: item.quantity,
      fulfilled_quantity: fulfilled?.quantity ?? item.quantity,
      substituted_for: isReplaced ? item.productId : null,
      substitution: presentSubstitution(item.substitution),
      selected_options: inSequence(item, (fulfilled?.customizations ?? []).flatMap(chosenIn)),
      notes: item.notes,
    };
  });
}

function presentSubstitution(substitution: Substitution | undefined): PresentedItem['substitution'] {
  if (substitution?.preference !== 'specific') return { preference: substitution?.preference ?? 'refund' };
  return { preference: 'specific', product_ids: [...substitution.productIds] };
}

/** In the order of the request, then auto-filled options in the order of the menu. */
function inSequence({ selectedOptions }: RequestedItem, chosen: PresentedItem['selected_options']) {
  const asked = selectedOptions.map(({ optionId }) => optionId);
  const placeOf = (optionId: string) => (asked.includes(optionId) ? asked.indexOf(optionId) : asked.length);
  return chosen.toSorted((a, b) => placeOf(a.option_id) - placeOf(b.option_id));
}

function chosenIn({ options }: PricedCustomization): PresentedItem['selected_options'] {
  return options.flatMap(({ id, quantity, customizations }) => [
    { option_id: id, quantity },
    ...customizations.flatMap(chosenIn),
  ]);
}
