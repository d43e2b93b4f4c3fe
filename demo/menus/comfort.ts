import type { FeedCategory } from '../feed-line.ts';
import { dish, exactly, oneOf, option, plainOptions, section, softDrinks, upTo } from '../menu-kit.ts';

const sauces = ['Buffalo', 'Honey garlic', 'Lemon pepper', 'Smoked chile', 'Plain'];
const sides = ['Coleslaw', 'Fries', 'Collard greens', 'Mac and cheese', 'Corn bread'];

/** Wings come in sauces by the half dozen: a choice whose quantities count. */
export function chickenMenu(): FeedCategory[] {
  const wings = (count: number, price: number, kinds: number) =>
    dish(`${count} wings`, price, `In up to ${kinds} sauces.`, {
      customizations: [
        {
          id: 'sauces',
          name: 'Sauces',
          min_choice_options: 1,
          max_choice_options: kinds,
          options: plainOptions('sauce', sauces),
        },
        upTo(2, 'dip', 'Dips', [
          option('ranch', 'Ranch', 75, { max_qty: 3 }),
          option('blue', 'Blue cheese', 75, { max_qty: 3 }),
        ]),
      ],
    });
  return [
    section('Wings', [wings(6, 895, 1), wings(12, 1695, 2), wings(24, 3195, 4)]),
    section('Fried chicken', [
      dish('Two pieces', 1095, 'With a side.', {
        customizations: [
          oneOf('cut', 'Cut', [option('dark', 'Dark'), option('white', 'White', 100)]),
          exactly(1, 'sides', 'Side', plainOptions('side', sides)),
        ],
      }),
      dish('Family box', 3895, 'Twelve pieces, three sides.', {
        customizations: [exactly(3, 'sides', 'Sides', plainOptions('side', sides))],
        qty_available: 10,
      }),
      dish('Tenders', 1150, 'Four, with a sauce.', {
        customizations: [oneOf('sauce', 'Sauce', plainOptions('sauce', sauces))],
      }),
    ]),
    section('Smoked', [
      dish('Brisket plate', 1995, 'From four in the afternoon, until it is gone.', {
        hours: 'Mo-Su 16:00-22:00',
        qty_available: 7,
        customizations: [exactly(2, 'sides', 'Sides', plainOptions('side', sides))],
      }),
      dish('Pulled pork sandwich', 1250, 'Vinegar slaw.', { original_price: 1395 }),
    ]),
    softDrinks(),
  ];
}

export function poutineMenu(): FeedCategory[] {
  const size = () =>
    oneOf('format', 'Format', [
      option('petite', 'Petite'),
      option('moyenne', 'Moyenne', 300),
      option('grande', 'Grande', 550),
    ]);
  const extras = () =>
    upTo(4, 'supplements', 'Suppléments', [
      option('fromage', 'Fromage en grains', 200, { max_qty: 2, conditional_price: { grande: 325 } }),
      option('bacon', 'Bacon', 225),
      option('champignons', 'Champignons', 150),
      option('oignons', 'Oignons frits', 125),
    ]);
  return [
    section('Poutines', [
      dish('Poutine classique', 895, 'Frites, fromage en grains, sauce brune.', { customizations: [size(), extras()] }),
      dish('Poutine à la viande fumée', 1395, 'Viande fumée, moutarde, cornichon.', {
        customizations: [size(), extras()],
      }),
      dish('Poutine végé', 1095, 'Sauce aux champignons.', { customizations: [size(), extras()] }),
      dish('Poutine du bûcheron', 1495, 'Saucisse, œuf, sirop d’érable.', {
        qty_available: 11,
        customizations: [size(), extras()],
      }),
    ]),
    section('Sandwichs', [
      dish('Viande fumée sur seigle', 1450, 'Moutarde, cornichon.', {
        customizations: [oneOf('coupe', 'Coupe', plainOptions('coupe', ['Mi-maigre', 'Maigre', 'Grasse']))],
      }),
      dish('Bagel au saumon', 1250, 'Fromage à la crème, câpres.', { hours: 'Mo-Su 07:00-14:00' }),
    ]),
    section('Desserts', [
      dish('Pouding chômeur', 750, 'Tiède, à l’érable.'),
      dish('Tarte au sucre', 650, 'Une pointe.', { available: false }),
    ]),
    section('Boissons', [
      dish('Bière d’épinette', 350, 'Sans alcool.'),
      dish('Bière blonde', 750, 'De la microbrasserie.', {
        is_alcoholic: true,
        modes: ['pickup'],
        unit_size: 473,
        unit_of_measurement: 'ml',
      }),
    ]),
  ];
}

export function fishMenu(): FeedCategory[] {
  const pieces = () =>
    oneOf('pieces', 'Pieces', [
      option('one', 'One piece'),
      option('two', 'Two pieces', 500),
      option('three', 'Three pieces', 950),
    ]);
  return [
    section('Fish and chips', [
      dish('Cod and chips', 1350, 'Beer batter, tartar sauce.', {
        customizations: [
          pieces(),
          upTo(2, 'with', 'With', [option('gravy', 'Gravy', 200), option('dressing', 'Dressing', 225)]),
        ],
      }),
      dish('Haddock and chips', 1425, 'Beer batter, tartar sauce.', { customizations: [pieces()] }),
      dish('Fish cakes', 1195, 'Three, with pickled beets.'),
    ]),
    section('From the boats', [
      dish('Seafood chowder', 1250, 'With a roll.', {
        customizations: [oneOf('size', 'Size', [option('cup', 'Cup'), option('bowl', 'Bowl', 400)])],
      }),
      dish('Lobster roll', 2650, 'When the season is open.', { qty_available: 5 }),
      dish('Pan-fried cod tongues', 1395, 'With scrunchions.', { available: false }),
    ]),
    section('Sweet', [
      dish('Toutons', 850, 'Fried dough, molasses.', { hours: 'Mo-Su 08:00-13:00' }),
      dish('Partridgeberry tart', 695, 'Warm.'),
    ]),
    softDrinks(),
  ];
}
