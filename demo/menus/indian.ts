import type { FeedCategory } from '../feed-line.ts';
import { dish, oneOf, option, plainOptions, section, upTo } from '../menu-kit.ts';

const spice = () => oneOf('spice', 'Spice', plainOptions('spice', ['Medium', 'Mild', 'Hot', 'Very hot']));

const rice = () =>
  upTo(2, 'with', 'With', [
    option('basmati', 'Basmati rice', 300),
    option('jeera', 'Cumin rice', 375),
    option('naan', 'Naan', 325, {
      max_qty: 4,
      customizations: [
        oneOf('naan-kind', 'Kind', [
          option('plain', 'Plain'),
          option('garlic', 'Garlic', 50),
          option('keema', 'Keema', 175),
        ]),
      ],
    }),
  ]);

const protein = () =>
  oneOf('protein', 'With', [
    option('chicken', 'Chicken'),
    option('lamb', 'Lamb', 300),
    option('paneer', 'Paneer'),
    option('prawn', 'Prawns', 400),
  ]);

export function indianMenu(): FeedCategory[] {
  const curry = () => [protein(), spice(), rice()];
  return [
    section('Starters', [
      dish('Vegetable samosas', 595, 'Two, with tamarind chutney.'),
      dish('Onion bhaji', 650, 'Four.'),
      dish('Tandoori wings', 1095, 'Eight, with mint yogurt.', { customizations: [spice()] }),
    ]),
    section('Curries', [
      dish('Butter curry', 1550, 'Tomato, cream, fenugreek.', { customizations: curry() }),
      dish('Madras', 1525, 'Chile, curry leaf, coconut.', { customizations: curry() }),
      dish('Saag', 1495, 'Spinach and mustard greens.', { customizations: curry() }),
      dish('Vindaloo', 1550, 'Vinegar, garlic, fire.', { customizations: curry() }),
    ]),
    section('Vegetable dishes', [
      dish('Chana masala', 1295, 'Chickpeas, ginger.', { customizations: [spice(), rice()] }),
      dish('Dal makhani', 1250, 'Black lentils, overnight.', { customizations: [spice(), rice()], qty_available: 10 }),
      dish('Baingan bharta', 1350, 'Smoked eggplant.', { customizations: [spice(), rice()] }),
    ]),
    section(
      'Biryani',
      [
        dish('Hyderabadi biryani', 1750, 'Sealed and baked, with raita.', { customizations: [protein(), spice()] }),
        dish('Vegetable biryani', 1550, 'Sealed and baked, with raita.', { customizations: [spice()] }),
      ],
      'Mo-Su 17:00-22:00',
    ),
    section('Breads, rice and sweets', [
      dish('Garlic naan', 375, 'From the tandoor.'),
      dish('Basmati rice', 325, 'Enough for two.'),
      dish('Mango lassi', 495, 'Yogurt, mango, cardamom.'),
      dish('Gulab jamun', 525, 'Two, warm.'),
    ]),
  ];
}
