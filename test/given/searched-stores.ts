export const PLACE = { latitude: 40.7383, longitude: -73.9927 };

/** Degrees of latitude per mile. */
const MILE = 0.014473;

/** Three stores north of the position: one with every field, one that takes no orders now, one far away. */
export const SEARCHED_STORES = [
  {
    external_id: 'rich',
    name: "Luigi's Pizza Café",
    phone: '+12125550123',
    description: 'Since 1974',
    cuisines: ['Pizza', 'Italian'],
    dollar_signs: 2,
    rating: { value: 4.6, count: 812 },
    photos: { food: ['https://cdn.example/f.jpg'], logo: ['https://cdn.example/l.png'], store: [] },
    hours: {
      operational: { Monday: '11:00AM - 10:00PM', Wednesday: '11:00AM - 02:00PM, 05:00PM - 02:00AM' },
      delivery: 'Mo-Su 00:00-24:00',
    },
    categories: [
      {
        id: 'pies',
        name: 'Pies',
        products: [{ id: 'm', name: 'Jalapeño Pie', price: 1400, upc_code: '012345678905' }],
      },
    ],
  },
  {
    external_id: 'market',
    name: 'Corner Market',
    type: 'grocery',
    latitude: PLACE.latitude + 2 * MILE,
    dollar_signs: 1,
    rating: { value: 3.5 },
    hours: { operational: 'Mo-Su 18:00-20:00' },
    delivery: { enabled: true, accepting: false, party: 'courier' },
    pickup: { enabled: false },
    categories: [{ id: 'c', name: 'Dairy', products: [{ id: 'milk', name: 'Whole Milk 1L', price: 300 }] }],
  },
  {
    external_id: 'far',
    name: 'Pizza Palace',
    latitude: PLACE.latitude + 10 * MILE,
    delivery: { enabled: false },
    pickup: { enabled: true, prep_minutes: [5, 10] },
  },
];
