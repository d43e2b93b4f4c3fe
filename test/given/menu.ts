/** Restaurant categories with nesting, modifiers, a sale, and every reason why a product cannot be ordered. */
export const MENU = [
  {
    id: 'pies',
    name: 'Pies',
    categories: [
      {
        id: 'classic',
        name: 'Classic',
        products: [
          {
            id: 'margherita',
            name: 'Margherita',
            description: 'Tomato, basil',
            price: 1400,
            pickup_price: 1300,
            image: 'https://cdn.example/m.jpg',
            customizations: [
              {
                id: 'size',
                name: 'Size',
                min_choice_options: 1,
                max_choice_options: 1,
                options: [
                  { id: 's', name: '12 inch', price: 100, default_qty: 1 },
                  { id: 'l', name: '18 inch', price: 600, conditional_price: { s: 50 } },
                ],
              },
            ],
          },
          { id: 'sale', name: 'On sale', price: 800, pickup_price: 1100, original_price: 1000, qty_available: 3 },
          { id: 'pickup-only', name: 'By the counter', price: 500, modes: ['pickup'] },
          { id: 'off', name: 'Off sale', price: 500, available: false },
          { id: 'none-left', name: 'None left', price: 500, qty_available: 0 },
          { id: 'breakfast', name: 'Breakfast pie', price: 500, hours: 'Mo-Su 06:00-07:00' },
        ],
      },
      { id: 'white', name: 'White', products: [{ id: 'bianca', name: 'Bianca', price: 1500 }] },
    ],
  },
  { id: 'drinks', name: 'Drinks', products: [{ id: 'cola', name: 'Cola', price: 300 }] },
];
