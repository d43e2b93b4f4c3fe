import type { StoreType } from '../../src/supply/stores/store.ts';
import { type Chance, pick, pickEarly, weighted } from './seeded.ts';

/** A kind of independent store: cuisine, weight, and the nouns that end its name. */
export type Kind = { cuisine: string; type: StoreType; share: number; nouns: readonly string[] };

const TABLE = `
american|120|Grill,Diner,Kitchen,Tavern,Bar & Grill,Eatery,House,Café,Roadhouse,Pub
mexican|105|Taquería,Tacos,Cantina,Mexican Grill,Mexican Restaurant,Cocina,Birriería,Burritos,Mariscos,Taco Shop
pizza|95|Pizza,Pizzeria,Pizza & Subs,Pizza House,Pizza Kitchen,Brick Oven Pizza,Pizza Co.
chinese|75|Garden,Chinese Restaurant,Wok,Dragon,Palace,Express,Dumplings,Noodle House,Kitchen
coffee|80|Coffee,Café,Coffee House,Espresso Bar,Roasters,Coffee Co.,Coffee Bar
italian|50|Ristorante,Trattoria,Italian Kitchen,Osteria,Italian Restaurant,Pasta House,Cucina
sandwiches|45|Deli,Subs,Sandwich Shop,Delicatessen,Hoagies,Sandwiches
burgers|50|Burgers,Burger Bar,Drive-In,Hamburgers,Burger Co.,Smash Burgers
bakery|40|Bakery,Bake Shop,Pâtisserie,Boulangerie,Bakehouse,Donuts & Pastries
japanese|32|Sushi,Ramen,Sushi Bar,Izakaya,Hibachi,Japanese Restaurant,Teriyaki
thai|25|Thai Kitchen,Thai Cuisine,Thai Restaurant,Thai Bistro,Noodles
indian|24|Indian Cuisine,Tandoor,Curry House,Indian Restaurant,Biryani House,Masala
vietnamese|20|Phở,Pho & Grill,Bánh Mì,Vietnamese Restaurant,Noodle Soup
bbq|30|BBQ,Barbecue,Smokehouse,Bar-B-Que,Pit BBQ,Rib Shack
seafood|24|Seafood,Oyster Bar,Crab House,Fish Market,Fish & Chips,Lobster Shack
chicken|24|Chicken,Fried Chicken,Wings,Hot Chicken,Pollo Asado
breakfast|28|Pancake House,Breakfast Club,Waffles,Brunch,Egg House
desserts|30|Ice Cream,Creamery,Frozen Yogurt,Gelato,Sweets,Dessert Bar
french|9|Bistro,Brasserie,Crêperie,Café,Rôtisserie
greek|11|Gyros,Greek Taverna,Souvlaki,Mediterranean Grill
korean|12|Korean BBQ,Bibimbap,Korean Kitchen,Tofu House
mediterranean|14|Kebab,Falafel,Shawarma,Mediterranean Kitchen,Hummus Bar
salads|8|Salads,Greens,Salad Bar,Fresh Kitchen
juice|14|Juice Bar,Smoothies,Juicery,Tea House,Bubble Tea
steak|12|Steakhouse,Chophouse,Prime Steaks,Churrascaria
caribbean|8|Jerk Chicken,Island Grill,Caribbean Kitchen,Roti Shop
ethiopian|3|Ethiopian Restaurant,Injera House,Café
brewpub|22|Brewing Co.,Taproom,Brewery,Brewpub,Ale House`;
const GROCERY_TABLE = `
grocery|70|Market,Supermarket,Foods,Grocery,Food Market,Fresh Market
convenience|110|Mini Mart,Corner Store,Food Mart,Quick Stop,Dépanneur,Convenience
butcher|8|Meats,Butcher Shop,Meat Market,Carnicería
organic|10|Natural Foods,Organics,Co-op,Health Foods
liquor|45|Liquors,Wine & Spirits,Liquor Store,Beverage Center,Bottle Shop
asian|10|Oriental Market,Asian Market,H Mart,Asian Foods
latin|14|Supermercado,Mercado,Tienda,Bodega`;

