import type { FeedCategory } from '../feed-line.ts';
import { dish, oneOf, option, plainOptions, section, upTo } from '../menu-kit.ts';

/** A combo asks for the drink, the drink for its size: choices inside choices. */
const combo = () =>
  oneOf('meal', 'Make it a meal', [
    option('alone', 'Burger alone'),
    option('combo', 'With fries and a drink', 550, {
      customizations: [
        oneOf('side', 'Side', [
          option('fries', 'Fries'),
          option('sweet-fries', 'Sweet potato fries', 125),
          option('slaw', 'Slaw'),
        ]),
        oneOf('drink', 'Drink', [
          option('soda', 'Soda', 0, {
            customizations: [oneOf('soda-size', 'Size', [option('soda-m', 'Medium'), option('soda-l', 'Large', 75)])],
          }),
          option('shake', 'Shake', 350, {
            customizations: [
              oneOf('shake-flavor', 'Flavor', plainOptions('shake', ['Vanilla', 'Chocolate', 'Strawberry'])),
            ],
          }),
        ]),
      ],
    }),
  ]);

const patty = () =>
  oneOf('patty', 'Patty', [
    option('single', 'Single'),
    option('double', 'Double', 350),
    option('plant', 'Plant patty', 150),
  ]);

const additions = () =>
  upTo(5, 'add', 'Add', [
    option('cheddar', 'Cheddar', 100, { max_qty: 2, conditional_price: { double: 150 } }),
    option('blue', 'Blue cheese', 150, { conditional_price: { double: 225 } }),
    option('bacon', 'Bacon', 200, { max_qty: 2 }),
    option('fried-egg', 'Fried egg', 175),
    option('onions', 'Grilled onions', 75),
    option('jalapeno', 'Jalapeños', 75),
  ]);

const without = () => upTo(4, 'without', 'Leave out', plainOptions('no', ['Lettuce', 'Tomato', 'Pickles', 'Sauce']));

export function burgerMenu(): FeedCategory[] {
  const burger = [patty(), additions(), without(), combo()];
  return [
    section('Burgers', [
      dish('House burger', 975, 'Lettuce, tomato, pickles, house sauce.', { customizations: burger }),
      dish('Smoke stack', 1225, 'Bacon, onion rings, barbecue sauce.', { customizations: burger }),
      dish('Green chile burger', 1150, 'Roasted chiles, pepper jack.', { customizations: burger }),
      dish('Crispy chicken sandwich', 1075, 'Buttermilk chicken, slaw, pickles.', {
        customizations: [
          oneOf('heat', 'Heat', plainOptions('heat', ['Mild', 'Hot', 'Very hot'])),
          additions(),
          combo(),
        ],
      }),
      dish('Garden burger', 1050, 'Black beans, quinoa, avocado.', { customizations: [without(), combo()] }),
    ]),
    section('Fries and sides', [
      dish('Fries', 425, 'Skin on, sea salt.', {
        customizations: [
          oneOf('size', 'Size', [option('small', 'Small'), option('large', 'Large', 200)]),
          upTo(2, 'on-top', 'On top', [
            option('cheese-sauce', 'Cheese sauce', 150, { conditional_price: { large: 225 } }),
            option('chili', 'Chili', 200),
          ]),
        ],
      }),
      dish('Onion rings', 525, 'Beer batter.'),
      dish('Side salad', 475, 'Leaves, radish, lemon.'),
    ]),
    section('Shakes', [
      dish('Vanilla shake', 625, 'Hand spun.'),
      dish('Malted chocolate shake', 675, 'Hand spun.', { available: false }),
      dish('Seasonal shake', 695, 'While it lasts.', { qty_available: 8 }),
    ]),
  ];
}
