import type { FeedCategory, FeedProduct } from '../feed-line.ts';
import { dish, oneOf, option, plainOptions, section, upTo } from '../menu-kit.ts';

function espressoDrink(name: string, price: number, description: string): FeedProduct {
  return dish(name, price, description, {
    customizations: [
      oneOf('size', 'Size', [option('small', 'Small'), option('medium', 'Medium', 60), option('large', 'Large', 120)]),
      oneOf('milk', 'Milk', [
        option('whole', 'Whole'),
        option('skim', 'Skim'),
        option('oat', 'Oat', 70, { conditional_price: { medium: 80, large: 95 } }),
        option('almond', 'Almond', 70, { conditional_price: { medium: 80, large: 95 } }),
      ]),
      oneOf('temperature', 'Served', [
        option('hot', 'Hot'),
        option('iced', 'Iced', 0, {
          customizations: [oneOf('ice', 'Ice', plainOptions('ice', ['Usual', 'Light', 'Extra']))],
        }),
      ]),
      upTo(4, 'add', 'Add', [
        option('shot', 'Extra shot', 125, { max_qty: 3 }),
        ...plainOptions('syrup', ['Vanilla', 'Hazelnut', 'Maple'], 75),
      ]),
    ],
  });
}

export function cafeMenu(): FeedCategory[] {
  return [
    section('Espresso', [
      espressoDrink('Latte', 475, 'Two shots, steamed milk.'),
      espressoDrink('Cappuccino', 450, 'Two shots, foam.'),
      espressoDrink('Mocha', 525, 'Two shots, dark chocolate.'),
      espressoDrink('Maple latte', 550, 'Two shots, real maple.'),
      dish('Espresso', 325, 'Two shots.'),
    ]),
    section('Brewed', [
      dish('Drip coffee', 325, 'Today’s roast.', {
        customizations: [oneOf('size', 'Size', [option('small', 'Small'), option('large', 'Large', 75)])],
      }),
      dish('Cold brew', 450, 'Eighteen hours.', { qty_available: 25 }),
      dish('Tea', 350, 'Whole leaf.', {
        customizations: [oneOf('leaf', 'Tea', plainOptions('tea', ['Breakfast', 'Earl grey', 'Mint', 'Rooibos']))],
      }),
    ]),
    section(
      'Breakfast',
      [
        dish('Egg sandwich', 795, 'Soft egg, cheddar, brioche.', {
          customizations: [upTo(2, 'add', 'Add', [option('bacon', 'Bacon', 225), option('avocado', 'Avocado', 200)])],
        }),
        dish('Granola and yogurt', 750, 'Seeds, honey, fruit.'),
        dish('Avocado toast', 975, 'Lemon, chile, sourdough.'),
      ],
      'Mo-Fr 06:30-11:00; Sa-Su 07:00-12:00',
    ),
    section('From the oven', [
      dish('Butter croissant', 425, 'Laminated by hand.', { qty_available: 30 }),
      dish('Almond croissant', 525, 'Twice baked.', { qty_available: 3 }),
      dish('Blueberry muffin', 395, 'With a crumb top.', { available: false }),
      dish('Cinnamon roll', 475, 'Iced.', { qty_available: 0 }),
      dish('Country loaf', 850, 'Sourdough, a kilo.', { original_price: 950, unit_size: 1, unit_of_measurement: 'ct' }),
    ]),
  ];
}

export function dessertMenu(): FeedCategory[] {
  const flavors = [
    'Vanilla bean',
    'Dark chocolate',
    'Strawberry',
    'Pistachio',
    'Salted caramel',
    'Coffee',
    'Lemon sorbet',
    'Mint chip',
  ];
  const scoops = (count: number, name: string, price: number) =>
    dish(name, price, 'Churned here.', {
      customizations: [
        {
          id: 'flavors',
          name: 'Flavors',
          min_choice_options: 1,
          max_choice_options: count,
          max_total_units: count,
          options: plainOptions('flavor', flavors).map((each) => ({ ...each, max_qty: count })),
        },
        oneOf('vessel', 'In a', [
          option('cup', 'Cup'),
          option('cone', 'Sugar cone', 50),
          option('waffle', 'Waffle cone', 125),
        ]),
        upTo(
          3,
          'toppings',
          'Toppings',
          plainOptions('top', ['Sprinkles', 'Hot fudge', 'Peanuts', 'Whipped cream'], 100),
        ),
      ],
    });
  return [
    section('Scoops', [scoops(1, 'One scoop', 425), scoops(2, 'Two scoops', 625), scoops(3, 'Three scoops', 795)]),
    section('Sundaes', [
      dish('Banana split', 995, 'Three scoops, three sauces.'),
      dish('Brownie sundae', 895, 'Warm brownie, vanilla, fudge.', { qty_available: 14 }),
    ]),
    section(
      'Midnight',
      [
        dish('Cookie box', 1200, 'Six, still warm.', {
          customizations: [
            oneOf('kind', 'Cookies', plainOptions('cookie', ['Mixed', 'Chocolate chip', 'Oatmeal', 'Ginger'])),
          ],
        }),
        dish('Milk', 275, 'A cold bottle.'),
      ],
      'Mo-Su 20:00-02:00',
    ),
    section('To keep', [
      dish('Pint', 950, 'Any flavor, packed hard.', {
        customizations: [oneOf('flavor', 'Flavor', plainOptions('pint', flavors))],
      }),
    ]),
  ];
}