const kindsOf = (table: string, type: StoreType): Kind[] =>
  table
    .trim()
    .split('\n')
    .map((row) => {
      const [cuisine = '', share, nouns = ''] = row.split('|');
      return { cuisine, type, share: Number(share), nouns: nouns.split(',') };
    });

export const KINDS: readonly Kind[] = [...kindsOf(TABLE, 'restaurant'), ...kindsOf(GROCERY_TABLE, 'grocery')];
export const kindBy = weighted(KINDS, ({ share }) => share);

const PEOPLE = `Tony Joe Maria Rosa Mike Sal Gino Frank Pete Sam Nick Luigi Mario Antonio José Juan Carlos Luis Miguel Pedro
Ramón Jesús Andrés Raúl Óscar Héctor Lupe Elena Carmen Sofía Lucía Inés Zoë Chloé Émile André René François Benoît Hélène
Thérèse Jean-Pierre Lucie Amélie Nguyễn Trần Phạm Lê Hoàng Linh Mai Kim Lee Park Choi Wong Chen Chang Lin Wu Wang Zhang
Ming Li Yuki Kenji Hiro Sakura Tanaka Patel Singh Raj Priya Anita Ravi Kumar Ali Omar Hassan Fatima Yusuf Ahmed Leila Dimitri
Nikos Kostas Eleni Stavros Björn Jürgen Günther Heidi Olga Boris Ivan Natasha Zoltán Łukasz Kasia Molly Paddy Murphy Sean Fiona
Duffy Kelly Sullivan Bob Bill Betty Dave Steve Jim Jack Jerry Larry Ray Roy Earl Otis Mabel Ruby Ruth Annie Sally Susie Nancy
Ellen Grandma Nonna Mama Papa Uncle Abuelita Dottie Millie Vinny Carmine Rocco Enzo Giulia Bella Lorenzo Matteo Paolo Alfonso
Ernesto Esteban Gloria Graciela Xóchitl Ximena Peña Núñez Muñoz Ibáñez Castañeda Ordóñez Gómez Hernández Martínez Rodríguez
Sánchez Pérez García López Ramírez Flores Rivera Torres Díaz Cruz Morales Ortiz Gutiérrez Chávez Ramos Ruiz Mendoza Álvarez
Schmidt Müller Weber Becker Hoffman Larsen Olsen Hansen Johansson O'Brien O'Malley O'Neill McGee McCoy Bartlett Baker Carter
Cooper Davis Evans Fisher Foster Grant Harper Hayes Jenkins Kowalski Novak Petrov Romano Russo Ferrari Esposito Bianchi Ricci
Lombardi Moretti Gallo Conti DeLuca Di Marco Tremblay Gagnon Bouchard Côté Fortin Bélanger Lévesque Pelletier Gauthier`;
const THINGS = `Golden Lucky Blue Red Green Silver Royal Imperial Little Big Old New Grand Happy Sunny Sunset Sunrise Moonlight
Copper Iron Rustic Urban Wild Village Corner Main Street Downtown Uptown Riverside Lakeside Harbor Hilltop Valley Mountain Canyon
Prairie Desert Ocean Pacific Atlantic Island Beach Bayou Cedar Oak Maple Pine Willow Elm Magnolia Olive Lemon Cherry Peach Apple
Pepper Ginger Saffron Basil Rosemary Thyme Sage Honey Sugar Salt Smoke Ember Flame Fire Stone Brick Timber Barn Farm Garden Orchard
Meadow Rooster Hen Bull Pig Fox Bear Wolf Eagle Falcon Owl Crow Dragon Phoenix Tiger Panda Lotus Jasmine Bamboo Orchid Jade Pearl
Ruby Amber Crystal Diamond Crown Castle Bell Anchor Compass Lantern Union Liberty Heritage Pioneer Frontier Railroad Depot Station
Mill Bridge River Creek Lake Bay Coast Summit Ridge Peak Northern Southern Eastern Western Midtown Capital Colonial Patriot
Stella Luna Sol Estrella Cielo Fiesta Amigo Casa Rancho Hacienda Jalisco Oaxaca Michoacán Yucatán Sinaloa Durango Veracruz Puebla
Roma Napoli Sicilia Milano Toscana Venezia Capri Amalfi Athens Corfu Istanbul Beirut Saigon Hanoi Hué Bangkok Chiang Siam Tokyo
Kyoto Osaka Seoul Busan Shanghai Peking Hunan Szechuan Canton Bombay Delhi Punjab Kashmir Himalaya Everest Lima Havana Kingston`;
const LEADS = [
  'El',
  'La',
  'Los',
  'Las',
  'Le',
  'Café',
  'Chez',
  'The',
  'Don',
  'Doña',
  'Taste of',
  'House of',
  'New',
  'Casa',
];
const ENDS = ['Express', 'II', '& Sons', '& Co.', 'To Go', '#2', '& More', 'on Main', 'at the Mall', 'No. 3'];

