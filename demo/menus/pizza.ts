import type { FeedCategory, FeedCustomization, FeedOption } from '../feed-line.ts';
import { dish, exactly, oneOf, option, plainOptions, section, softDrinks, upTo } from '../menu-kit.ts';

/** A topping costs more on a larger pizza, and counts twice when doubled. */
function topping(id: string, name: string, price: number): FeedOption {
  return option(id, name, price, {
    max_qty: 2,
    conditional_price: { 'size-14': price + 50, 'size-18': price + 125 },
    customizations: [
      upTo(1, `${id}-side`, 'Only on', [option(`${id}-left`, 'Left half'), option(`${id}-right`, 'Right half')]),
    ],
  });
}

function size(): FeedCustomization {
  const cut = (inches: string) =>
    upTo(1, `cut-${inches}`, 'Cut', [option(`squares-${inches}`, 'Squares'), option(`uncut-${inches}`, 'Not cut')]);
  return oneOf('size', 'Size', [
    option('size-10', '10 inch'),
    option('size-14', '14 inch', 500, { customizations: [cut('14')] }),
    option('size-18', '18 inch', 900, { customizations: [cut('18')] }),
  ]);
}

function crust(): FeedCustomization {
  const filling = oneOf('filling', 'Filling', [
    option('fill-mozzarella', 'Mozzarella'),
    option('fill-garlic', 'Garlic and herb cheese', 50),
  ]);
  return oneOf('crust', 'Crust', [
    option('hand-tossed', 'Hand tossed'),
    option('thin', 'Thin and crisp'),
    option('stuffed', 'Stuffed', 250, { conditional_price: { 'size-18': 400 }, customizations: [filling] }),
    option('gluten-free', 'Gluten free', 300),
  ]);
}

function toppings(): FeedCustomization {
  const meats = [
    topping('pepperoni', 'Pepperoni', 200),
    topping('sausage', 'Fennel sausage', 200),
    topping('bacon', 'Bacon', 225),
  ];
  const greens = [
    topping('mushrooms', 'Mushrooms', 150),
    topping('olives', 'Olives', 150),
    topping('peppers', 'Roasted peppers', 150),
    topping('onions', 'Red onions', 125),
    topping('basil', 'Basil', 100),
  ];
  return upTo(6, 'toppings', 'Toppings', [...meats, ...greens]);
}

/** So many choices that an inventory leaves them to the product's details. */
function pantry(): FeedCustomization {
  const names = [
    'Artichokes',
    'Capers',
    'Arugula',
    'Spinach',
    'Pineapple',
    'Jalapeños',
    'Sun-dried tomatoes',
    'Roasted garlic',
  ];
  return upTo(4, 'pantry', 'From the pantry', plainOptions('pantry', names, 125));
}

const build = () => [size(), crust(), toppings()];

export function pizzaMenu(): FeedCategory[] {
  const slices = ['Margherita slice', 'Pepperoni slice', 'Mushroom slice', 'Bianca slice', 'Potato slice'];
  return [
    section('Pies', [
      dish('Build your own', 1100, 'Tomato sauce, mozzarella, and what you like.', {
        customizations: [...build(), pantry()],
      }),
      dish('Margherita', 1250, 'Tomato, fresh mozzarella, basil.', { customizations: build() }),
      dish('Pepperoni', 1350, 'Cupped and crisp at the edges.', { customizations: build() }),
      dish('Four seasons', 1550, 'Artichoke, ham, mushrooms and olives, a quarter each.', {
        customizations: [size(), crust()],
      }),
      dish('White pie', 1450, 'Ricotta, mozzarella, garlic, no tomato.', { customizations: build() }),
      dish('Market vegetable', 1500, 'Whatever is best this week.', {
        qty_available: 12,
        customizations: [size(), crust()],
      }),
    ]),
    section(
      'Slices',
      [
        dish('Slice of the day', 375, 'Ask, or be surprised.'),
        dish('Slice sampler', 950, 'Three different slices.', {
          customizations: [
            exactly(
              3,
              'slices',
              'Slices',
              slices.map((name) => option(name.toLowerCase().replaceAll(' ', '-'), name)),
            ),
          ],
        }),
      ],
      'Mo-Su 11:00-15:00',
    ),
    section('Sides', [
      dish('Garlic knots', 550, 'Six, with warm tomato sauce.'),
      dish('Caesar salad', 925, 'Romaine, croutons, anchovy dressing.', {
        customizations: [
          upTo(2, 'add', 'Add', [option('chicken', 'Grilled chicken', 350), option('egg', 'Soft egg', 150)]),
        ],
      }),
      dish('Baked wings', 1150, 'Eight wings.', {
        customizations: [
          oneOf('sauce', 'Sauce', [option('hot', 'Hot'), option('honey', 'Honey garlic'), option('plain', 'Plain')]),
        ],
      }),
      dish('Cannoli', 450, 'Filled when you order.', { qty_available: 20 }),
    ]),
    softDrinks(),
  ];
}
