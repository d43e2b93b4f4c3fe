import type { FeedCategory, FeedHours } from './feed-line.ts';
import { bowlMenu } from './menus/bowls.ts';
import { burgerMenu } from './menus/burgers.ts';
import { cafeMenu, dessertMenu } from './menus/cafe.ts';
import { chickenMenu, fishMenu, poutineMenu } from './menus/comfort.ts';
import { dinerMenu } from './menus/diner.ts';
import { indianMenu } from './menus/indian.ts';
import { pokeMenu, sushiMenu } from './menus/japanese.ts';
import { noodleMenu } from './menus/noodles.ts';
import { pizzaMenu } from './menus/pizza.ts';
import { taqueriaMenu } from './menus/taqueria.ts';

/** A kind of restaurant: its menu, hours and price level. */
export type Concept = {
  menu(): FeedCategory[];
  description: string;
  cuisines: readonly string[];
  dollarSigns: 1 | 2 | 3;
  hours: { operational: FeedHours; delivery?: FeedHours; pickup?: FeedHours };
};

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const daily = (hours: string, others: Record<string, string> = {}) => ({
  ...Object.fromEntries(WEEKDAYS.map((day) => [day, hours])),
  ...others,
});

export const ALWAYS_OPEN = daily('Open 24 hours');

export const CONCEPTS = {
  pizza: {
    menu: pizzaMenu,
    description: 'Pies and slices from a stone oven.',
    cuisines: ['pizza', 'italian'],
    dollarSigns: 2,
    hours: {
      operational: daily('11:00AM - 10:00PM', { Friday: '11:00AM - 02:00AM', Saturday: '11:00AM - 02:00AM' }),
      delivery: daily('11:30AM - 09:30PM', { Friday: '11:30AM - 01:30AM', Saturday: '11:30AM - 01:30AM' }),
    },
  },
  taqueria: {
    menu: taqueriaMenu,
    description: 'Tacos, burritos and a breakfast that ends at eleven.',
    cuisines: ['mexican', 'tacos'],
    dollarSigns: 1,
    hours: { operational: 'Mo-We 07:00-22:00; Th-Sa 07:00-03:00; Su 08:00-21:00' },
  },
  burgers: {
    menu: burgerMenu,
    description: 'Burgers, fries, shakes.',
    cuisines: ['burgers', 'american'],
    dollarSigns: 2,
    hours: { operational: daily('11:00AM - 11:00PM', { Sunday: '12:00PM - 09:00PM' }) },
  },
  sushi: {
    menu: sushiMenu,
    description: 'Sushi and hot dishes; closed between lunch and dinner.',
    cuisines: ['japanese', 'sushi', 'ramen'],
    dollarSigns: 3,
    hours: {
      operational: daily('11:30AM - 02:30PM, 05:00PM - 10:00PM', {
        Monday: 'Closed',
        Saturday: '05:00PM - 11:00PM',
        Sunday: '05:00PM - 09:30PM',
      }),
    },
  },
  poke: {
    menu: pokeMenu,
    description: 'Poke by the bowl, plate lunches, shave ice.',
    cuisines: ['poke', 'hawaiian', 'seafood'],
    dollarSigns: 2,
    hours: { operational: 'Mo-Su 06:00-20:00' },
  },
  indian: {
    menu: indianMenu,
    description: 'Curries, tandoor and biryani.',
    cuisines: ['indian', 'curry', 'vegetarian'],
    dollarSigns: 2,
    hours: { operational: 'Mo-Fr 11:30-14:30,17:00-22:00; Sa-Su 12:00-22:30' },
  },
  diner: {
    menu: dinerMenu,
    description: 'Breakfast and blue plates, day and night.',
    cuisines: ['diner', 'breakfast', 'american'],
    dollarSigns: 1,
    hours: { operational: ALWAYS_OPEN },
  },
  cafe: {
    menu: cafeMenu,
    description: 'Coffee, and what came out of the oven this morning.',
    cuisines: ['coffee', 'bakery', 'breakfast'],
    dollarSigns: 1,
    hours: { operational: 'Mo-Fr 06:30-18:00; Sa-Su 07:00-18:00', delivery: 'Mo-Su 07:30-15:00' },
  },
  dessert: {
    menu: dessertMenu,
    description: 'Ice cream and warm cookies until late.',
    cuisines: ['dessert', 'ice cream'],
    dollarSigns: 1,
    hours: { operational: daily('01:00PM - 02:00AM', { Monday: 'Closed' }) },
  },
  noodles: {
    menu: noodleMenu,
    description: 'Pho, wok dishes and curries.',
    cuisines: ['vietnamese', 'thai', 'noodles'],
    dollarSigns: 2,
    hours: { operational: daily('11:00AM - 09:30PM', { Tuesday: 'Closed', Friday: '11:00AM - 10:30PM' }) },
  },
  bowls: {
    menu: bowlMenu,
    description: 'Vegetables first; everything is vegan.',
    cuisines: ['vegan', 'salads', 'healthy'],
    dollarSigns: 2,
    hours: { operational: 'Mo-Fr 07:00-20:00; Sa 09:00-17:00; Su off' },
  },
  chicken: {
    menu: chickenMenu,
    description: 'Fried chicken, wings by the dozen, and a smoker out back.',
    cuisines: ['chicken', 'wings', 'barbecue'],
    dollarSigns: 2,
    hours: {
      operational: daily('11:00AM - 12:00AM', { Friday: '11:00AM - 04:00AM', Saturday: '11:00AM - 04:00AM' }),
      pickup: daily('11:00AM - 10:00PM'),
    },
  },
  poutine: {
    menu: poutineMenu,
    description: 'Poutines et viande fumée.',
    cuisines: ['québécois', 'poutine', 'canadian'],
    dollarSigns: 1,
    hours: { operational: daily('07:00AM - 11:00PM', { Friday: '07:00AM - 05:00AM', Saturday: '07:00AM - 05:00AM' }) },
  },
  fish: {
    menu: fishMenu,
    description: 'Fish and chips, chowder, and what the boats bring.',
    cuisines: ['seafood', 'fish and chips', 'canadian'],
    dollarSigns: 2,
    hours: { operational: 'Mo-Th 11:00-20:00; Fr-Sa 11:00-21:00; Su 12:00-19:00' },
  },
} as const satisfies Record<string, Concept>;

export type ConceptKey = keyof typeof CONCEPTS;
