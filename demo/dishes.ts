/*
 * How the demo's dishes look: `words | base bed | pieces`. The words are those of the product's name; the base is what
 * it is served in, with the color or kind of what fills it; a piece is `NAME*COUNT` of the table below.
 */

/** A piece of food: its shape, two colors, and its width in hundredths of its natural one. */
const PIECES: Readonly<Record<string, readonly [shape: string, color: string, second: string, size: number]>> = {
  egg: ['egg', '#fffaf0', '#f6b21b', 92],
  half_egg: ['half', '#fffaf0', '#f2a32b', 70],
  bacon: ['wave', '#a8352b', '#f0b9a0', 66],
  toast: ['half_toast', '#f1d7a3', '#b9793a', 84],
  bread: ['toast', '#f3dcae', '#b9793a', 92],
  pancake: ['disc', '#e0a653', '#b9752f', 170],
  butter: ['cube', '#f9d860', '#fdf0b0', 36],
  berry: ['disc', '#3d4f8c', '#2b396b', 24],
  strawberry: ['heart', '#d9343f', '#d9343f', 36],
  banana: ['slice', '#f7e3a0', '#e3c46a', 44],
  omelette: ['fillet', '#f4c23f', '#e09f2b', 150],
  pepper: ['strip', '#d8432f', '#f08a6a', 44],
  green_pepper: ['strip', '#4f8f3a', '#9acb78', 44],
  onion: ['ring', '#d9c3e0', '#d9c3e0', 40],
  tomato: ['slice', '#e2452f', '#b92e20', 54],
  cherry_tomato: ['half', '#e2452f', '#f08a6a', 42],
  basil: ['leaf', '#3f7d34', '#2c5c25', 48],
  cilantro: ['herb', '#5c9a3f', '#3f7330', 50],
  mozzarella: ['blob', '#fffaf0', '#ffffff', 66],
  pepperoni: ['disc', '#b8352a', '#8f2119', 52],
  mushroom: ['crescent', '#d8bf9c', '#a58259', 44],
  olive: ['ring', '#33352b', '#33352b', 26],
  ham: ['blob', '#e59a94', '#f3c3bd', 62],
  artichoke: ['leaf', '#9fae6a', '#71803f', 54],
  ricotta: ['blob', '#fdfbf4', '#ffffff', 40],
  broccoli: ['lettuce', '#3f7d34', '#5f9f48', 44],
  zucchini: ['slice', '#cfe0a0', '#4f8f3a', 44],
  knot: ['swirl', '#d9a457', '#a96f2c', 64],
  crouton: ['cube', '#d9a457', '#f0cf94', 28],
  parmesan: ['leaf', '#f6e6b4', '#e4cc86', 34],
  wing: ['wing', '#b9572a', '#8c3c1a', 74],
  tandoori: ['wing', '#c23a1e', '#7d2113', 74],
  drumstick: ['wing', '#c98539', '#8f5a20', 104],
  celery: ['stick', '#b9d48a', '#8fb35a', 50],
  cannoli: ['cannoli', '#a96f2c', '#d09a52', 92],
  chip: ['half_toast', '#eebf4d', '#c9922b', 48],
  salsa: ['blob', '#c8412b', '#e8735a', 60],
  guacamole: ['blob', '#7fa63f', '#a8c86a', 120],
  cream: ['swirl', '#fffdf6', '#ece4d2', 50],
  burrito: ['burrito', '#7a4a2b', '#6fa13c', 130],
  egg_burrito: ['burrito', '#f4c23f', '#d8432f', 124],
  taco: ['taco', '#7a4a2b', '#e0a93f', 96],
  big_taco: ['taco', '#8f5a2b', '#e0a93f', 134],
  quesadilla: ['half_toast', '#f3dcae', '#d09a52', 110],
  enchilada: ['roll', '#c8964f', '#7fa63f', 118],
  lime: ['wedge', '#b9d85a', '#6f9f2b', 50],
  lemon: ['wedge', '#f9e27a', '#e3b92b', 50],
  corn: ['corn', '#f6c83f', '#d9a21f', 112],
  kernel: ['grain', '#f6c83f', '#f6c83f', 22],
  bean: ['grain', '#5a2f24', '#5a2f24', 26],
  chickpea: ['disc', '#e3bd7a', '#c79a52', 28],
  radish: ['slice', '#fdf3f4', '#d24f74', 38],
  churro: ['stick', '#b9752f', '#8a531d', 108],
  chocolate: ['blob', '#4a2a1b', '#7a4a30', 56],
  ring: ['ring', '#d69a45', '#d69a45', 84],
  lettuce: ['lettuce', '#6fa13c', '#8fbf52', 58],
  spinach: ['leaf', '#39662f', '#28491f', 44],
  cucumber: ['slice', '#dbeac0', '#5f9f48', 44],
  carrot: ['strip', '#ee8a2b', '#f8b878', 38],
  cabbage: ['strip', '#8a4f9a', '#b98ac4', 38],
  patty: ['blob', '#5a3322', '#7a4a32', 110],
  cheese: ['cube', '#f6b93b', '#fbd67e', 50],
  meatloaf: ['toast', '#7a4228', '#a5351f', 92],
  mash: ['swirl', '#f6e8bf', '#e4cf94', 104],
  pea: ['disc', '#6fa13c', '#4f7f2a', 18],
  chicken: ['nugget', '#d09348', '#9c6426', 66],
  roast_chicken: ['wing', '#c27a33', '#8a4f1c', 136],
  pork: ['nugget', '#a85f3a', '#7a3d22', 52],
  brisket: ['steak', '#8a4433', '#4a2018', 92],
  smoked: ['steak', '#a9503f', '#6f2c24', 80],
  samosa: ['half_toast', '#d69a45', '#b07128', 92],
  bhaji: ['nugget', '#c07f2f', '#8a531d', 66],
  chutney: ['blob', '#4f7f3a', '#7fa85a', 64],
  curry_chicken: ['nugget', '#e0883a', '#b8601f', 48],
  lamb: ['nugget', '#7a3d22', '#5a2815', 50],
  paneer: ['cube', '#fdf3d6', '#ffffff', 40],
  potato: ['cube', '#f0d28a', '#f8e6b4', 40],
  aubergine: ['strip', '#54305f', '#8a5a9a', 48],
  chili: ['strip', '#c8281e', '#f07a5a', 34],
  naan: ['fillet', '#ecd3a2', '#c79a52', 150],
  gulab: ['disc', '#8a4420', '#6a3014', 68],
  croissant: ['crescent', '#d69545', '#a5641f', 176],
  almond: ['grain', '#f3ddb0', '#f3ddb0', 26],
  muffin: ['cookie', '#d9a457', '#3d4f8c', 190],
  cinnamon: ['swirl', '#e3b778', '#8a4f24', 176],
  loaf: ['fillet', '#b9722f', '#f0d6a0', 200],
  heart: ['heart', '#f3dfc2', '#f3dfc2', 90],
  foam: ['blob', '#fdf6ea', '#ffffff', 118],
  cocoa: ['disc', '#7a4a30', '#5a3420', 14],
  maple: ['leaf', '#b8562a', '#8a3c1a', 40],
  granola: ['nugget', '#b9793a', '#8a531d', 26],
  salmon: ['cube', '#f4875a', '#f9b090', 44],
  tuna: ['cube', '#c8384a', '#e0707c', 42],
  tofu: ['cube', '#f9f0d8', '#ffffff', 46],
  shrimp: ['shrimp', '#f08a5a', '#d2552f', 62],
  nori: ['stick', '#1f2b25', '#34453b', 50],
  avocado: ['avocado', '#dbe58a', '#5f8f36', 64],
  seaweed: ['strip', '#2f6a4a', '#5f9a78', 34],
  mango: ['cube', '#f7b32b', '#fbd07a', 46],
  papaya: ['strip', '#e8c878', '#f6e2b0', 34],
  peanut: ['grain', '#d2a05a', '#d2a05a', 20],
  sprout: ['strip', '#f6f0dc', '#ffffff', 30],
  satay: ['skewer', '#c08438', '#8a531d', 92],
  spring_roll: ['roll', '#d69a45', '#f0c98a', 104],
  fresh_roll: ['roll', '#f3ece0', '#f08a5a', 112],
  beef: ['leaf', '#8a4a3a', '#6a3024', 58],
  pork_slice: ['steak', '#e0a58a', '#b9684a', 66],
  naruto: ['swirl', '#fdf8f2', '#e56a8a', 44],
  scallion: ['ring', '#6fa13c', '#6fa13c', 18],
  dumpling: ['dumpling', '#f3e3c3', '#c9a36b', 74],
  maki: ['maki', '#f4875a', '#f9b090', 62],
  spicy: ['uramaki', '#c8384a', '#e8a02b', 66],
  rainbow: ['uramaki', '#8fbf52', '#f4875a', 66],
  garden: ['maki', '#8fbf52', '#f6c83f', 62],
  nigiri: ['nigiri', '#f4875a', '#fbc4a8', 96],
  otoro: ['nigiri', '#f3a6a0', '#fbdcd8', 96],
  uni: ['gunkan', '#e8a02b', '#f6c35a', 100],
  sashimi: ['fillet', '#f4875a', '#fbc4a8', 66],
  tuna_slice: ['fillet', '#c8384a', '#e8909a', 62],
  ginger: ['blob', '#f6c9c0', '#fbe3dd', 44],
  wasabi: ['blob', '#9fc26a', '#c4dca0', 36],
  katsu: ['roll', '#c98539', '#8f5a20', 90],
  falafel: ['nugget', '#8a5a2b', '#5f3a18', 52],
  hummus: ['swirl', '#ecd6a4', '#d2b06a', 80],
  beet: ['cube', '#8f2150', '#b9507a', 38],
  apple: ['wedge', '#f7f0c8', '#c8342b', 50],
  pumpkin: ['cube', '#e8892b', '#f4b06a', 40],
  kale: ['lettuce', '#3a5f34', '#557f48', 50],
  ice: ['cube', '#ffffffb0', '#ffffff', 44],
  mint: ['herb', '#5c9a3f', '#3f7330', 56],
  froth: ['blob', '#fffdf4', '#ffffff', 88],
  whip: ['swirl', '#fffdf6', '#eadfc8', 96],
  cod: ['fillet', '#d69a45', '#f0c98a', 138],
  haddock: ['fillet', '#c98a35', '#e8bd7a', 116],
  cake: ['cookie', '#c98f4a', '#f3dcae', 92],
  tongue: ['nugget', '#e0b878', '#b9864a', 44],
  tartar: ['swirl', '#fdfaf0', '#dfe8c8', 64],
  mussel: ['leaf', '#2f3a4a', '#e8a05a', 56],
  lobster: ['lobster', '#e0553a', '#f6a58a', 124],
  touton: ['doughnut', '#d9a457', '#b07128', 78],
  malasada: ['disc', '#d69a45', '#f8f0e0', 88],
  vanilla: ['scoop', '#fbeec6', '#e8d49a', 92],
  pink: ['scoop', '#f3a5b0', '#d9707f', 92],
  dark: ['scoop', '#6a3f2a', '#4a2a1b', 92],
  pistachio: ['scoop', '#c4d69a', '#8fa85a', 92],
  split: ['banana', '#f6d860', '#c9a53a', 150],
  brownie: ['cube', '#4a2a1b', '#7a4a30', 90],
  cherry: ['cherry', '#c8202f', '#c8202f', 52],
  cookie: ['cookie', '#cf9650', '#4a2a1b', 92],
  lattice: ['lattice', '#e0ac5e', '#b87d33', 100],
  pizza: ['pizza', '#e9b54a', '#b8352a', 92],
  white_pizza: ['pizza', '#f0d9a0', '#4f7f3a', 92],
  cranberry: ['disc', '#b81f38', '#8a1428', 24],
  ice_blue: ['scoop', '#7fc4ea', '#a8dcf6', 120],
  ice_red: ['scoop', '#f06a7a', '#f8a0aa', 120],
  ice_yellow: ['scoop', '#f8d85a', '#fbe9a0', 120],
  musubi: ['musubi', '#c8685a', '#c8685a', 92],
  curd: ['blob', '#fdf6dc', '#ffffff', 40],
  gravy: ['blob', '#6a3a20', '#8f5a38', 66],
  bagel: ['doughnut', '#d69a52', '#a96f2c', 150],
  rye: ['sandwich', '#a9503f', '#7a2f26', 136],
  club: ['sandwich', '#6fa13c', '#e2452f', 92],
  melt: ['sandwich', '#f6b93b', '#e09f2b', 120],
  pulled: ['sandwich', '#8f4a2b', '#5f2a16', 130],
};

