/** A feed line, loosely typed: tests send valid and invalid lines. */
export type FeedLine = Record<string, unknown>;

const ALWAYS = Object.fromEntries(
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((day) => [day, 'Open 24 hours']),
);

/** Manhattan: the `pizzeria` store and a door half a mile away. */
export const NEAR_DOOR = { user_latitude: 40.744, user_longitude: -73.988 };

/** A restaurant that is always open and offers delivery and pickup; all its fees differ from zero. */
export function pizzeria(changes: FeedLine = {}): FeedLine {
  return {
    external_id: 'pizzeria',
    name: 'Test Pizzeria',
    type: 'restaurant',
    phone: '+12125550123',
    address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
    latitude: 40.7383,
    longitude: -73.9927,
    time_zone: 'America/New_York',
    hours: { operational: ALWAYS },
    cuisines: ['pizza'],
    online_ordering: true,
    pickup: { enabled: true, prep_minutes: [10, 20] },
    delivery: { enabled: true, party: 'first', radius_miles: 3, prep_minutes: [10, 20] },
    fees: {
      delivery_fee: { delivery_fee_flat: 299, delivery_fee_percent: 0, delivery_fee_taxable: false },
      service_fee: {
        service_fee_flat: 0,
        service_fee_percent: 10,
        service_fee_min: 100,
        service_fee_max: 800,
        service_fee_taxable: true,
      },
      small_order_fee: { minimum_order_value: 1200, small_order_fee_flat: 200, small_order_fee_percent: 0 },
      order_minimum: 500,
      sales_tax_percent: 8.875,
    },
    scheduling: { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: 2 },
    categories: [
      {
        id: 'pies',
        name: 'Pies',
        products: [margherita(), { id: 'soda', name: 'Soda', price: 250, upc_code: '036000291452' }],
      },
      {
        id: 'specials',
        name: 'Specials',
        products: [
          { id: 'last', name: 'Last Slice', price: 1500, qty_available: 1 },
          { id: 'few', name: 'Few Left', price: 1000, qty_available: 3 },
          { id: 'off', name: 'Off Sale', price: 1000, available: false },
          { id: 'breakfast', name: 'Breakfast Pie', price: 900, hours: 'Mo-Su 06:00-10:00' },
        ],
      },
    ],
    ...changes,
  };
}

function margherita() {
  const option = (id: string, name: string, price: number, more: object = {}) => ({ id, name, price, ...more });
  const cut = {
    id: 'cut',
    name: 'Cut',
    min_choice_options: 0,
    max_choice_options: 1,
    options: [option('sq', 'Squares', 0)],
  };
  return {
    id: 'margherita',
    name: 'Margherita',
    price: 1400,
    pickup_price: 1300,
    customizations: [
      {
        id: 'size',
        name: 'Size',
        min_choice_options: 1,
        max_choice_options: 1,
        options: [
          option('s', '12 inch', 0, { default_qty: 1 }),
          option('l', '18 inch', 600, { customizations: [cut] }),
        ],
      },
      {
        id: 'top',
        name: 'Toppings',
        min_choice_options: 0,
        max_choice_options: 5,
        options: [option('olives', 'Olives', 150, { max_qty: 2, conditional_price: { l: 250 } })],
      },
    ],
  };
}