const people = PEOPLE.split(/\s+/);
const things = THINGS.split(/\s+/);

/**
 * A plausible name of an independent store. Common words repeat across stores, and most words occur only a few times.
 */
export function independentName({ nouns }: Kind, city: string, chance: Chance): string {
  const noun = pickEarly(nouns, chance);
  const roll = chance();
  if (roll < 0.34) return `${pickEarly(people, chance)}'s ${noun}${endOf(chance)}`;
  if (roll < 0.54) return `${pickEarly(things, chance)} ${noun}${endOf(chance)}`;
  if (roll < 0.68) return `${pickEarly(things, chance)} ${pick(things, chance)} ${noun}`;
  if (roll < 0.8) return `${pick(LEADS, chance)} ${pick(things, chance)} ${noun}${endOf(chance)}`;
  if (roll < 0.88) return `${pick(people, chance)} & ${pick(people, chance)} ${noun}`;
  if (roll < 0.93) return `${city} ${noun}${endOf(chance)}`;
  return `${inventedWord(chance)} ${noun}${endOf(chance)}`;
}

function endOf(chance: Chance): string {
  return chance() < 0.12 ? ` ${pick(ENDS, chance)}` : '';
}

const SYLLABLES =
  'ka lo mir ten dos pel ran vi su gor bet nim cha wes zé ó fri mon tal ber qui dé lan sor ña ruk hel pó'.split(' ');

/** Invented names of owners and towns, so that the index's vocabulary grows with the number of stores. */
function inventedWord(chance: Chance): string {
  const count = 2 + Math.floor(chance() * 2);
  const word = Array.from({ length: count }, () => pick(SYLLABLES, chance)).join('');
  return (word[0] ?? '').toUpperCase() + word.slice(1);
}

const TOWN_FIRST =
  `Cedar Oak Maple Pine Elm Spring Clear Mill Fair Green Brook River Lake Glen Wood Ash Stone Rock Sand Clay North South
East West New Mount Fort Port Saint George Frank Jack Madi Clin Hamil Law Marl Middle Bristol Kings Queens Ches Lan Win Bur Har Wal`.split(
    /\s+/,
  );
const TOWN_LAST = [
  'ville',
  'ton',
  ' Falls',
  ' Springs',
  'field',
  ' Creek',
  'wood',
  ' Grove',
  ' Heights',
  ' Hills',
  'burg',
  ' City',
  ' Park',
  'dale',
  'port',
  ' Valley',
  'ford',
  'view',
  ' Junction',
  'boro',
];

export function townName(chance: Chance): string {
  return `${pick(TOWN_FIRST, chance)}${pick(TOWN_LAST, chance)}`;
}
