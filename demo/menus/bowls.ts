import type { FeedCategory } from '../feed-line.ts';
import { dish, exactly, oneOf, option, plainOptions, section, upTo } from '../menu-kit.ts';

const dressing = () =>
  oneOf('dressing', 'Dressing', [
    ...plainOptions('dress', ['Lemon tahini', 'Green goddess', 'Miso ginger', 'Balsamic']),
    option('on-the-side', 'On the side', 0, {
      customizations: [
        oneOf('side-dressing', 'Which', plainOptions('side', ['Lemon tahini', 'Green goddess', 'Miso ginger'])),
      ],
    }),
  ]);

const more = () =>
  upTo(4, 'more', 'More', [
    option('avocado', 'Avocado', 225, { max_qty: 2 }),
    option('tofu', 'Marinated tofu', 275),
    option('tempeh', 'Tempeh', 325),
    option('seeds', 'Seeds', 75),
  ]);

export function bowlMenu(): FeedCategory[] {
  const vegetables = [
    'Roasted carrots',
    'Beets',
    'Charred broccoli',
    'Sweet potato',
    'Kale',
    'Cucumber',
    'Chickpeas',
    'Corn',
  ];
  return [
    section('Bowls', [
      dish('Build a bowl', 1350, 'A base, four vegetables, a dressing.', {
        customizations: [
          oneOf('base', 'Base', plainOptions('base', ['Quinoa', 'Brown rice', 'Soba', 'Greens'])),
          exactly(4, 'vegetables', 'Vegetables', plainOptions('veg', vegetables)),
          dressing(),
          more(),
        ],
      }),
      dish('Harvest bowl', 1425, 'Squash, apple, walnuts, kale.', { customizations: [dressing(), more()] }),
      dish('Miso bowl', 1450, 'Soba, mushrooms, edamame, nori.', { customizations: [more()] }),
      dish('Falafel bowl', 1395, 'Herbs, pickles, hummus.', { customizations: [dressing(), more()] }),
    ]),
    section('Soups', [
      dish('Lentil soup', 725, 'With bread.', {
        customizations: [oneOf('size', 'Size', [option('cup', 'Cup'), option('pot', 'Pot', 350)])],
      }),
      dish('Tomato soup', 695, 'With bread.', { qty_available: 16 }),
    ]),
    section(
      'Pressed',
      [
        dish('Green juice', 795, 'Kale, apple, celery, lemon.'),
        dish('Carrot ginger juice', 775, 'Pressed today.', { available: false }),
        dish('Smoothie', 825, 'Banana, oat milk, and a fruit.', {
          customizations: [oneOf('fruit', 'Fruit', plainOptions('fruit', ['Mango', 'Berry', 'Pineapple']))],
        }),
      ],
      'Mo-Su 07:00-16:00',
    ),
  ];
}