const ROWS = `
two-egg plate | plate | egg*2, bacon*3, toast*2
sunrise plate | pan #3a4046 | egg*3, potato*9, cherry_tomato*5
buttermilk pancakes | plate | pancake*1, butter*1, berry*9
western omelette | plate | omelette*1, pepper*5, green_pepper*5
french toast | board | bread*3, strawberry*4, berry*6
oatmeal | bowl oats | banana*6, berry*9, almond*7
grilled cheese | board | melt*2, salsa*1
turkey club | plate | club*4, bacon*2
patty melt | basket | melt*1, patty*1, onion*4
meatloaf | plate | meatloaf*2, mash*1, pea*22
roast chicken | plate | roast_chicken*1, potato*6, carrot*6
mac and cheese | pan macaroni | crouton*14, parmesan*9, scallion*12
apple pie | pie #d99a3f | lattice*1
cherry pie | pie #a81c2c | lattice*1, cherry*6
bottomless coffee, drip coffee | cup #3a2114 |
fountain soda | glass #4a2016 | ice*4
iced tea | glass #b86a22 | lemon*2, ice*3
sparkling water | glass #cfe9f0 | ice*3, lime*1, mint*1
build your own | pizza #e9c46a | tomato*5, mushroom*5, green_pepper*5, olive*5
margherita | pizza #c53a25 | mozzarella*8, basil*9
pepperoni | pizza #d2552f | pepperoni*15
four seasons | pizza #c53a25 | ham*5, artichoke*5, mushroom*7, olive*8
white pie | pizza #f6e8bf | ricotta*12, parmesan*8, basil*5
market vegetable | pizza #dfa53a | broccoli*8, zucchini*7, pepper*6
slice of the day | board | pizza*1, basil*2
slice sampler | board | pizza*2, white_pizza*2
garlic knots | basket | knot*9, basil*5
caesar salad | bowl greens | crouton*12, parmesan*12
baked wings | board | wing*6, celery*4
cannoli | plate | cannoli*3, chocolate*2
chilaquiles | pan chips | egg*2, salsa*3, cilantro*5, cream*2
breakfast burrito | board | egg_burrito*2, salsa*1
taco trio | board | taco*3, lime*2
taco | plate | big_taco*1, lime*2
burrito bowl | bowl rice | bean*22, kernel*22, guacamole*1, cilantro*4
burrito | basket | burrito*2, lime*2
quesadilla | plate | quesadilla*3, guacamole*1, cream*1
enchiladas | pan #7fa63f | enchilada*3, cream*3, cilantro*4
pozole | bowl #b8412b | kernel*24, pork*6, radish*6, cilantro*4
guacamole | bowl #8fb04a | chip*9, cilantro*5, cherry_tomato*5
elote | plate | corn*3, lime*2
churros | basket | churro*6, chocolate*1
crispy chicken sandwich | stack #d69a4a | lettuce*1, chicken*1, tomato*1
house burger | stack #cf8f3f | patty*1, cheese*1, tomato*1, lettuce*1
smoke stack | stack #b9722f | patty*1, cheese*1, bacon*1, patty*1, cheese*1
green chile burger | stack #c98539 | patty*1, guacamole*1, cheese*1, green_pepper*1
garden burger | stack #a9763a | falafel*1, lettuce*1, tomato*1, avocado*1, lettuce*1
onion rings | basket | ring*9
poutine à la viande | bowl fries | gravy*5, smoked*4, curd*8
poutine végé | bowl fries | gravy*4, mushroom*9, curd*9, scallion*9
poutine du bûcheron | pan fries | bacon*4, gravy*4, curd*8, egg*1
poutine | bowl fries | gravy*6, curd*14
fries | basket fries | salsa*1
side salad | bowl greens | cherry_tomato*8, cucumber*8, onion*5
vanilla shake | glass #fbf0d2 | whip*1, cherry*1
malted chocolate shake | glass #6a4029 | whip*1, chocolate*1
seasonal shake | glass #f08fa0 | whip*1, strawberry*2
samosas | plate | samosa*4, chutney*1
onion bhaji | basket | bhaji*8, chutney*1
tandoori wings | plate | tandoori*5, onion*4, lemon*2
butter curry | bowl #e07a2b | curry_chicken*7, cream*2, cilantro*3
madras | bowl #b8401f | lamb*8, chili*4, cilantro*3
saag | bowl #3f6a2b | paneer*9, cream*1
vindaloo | bowl #9c2415 | potato*7, lamb*5, chili*6
chana masala | bowl #b8682b | chickpea*34, cilantro*5
dal makhani | bowl #5a3020 | bean*30, cream*2, butter*1
baingan | bowl #8a4a2f | aubergine*12, cherry_tomato*5, cilantro*4
hyderabadi biryani | pan saffron | chicken*6, half_egg*2, cilantro*6
vegetable biryani | bowl saffron | pea*20, carrot*9, chili*4, mint*4
garlic naan | board | naan*2, cilantro*4
basmati rice | bowl rice | cilantro*2
mango lassi | glass #f7c04a | mango*2, mint*1
gulab jamun | bowl #e8b878 | gulab*5, almond*6
maple latte | cup #b07a48 | heart*1, maple*2
latte | cup #b98452 | heart*1
cappuccino | cup #a5703f | foam*1, cocoa*12
mocha | cup #6a3f26 | whip*1, cocoa*9
espresso | cup #2a150b | foam*1
cold brew | glass #3a1f12 | ice*5
vietnamese coffee | glass #8a5a34 | ice*3, cream*1
green tea | cup #a8b85a | basil*1
tea | cup #b8682a | lemon*1
egg sandwich | stack #d9a457 | cheese*1, egg*1, bacon*1
granola and yogurt | bowl #fdfbf4 | granola*14, berry*9, strawberry*5
avocado toast | plate | bread*2, avocado*5, radish*4
butter croissant | plate | croissant*1
almond croissant | board | croissant*1, almond*14
blueberry muffin | plate | muffin*1, berry*5
cinnamon roll | plate | cinnamon*1
country loaf | board | loaf*1, butter*1
6 wings | plate | wing*6
12 wings | basket | wing*11, celery*3
24 wings | board | wing*9, tandoori*9, celery*4
two pieces | basket fries | drumstick*2
family box | basket | drumstick*6, corn*2
tenders | board | chicken*6, salsa*1, tartar*1
brisket | board | brisket*5, onion*4, cucumber*5
pulled pork | board | pulled*1, pepper*5, cucumber*5
one scoop | bowl #f3ddb0 | vanilla*1
two scoops | bowl #e8c4b8 | vanilla*1, pink*1
three scoops | plate | vanilla*1, pink*1, pistachio*1
banana split | bowl #f6ead0 | split*2, vanilla*1, dark*1, pink*1, cherry*3
brownie sundae | plate | brownie*3, vanilla*2, cherry*2
cookie box | basket | cookie*8
milk | glass #fdfcf7 |
pint | cup #f6d6dc | pink*1, strawberry*2
fresh rolls | plate | fresh_roll*4, mint*2, chutney*1
spring rolls | board | spring_roll*5, lettuce*3, salsa*1
green papaya salad | bowl slaw | papaya*16, cherry_tomato*7, peanut*12
satay | board | satay*4, chutney*1
vegetable pho | bowl #d9a860 | tofu*7, mushroom*6, mint*5, scallion*9
pho | bowl #c98f4a | beef*8, sprout*9, mint*4, lime*1
bún bò | bowl #b8431f | beef*6, pork_slice*3, chili*5, scallion*9
pad thai | plate noodles | shrimp*5, sprout*8, lime*2, peanut*12
drunken noodles | pan wide | basil*8, chili*6, chicken*4
basil fried rice | plate fried | egg*1, basil*5, chili*4
green curry | bowl #a8b860 | chicken*5, aubergine*6, basil*5
massaman | bowl #b07a3a | potato*7, lamb*5, peanut*14
mango sticky rice | plate | mango*9, mash*1, mint*1
roll lunch | board | maki*4, spicy*4, nigiri*2, ginger*1
bento | board | nigiri*2, maki*3, katsu*2, seaweed*8, shrimp*1
salmon roll | plate | maki*8
spicy tuna roll | board | spicy*8, ginger*2
rainbow roll | plate | rainbow*8, wasabi*1, ginger*1
garden roll | board | garden*7, cucumber*4
salmon nigiri | board | nigiri*3, ginger*1
otoro nigiri | plate | otoro*2, wasabi*1
uni | board | uni*2
sashimi | plate | sashimi*4, tuna_slice*4, seaweed*6, lemon*1
ramen | bowl #dfb878 | pork_slice*3, half_egg*2, naruto*2, scallion*12, nori*2
gyoza | pan #3a3f43 | dumpling*7, scallion*9
miso soup | bowl #c98f52 | tofu*9, seaweed*8, scallion*9
sake | cup #eef2ee | sprout*1
build a bowl | bowl greens | pumpkin*7, beet*7, chickpea*12, avocado*3
harvest bowl | bowl greens | apple*5, pumpkin*8, almond*10
miso bowl | bowl rice | mushroom*7, tofu*7, kale*4, scallion*9
falafel bowl | plate greens | falafel*5, hummus*1, cherry_tomato*6
lentil soup | bowl lentils | carrot*9, cilantro*5
tomato soup | bowl #c8341f | cream*2, basil*3, crouton*6
green juice | glass #8fbf3f | mint*1, lime*1
carrot ginger juice | glass #ee8a2b | carrot*3
smoothie | glass #b0528a | berry*5, banana*2
cod and chips | basket fries | cod*1, lemon*1, tartar*1
haddock and chips | plate fries | haddock*2, pea*16
fish cakes | plate | cake*3, lemon*2, tartar*1
seafood chowder | bowl #f6ead0 | shrimp*4, mussel*4, potato*5, salmon*4
lobster roll | board | lobster*1, lemon*2
cod tongues | pan #3a3f43 | tongue*14, bacon*2, lemon*2
toutons | plate | touton*4, butter*2
partridgeberry | pie #8a1428 | cranberry*30
small bowl | bowl rice | salmon*9, cucumber*5, seaweed*5
regular bowl | bowl rice | tuna*9, avocado*3, carrot*6, scallion*9
large bowl | bowl rice | salmon*7, tuna*7, mango*5, shrimp*3, seaweed*6
plate lunch | plate | katsu*4, mash*1, lettuce*4
garlic shrimp | pan #e8c878 | shrimp*9, lemon*2, cilantro*5
musubi | board | musubi*2
shave ice | bowl #fdfcf7 | ice_blue*1, ice_red*1, ice_yellow*1
malasada | basket | malasada*5
viande fumée sur seigle | board | rye*1, cucumber*4
bagel au saumon | plate | bagel*1, sashimi*3, onion*3
pouding | pan #b8682a | cake*3, cream*2
tarte au sucre | pie #b8722f | cream*3, maple*4
bière d’épinette | glass #d9a23a | ice*2, mint*1
bière blonde | glass #eab02b | froth*4
`;

/** A dish as it is drawn. */
export type Dish = {
  /** Of its picture: `dish-margherita`. */
  name: string;
  base: string;
  bed: string;
  pieces: readonly (readonly [shape: string, color: string, second: string, size: number, count: number])[];
};

/** The dishes with the words that a product's name has for them. */
export const DISHES: readonly (Dish & { words: string })[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [words = '', served = '', listed = ''] = row.split('|').map((part) => part.trim());
    const [base = '', bed = ''] = served.split(' ');
    const pieces = listed
      .split(', ')
      .filter(Boolean)
      .map((piece) => {
        const [name = '', count] = piece.split('*');
        const known = PIECES[name];
        if (!known) throw new RangeError(`${words}: there is no piece ${name}.`);
        return [...known, Number(count)] as const;
      });
    const slug = (words.split(', ')[0] ?? '')
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, '-');
    return { words, name: `dish-${slug}`, base, bed, pieces };
  });
