import { splitWords } from './text/normalize-text.ts';
import { singularOf } from './text/singular.ts';

/**
 * Everyday names of kinds of stores in English, French and Spanish; each line is one kind. Before the bar: feeds' names
 * for this kind. After it: names that are less specific or also mean something else.
 */
const KINDS = `
restaurant, restaurante, resto, eatery | drive in, drive thru, drive through, food, comida, store, shop, tienda, lunch, dinner, place to eat, où manger, almuerzo, cena, lugar para comer
grocery, grocer, supermarket, market, marché, supermarché, épicerie, supermercado, mercado, abarrotes | food, store, shop, magasin, tienda
delivery, deliver, livraison, domicilio, a domicilio
pickup, pick up, takeout, take out, takeaway, take away, to go, carryout, carry out, à emporter, emporter, para llevar, recoger
coffee, café, coffeehouse, espresso, cafetería
tea, bubble tea, boba, té
pizza, pizzeria, pizzería
burger, hamburger, cheeseburger, hamburguesa, hamburguesería
sandwich, sub, hoagie, deli, delicatessen, sandwicherie, bocadillo
chicken, fried chicken, wing, poulet, rôtisserie, pollo, alita
mexican, tex mex, taco, taquería, burrito, mexicain, mexicano, mexicana
chinese, dim sum, dumpling, chinois, chino
japanese, sushi, ramen, japonais, japonés, japonesa
thai, thaï, tailandés, tailandesa
vietnamese, pho, banh mi, vietnamien, vietnamita
indian, curry, tandoori, indien, hindú
korean, coréen, coreano, coreana
italian, pasta, trattoria, ristorante, italien, italiano, italiana
french, bistro, brasserie, crêperie, français, francés, francesa
greek, gyro, souvlaki, grec, griego, griega
mediterranean, middle eastern, kebab, shawarma, falafel, méditerranéen, mediterráneo
seafood, fish, oyster, fruits de mer, poisson, mariscos, pescado
steak, steakhouse, steak house, chophouse, asador
barbecue, barbeque, bbq, bar b que, smokehouse, barbacoa
breakfast, brunch, pancake, waffle, déjeuner, desayuno
donut, doughnut, beigne, beignet
bakery, bread, pastry, boulangerie, pâtisserie, panadería, pastelería
bagel, baguel
ice cream, frozen yogurt, froyo, gelato, custard, dessert, crème glacée, glace, helado, heladería, postre
juice, smoothie, jus, jugo, licuado, batido
salad, salade, ensalada
hot dog, perro caliente
vegetarian, vegan, végétarien, végétalien, vegetariano, vegano
bar, pub, tavern, brewery, brewpub, taverne, brasserie, cervecería, cantina
convenience, corner store, mini mart, gas, gas station, dépanneur, conveniencia
pharmacy, drug store, drugstore, chemist, pharmacie, farmacia
liquor, alcohol, wine, beer, spirit, vin, bière, licorería, licor
butcher, meat, boucherie, carnicería
organic, natural food, health food, bio, biologique, orgánico
hardware, quincaillerie, ferretería
pet, animalerie, mascota
flower, florist, fleuriste, florería
book, bookstore, librairie, librería
toy, jouet, juguete, juguetería
electronic, électronique, electrónica`;

const MAX_PHRASE_WORDS = 3;

type Kind = { kinds: string[]; names: string[] };

const LINES: readonly Kind[] = KINDS.trim()
  .split('\n')
  .map((line) => {
    const [kinds = [], others = []] = line.split('|').map((names) => names.split(',').map(kindPhrase));
    return { kinds, names: [...kinds, ...others] };
  });
const ALL_NAMES: ReadonlySet<string> = new Set(LINES.flatMap(({ names }) => names));
/** All names of a kind, by each of the names that feeds use for it. */
const NAMES_OF: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.flatMap(({ kinds }) => kinds).map((kind) => [
    kind,
    LINES.flatMap((line) => (line.kinds.includes(kind) ? line.names : [])),
  ]),
);

/** Returns a phrase in the form where kinds are compared: folded, each word in its singular. */
export function kindPhrase(phrase: string): string {
  return splitWords(phrase).map(singularOf).join(' ');
}

/** Returns the everyday names (`kindPhrase`) of a store with this type or cuisine from its feed. */
export function everydayNames(kind: string): string[] {
  const words = kindPhrase(kind).split(' ');
  const names = words.flatMap((_, at) =>
    Array.from({ length: MAX_PHRASE_WORDS }, (_, more) => words.slice(at, at + more + 1).join(' ')),
  );
  return [...new Set([...names, ...names.flatMap((name) => NAMES_OF.get(name) ?? [])])];
}

/** Whether the phrase (`kindPhrase`) describes a kind of store, so that it does not identify one store. */
export function isEverydayName(phrase: string): boolean {
  return ALL_NAMES.has(phrase);
}
