import type { FeedCategory } from '../feed-line.ts';
import { dish, exactly, oneOf, option, plainOptions, section, softDrinks, upTo } from '../menu-kit.ts';

const filling = () =>
  oneOf('filling', 'Filling', [
    option('pollo', 'Grilled chicken'),
    option('asada', 'Carne asada', 150),
    option('pastor', 'Pork al pastor', 100),
    option('hongos', 'Mushrooms and poblano'),
    option('pescado', 'Fried fish', 200),
  ]);

const extras = () =>
  upTo(4, 'extras', 'Extras', [
    option('guacamole', 'Guacamole', 225, { max_qty: 2 }),
    option('queso', 'Queso fresco', 125),
    option('crema', 'Crema', 75),
    option('jalapenos', 'Pickled jalapeños', 75),
    option('extra-filling', 'Double filling', 300, { conditional_price: { asada: 400, pescado: 450 } }),
  ]);

const salsa = () => oneOf('salsa', 'Salsa', plainOptions('salsa', ['Roja', 'Verde', 'Habanero', 'None']));

export function taqueriaMenu(): FeedCategory[] {
  const tacos = ['Chicken taco', 'Asada taco', 'Pastor taco', 'Mushroom taco', 'Fish taco'];
  return [
    section(
      'Desayuno',
      [
        dish('Chilaquiles', 1150, 'Tortilla chips in green salsa, two eggs, crema.', {
          customizations: [oneOf('eggs', 'Eggs', plainOptions('eggs', ['Fried', 'Scrambled']))],
        }),
        dish('Breakfast burrito', 975, 'Eggs, potato, cheese, beans.', {
          customizations: [
            upTo(2, 'add', 'Add', [option('chorizo', 'Chorizo', 200), option('avocado', 'Avocado', 175)]),
          ],
        }),
      ],
      'Mo-Su 07:00-11:00',
    ),
    section('Tacos and burritos', [
      dish('Taco', 425, 'On two corn tortillas, with onion and cilantro.', {
        customizations: [filling(), salsa(), extras()],
      }),
      dish('Taco trio', 1195, 'Three different tacos.', {
        customizations: [exactly(3, 'tacos', 'Tacos', plainOptions('taco', tacos)), salsa()],
      }),
      dish('Burrito', 1150, 'Rice, beans, salsa, in a flour tortilla.', {
        customizations: [
          filling(),
          salsa(),
          oneOf('beans', 'Beans', plainOptions('beans', ['Black', 'Pinto', 'No beans'])),
          extras(),
        ],
      }),
      dish('Burrito bowl', 1195, 'The burrito without its tortilla.', {
        customizations: [filling(), salsa(), extras()],
      }),
      dish('Quesadilla', 995, 'Griddled, with crema.', { customizations: [filling(), extras()] }),
    ]),
    section('Platos', [
      dish('Enchiladas verdes', 1450, 'Three, with rice and beans.', { customizations: [filling()] }),
      dish('Pozole', 1350, 'Hominy and pork in red broth, weekends.', {
        hours: 'Sa-Su 10:00-22:00',
        qty_available: 15,
      }),
    ]),
    section('Antojitos', [
      dish('Chips and guacamole', 895, 'Made to order.'),
      dish('Elote', 550, 'Grilled corn, chile, lime.'),
      dish('Churros', 595, 'Four, with chocolate.', { original_price: 695 }),
    ]),
    softDrinks(),
  ];
}
