import assert from 'node:assert/strict';
import { test } from 'node:test';
import { milesBetween } from 'doorstep/search-engine/geography';
import fc from 'fast-check';
import { carts, deliveryFeeOf, orderOf, serviceOf, smallOf } from '../../../test/oracles/carts.ts';
import { chooseParty, oracleDoors, oracleStores, partiesOf, placeOf } from '../../../test/oracles/delivery-parties.ts';
import { type OracleCart, oraclePrice } from '../../../test/oracles/price-oracle.ts';
import { storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import { estimateDelivery, shortestPreparation } from '../stores/time-estimate.ts';
import { priceOrder } from './price-order.ts';
import { deliveryTermsFor, QUOTE_PREFERENCES } from './quote.ts';

const taxesOf = (cart: OracleCart) => {
  const { taxes } = orderOf(cart).fees;
  return taxes ? { taxes } : {};
};

/** On the equator, where a hundredth of a degree is as long eastward as northward. */
const PLACE = { latitude: 0, longitude: 0 };

test('the preference picks the provider that a scan of all picks, and its order costs the formula’s price', () => {
  fc.assert(
    fc.property(
      oracleStores,
      oracleDoors,
      fc.constantFrom(...QUOTE_PREFERENCES),
      carts,
      (described, away, preference, cart) => {
        const fees = {
          deliveryFee: deliveryFeeOf(described.delivery),
          serviceFee: serviceOf(described.service),
          pickupServiceFee: null,
          smallOrderFee: smallOf(described.small),
          orderMinimumCents: Number(described.minimum),
          salesTaxPercent: null,
          ...taxesOf(cart),
        };
        const parties = partiesOf(described, PLACE);
        const delivery = { enabled: true, accepting: true, prepMinutes: described.minutes, parties };
        const store = storeOf('s', { ...PLACE, fees, delivery });
        const door = placeOf(away, PLACE);
        const terms = deliveryTermsFor(store, door, preference);
        const expected = chooseParty(described, away, preference);
        if (typeof expected === 'string' || typeof terms === 'string') return assert.equal(terms, expected);

        // Search sorts by a preparation time that is a lower bound for every quote.
        const shortest = estimateDelivery(shortestPreparation(delivery), milesBetween(PLACE, door));
        assert.ok(terms.estimate.minMinutes >= shortest.minMinutes);
        assert.equal(terms.party, expected.kind);
        assert.equal(terms.fees.orderMinimumCents, Number(expected.terms.minimum));
        assert.deepEqual(terms.estimate, estimateDelivery(expected.terms.minutes, milesBetween(PLACE, door)));
        const order = orderOf(cart);
        const taxed = { ...terms.fees, taxes: order.fees.taxes };
        const price = priceOrder({ ...order, mode: 'delivery', slotDeliveryFee: null, fees: taxed });
        const oracle = oraclePrice({ ...cart, pickup: false, slot: null, ...expected.terms });
        assert.deepEqual(
          [
            price.deliveryFeeCents,
            price.serviceFeeCents,
            price.smallOrderFeeCents,
            price.salesTaxCents,
            price.totalWithTipCents,
          ].map(BigInt),
          [oracle.delivery, oracle.service, oracle.small, oracle.tax, oracle.totalWithTip],
        );
      },
    ),
    { numRuns: runs(10_000) },
  );
});
