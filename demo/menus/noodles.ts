import type { FeedCategory } from '../feed-line.ts';
import { dish, oneOf, option, plainOptions, section, softDrinks, upTo } from '../menu-kit.ts';

const heat = () => oneOf('heat', 'Heat', plainOptions('heat', ['Mild', 'Medium', 'Thai hot']));

const protein = () =>
  oneOf('protein', 'With', [
    option('tofu', 'Tofu'),
    option('chicken', 'Chicken', 150),
    option('beef', 'Beef', 225),
    option('shrimp', 'Shrimp', 300),
  ]);

const bowlSize = () => oneOf('size', 'Size', [option('regular', 'Regular'), option('large', 'Large', 275)]);

export function noodleMenu(): FeedCategory[] {
  return [
    section('Small plates', [
      dish('Fresh rolls', 750, 'Two, with peanut sauce.', { customizations: [protein()] }),
      dish('Crispy spring rolls', 650, 'Four.'),
      dish('Green papaya salad', 995, 'Lime, chile, peanuts.', { customizations: [heat()] }),
      dish('Chicken satay', 925, 'Four skewers.'),
    ]),
    section('Pho', [
      dish('Pho', 1395, 'Twelve-hour broth, rice noodles, herbs.', {
        customizations: [
          bowlSize(),
          protein(),
          upTo(4, 'extra', 'Extra', [
            option('meatballs', 'Meatballs', 250),
            option('tendon', 'Tendon', 200),
            option('noodles', 'Noodles', 200, { conditional_price: { large: 250 } }),
            option('egg', 'Egg', 150),
          ]),
        ],
      }),
      dish('Vegetable pho', 1350, 'Mushroom broth.', { customizations: [bowlSize()] }),
      dish('Bún bò Huế', 1550, 'Lemongrass and chile, weekends.', {
        hours: 'Sa-Su 11:00-21:00',
        customizations: [bowlSize()],
      }),
    ]),
    section('Wok', [
      dish('Pad thai', 1450, 'Tamarind, egg, peanuts.', { customizations: [protein(), heat()] }),
      dish('Drunken noodles', 1495, 'Wide noodles, basil.', { customizations: [protein(), heat()] }),
      dish('Basil fried rice', 1395, 'With a fried egg.', { customizations: [protein(), heat()] }),
    ]),
    section(
      'Curries',
      [
        dish('Green curry', 1550, 'Eggplant, basil, rice.', { customizations: [protein(), heat()] }),
        dish('Massaman', 1595, 'Potato, peanuts, rice.', { customizations: [protein(), heat()], qty_available: 9 }),
      ],
      'Mo-Su 17:00-22:00',
    ),
    section('Sweet', [
      dish('Mango sticky rice', 795, 'In season.', { available: false }),
      dish('Vietnamese coffee', 525, 'Condensed milk, ice.'),
    ]),
    softDrinks(),
  ];
}
