import type { FeedCategory } from '../feed-line.ts';
import { dish, exactly, oneOf, option, plainOptions, section, upTo } from '../menu-kit.ts';

const wasabi = () => upTo(3, 'with', 'With', plainOptions('with', ['Wasabi', 'Ginger', 'Soy sauce']));

export function sushiMenu(): FeedCategory[] {
  const rolls = ['Salmon', 'Tuna', 'Cucumber', 'Avocado', 'Spicy tuna', 'Crab stick'];
  return [
    section(
      'Lunch sets',
      [
        dish('Roll lunch', 1450, 'Two rolls, miso soup, salad.', {
          customizations: [exactly(2, 'rolls', 'Rolls', plainOptions('roll', rolls)), wasabi()],
        }),
        dish('Bento', 1650, 'Rice, pickles, salad and a main.', {
          customizations: [
            oneOf('main', 'Main', [
              option('teriyaki', 'Chicken teriyaki'),
              option('saba', 'Grilled mackerel', 150),
              option('agedashi', 'Agedashi tofu'),
            ]),
          ],
        }),
      ],
      'Mo-Fr 11:30-14:30',
    ),
    section('Rolls', [
      dish('Salmon roll', 750, 'Six pieces.', { customizations: [wasabi()] }),
      dish('Spicy tuna roll', 850, 'Six pieces.', { customizations: [wasabi()] }),
      dish('Rainbow roll', 1550, 'Eight pieces, five fish.', { customizations: [wasabi()] }),
      dish('Garden roll', 795, 'Cucumber, avocado, shiso.', { customizations: [wasabi()] }),
    ]),
    section('Nigiri and sashimi', [
      dish('Salmon nigiri', 650, 'Two pieces.', { customizations: [wasabi()] }),
      dish('Otoro nigiri', 1600, 'Two pieces, when the market has it.', {
        qty_available: 4,
        customizations: [wasabi()],
      }),
      dish('Uni', 1800, 'Two pieces.', { qty_available: 0 }),
      dish('Chef’s sashimi', 2900, 'Twelve pieces.', { qty_available: 6 }),
    ]),
    section('Hot dishes', [
      dish('Tonkotsu ramen', 1595, 'Pork broth, soft egg, scallions.', {
        customizations: [
          oneOf('noodles', 'Noodles', plainOptions('noodles', ['Thin', 'Thick', 'Gluten free'])),
          upTo(4, 'toppings', 'Toppings', [
            option('egg', 'Extra egg', 200, { max_qty: 2 }),
            option('chashu', 'Extra pork', 400),
            option('corn', 'Corn', 125),
            option('nori', 'Nori', 100),
          ]),
        ],
      }),
      dish('Gyoza', 795, 'Six, pan fried.'),
      dish('Miso soup', 350, 'Tofu, seaweed.'),
    ]),
    section('Sake and tea', [
      dish('Junmai sake', 1800, 'A small bottle.', {
        is_alcoholic: true,
        modes: ['pickup'],
        unit_size: 10,
        unit_of_measurement: 'fl oz',
      }),
      dish('Green tea', 300, 'Sencha.'),
    ]),
  ];
}

export function pokeMenu(): FeedCategory[] {
  const fish = [
    option('ahi', 'Ahi', 100),
    option('salmon', 'Salmon'),
    option('tako', 'Tako', 150),
    option('tofu', 'Tofu'),
  ];
  const bowl = (count: number, name: string, price: number) =>
    dish(name, price, 'Base, fish, sauce and toppings.', {
      customizations: [
        oneOf('base', 'Base', [
          option('white-rice', 'White rice'),
          option('brown-rice', 'Brown rice'),
          option('greens', 'Greens', 50),
        ]),
        exactly(count, 'fish', 'Fish', fish),
        oneOf('sauce', 'Sauce', plainOptions('sauce', ['Shoyu', 'Spicy mayo', 'Wasabi', 'None'])),
        upTo(6, 'toppings', 'Toppings', [
          ...plainOptions('top', ['Edamame', 'Sweet onion', 'Limu', 'Cucumber']),
          option('avocado', 'Avocado', 200),
          option('masago', 'Masago', 125),
        ]),
      ],
    });
  return [
    section('Bowls', [bowl(1, 'Small bowl', 1295), bowl(2, 'Regular bowl', 1595), bowl(3, 'Large bowl', 1895)]),
    section('Plates', [
      dish('Plate lunch', 1450, 'Two scoops rice, macaroni salad, and a main.', {
        customizations: [
          oneOf('main', 'Main', [
            option('kalua', 'Kalua pork'),
            option('katsu', 'Chicken katsu'),
            option('short-ribs', 'Short ribs', 350),
          ]),
        ],
      }),
      dish('Garlic shrimp', 1650, 'A dozen, shell on.', { qty_available: 18 }),
      dish('Musubi', 350, 'Glazed pork, rice, wrapped in nori.'),
    ]),
    section('Sweets', [
      dish('Shave ice', 550, 'Three syrups.', {
        customizations: [
          exactly(3, 'syrups', 'Syrups', plainOptions('syrup', ['Lilikoi', 'Guava', 'Coconut', 'Lime', 'Mango'])),
        ],
      }),
      dish('Malasada', 225, 'Rolled in sugar.', { hours: 'Mo-Su 06:00-12:00' }),
    ]),
  ];
}
