import type { FeedCategory } from '../feed-line.ts';
import { dish, oneOf, option, plainOptions, section, softDrinks, upTo } from '../menu-kit.ts';

const eggs = () => oneOf('eggs', 'Eggs', plainOptions('eggs', ['Over easy', 'Sunny side up', 'Scrambled', 'Poached']));
const bread = () => oneOf('toast', 'Toast', plainOptions('toast', ['White', 'Whole wheat', 'Rye', 'Sourdough']));
const side = () =>
  oneOf('side', 'Side', [option('hash', 'Hash browns'), option('fruit', 'Fruit', 150), option('grits', 'Grits')]);

const breakfastMeat = () =>
  upTo(2, 'meat', 'Add', [
    option('bacon', 'Bacon', 325),
    option('sausage', 'Sausage', 325),
    option('ham', 'Ham steak', 400),
  ]);

/** The diner is open at all hours, so that an order is always possible; only the early specials have menu hours. */
export function dinerMenu(): FeedCategory[] {
  return [
    section('All-day breakfast', [
      dish('Two-egg plate', 1050, 'Eggs your way, toast and a side.', {
        customizations: [eggs(), bread(), side(), breakfastMeat()],
      }),
      dish('Buttermilk pancakes', 950, 'Three, with maple syrup.', {
        customizations: [
          upTo(2, 'inside', 'Inside', [
            option('blueberries', 'Blueberries', 175),
            option('chocolate', 'Chocolate chips', 125),
          ]),
          breakfastMeat(),
        ],
      }),
      dish('Western omelette', 1275, 'Ham, peppers, onions, cheddar.', { customizations: [bread(), side()] }),
      dish('French toast', 1095, 'Thick cut, cinnamon.', { original_price: 1195 }),
    ]),
    section('Sandwiches', [
      dish('Grilled cheese', 875, 'Cheddar and Swiss.', {
        customizations: [
          bread(),
          upTo(2, 'add', 'Add', [option('tomato', 'Tomato', 75), option('bacon', 'Bacon', 225)]),
        ],
      }),
      dish('Turkey club', 1325, 'Three slices, bacon, mayonnaise.', { customizations: [bread()] }),
      dish('Patty melt', 1295, 'Onions, Swiss, on rye.', {
        customizations: [oneOf('temp', 'Cooked', plainOptions('temp', ['Medium', 'Medium rare', 'Well done']))],
      }),
    ]),
    section('Blue plates', [
      dish('Meatloaf', 1550, 'Mashed potatoes, gravy, green beans.'),
      dish('Roast chicken', 1625, 'Half a bird.', { qty_available: 20 }),
      dish('Mac and cheese', 1175, 'Baked, crumbs on top.'),
    ]),
    section('Pie and coffee', [
      dish('Apple pie', 550, 'A slice.', {
        customizations: [upTo(1, 'mode', 'With', [option('ice-cream', 'Ice cream', 200)])],
      }),
      dish('Cherry pie', 575, 'A slice.', { available: false }),
      dish('Bottomless coffee', 325, 'Here it is one cup, large.', { pickup_price: 275 }),
    ]),
    softDrinks(),
    section(
      'Early specials',
      [
        dish('Sunrise plate', 895, 'Two eggs, toast, hash browns, until eleven.', {
          customizations: [eggs(), bread()],
        }),
        dish('Oatmeal', 650, 'Brown sugar, raisins, until eleven.', {
          customizations: [
            upTo(3, 'toppings', 'Toppings', [
              option('banana', 'Banana', 100),
              option('walnuts', 'Walnuts', 125),
              option('berries', 'Berries', 200),
            ]),
          ],
        }),
      ],
      'Mo-Su 05:00-11:00',
    ),
  ];
}
