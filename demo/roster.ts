import type { CityKey } from './cities.ts';
import type { ConceptKey } from './concepts.ts';

/** Every restaurant of the demo: all names are invented. */
export const RESTAURANTS: Readonly<Record<CityKey, Partial<Record<ConceptKey, string>>>> = {
  phoenix: {
    diner: 'Night Heron Diner',
    pizza: 'Saguaro & Stone Pizza',
    taqueria: 'Taquería Luz del Sur',
    burgers: 'Copper Grackle Burgers',
    indian: 'Saffron Mesa',
    cafe: 'Slow Lizard Coffee',
    chicken: 'Red Dust Chicken',
    dessert: 'Monsoon Creamery',
  },
  chicago: {
    diner: 'Lantern & Rye Diner',
    pizza: 'Paper Crane Pizza',
    burgers: 'Iron Sparrow Burgers',
    noodles: 'Blue Kettle Noodles',
    sushi: 'Kumo no Ie',
    cafe: 'Third Bell Coffee',
    bowls: 'Greenline Kitchen',
    chicken: 'Brass Rooster Wings',
    taqueria: 'Taquería Sol de Medianoche',
    indian: 'Cardamom Lantern',
    dessert: 'Snow Owl Creamery',
  },
  denver: {
    diner: 'Milepost Diner',
    pizza: 'Thin Air Pizza Works',
    taqueria: 'La Nube Taquería',
    burgers: 'Switchback Burgers',
    noodles: 'Juniper Noodle Bar',
    bowls: 'Tall Grass Bowls',
    dessert: 'Snowmelt Ice Cream',
    indian: 'Cardamom Pass',
  },
  boston: {
    diner: 'Tidewatch Diner',
    pizza: 'Nonna Perla’s',
    fish: 'The Salted Gull',
    sushi: 'Minato Lane',
    indian: 'Marigold Court',
    cafe: 'Cobble & Crumb',
    bowls: 'Common Root',
    noodles: 'Lotus Ladder',
  },
  honolulu: {
    diner: 'Moonrise Diner',
    poke: 'Keiko’s Poke Counter',
    sushi: 'Umi no Kaze',
    burgers: 'Banyan Burger Stand',
    noodles: 'Pho Plumeria',
    cafe: 'Trade Wind Coffee',
    dessert: 'Rainbow Alley Sweets',
    taqueria: 'Taquería Marea',
  },
  vancouver: {
    diner: 'Rainlight Diner',
    sushi: 'Hoshi & Cedar',
    noodles: 'Jade Ferry Noodles',
    poke: 'Pebble Beach Poke',
    indian: 'Monsoon Tiffin',
    cafe: 'Fog & Filter',
    bowls: 'Mossy Fork',
    pizza: 'Two Herons Pizza',
  },
  toronto: {
    diner: 'Streetcar Diner',
    pizza: 'Paper Crane Pizza',
    burgers: 'Maple & Anvil Burgers',
    indian: 'Tiffin on Nassau',
    noodles: 'Red Umbrella Noodles',
    sushi: 'Yuki Annex',
    taqueria: 'Taquería Mariposa',
    cafe: 'Queen’s Quince Café',
  },
  montreal: {
    diner: 'Casse-croûte L’Étoile de nuit',
    poutine: 'Chez Ti-Érable',
    pizza: 'Pizzéria Chat Gris',
    cafe: 'Café Hibou Doré',
    noodles: 'Nouilles du Marché',
    bowls: 'Bol & Forêt',
    dessert: 'Crèmerie Flocon',
    chicken: 'Rôtisserie Coq d’Été',
  },
  stJohns: {
    diner: 'Foghorn Diner',
    fish: 'Puffin & Pan',
    pizza: 'Signal Stone Pizza',
    burgers: 'Harbour Lamp Burgers',
    cafe: 'Jellybean Row Coffee',
    chicken: 'The Crooked Hen',
    indian: 'Cinnamon Cove',
    noodles: 'Blue Iceberg Noodle House',
  },
};

/** Near the demo's address, all restaurants but the sushi bar and a market never close, so there's a choice at any hour. */
export function neverSleeps(key: CityKey, concept: ConceptKey): boolean {
  return key === 'chicago' && concept !== 'sushi';
}

/** Branches of one market sell the same products, so that one branch can substitute another. */
export const MARKET = 'Harvest Lantern Market';
export const CORNER = 'Owl & Lantern Corner Store';
/** Which quarters of a city have a market. */
export const MARKET_QUARTERS: Readonly<Record<CityKey, readonly number[]>> = {
  phoenix: [1, 2],
  chicago: [0, 2],
  denver: [1],
  boston: [0],
  honolulu: [2],
  vancouver: [0],
  toronto: [0, 2],
  montreal: [0],
  stJohns: [2],
};
