import { SearchIndex, storeIdsOf } from '../../test/given/search-index.ts';
import { queryOf, storeOf } from '../../test/oracles/store-search.ts';
import { chanceOf } from '../continent/seeded.ts';
import { type Half, halfOf, type Judged, linesOf } from './typed-queries.ts';

/**
 * 200 store searches as people type them, over outlets of public brands and stores of made-up names in ten cities. A
 * line of `QUERIES` is the query and the brands, or the kind in brackets, of which the first hit must be one.
 */

/** Brands by type and kind; the kind is a cuisine of every other outlet. */
const BRANDS = `
restaurant burger: McDonald's, Burger King, Wendy's, Five Guys, Shake Shack, In-N-Out Burger, Whataburger, White Castle, Jack in the Box, Carl's Jr., Hardee's, Sonic Drive-In, Culver's, Smashburger, The Habit Burger Grill, A&W, Steak 'n Shake, Freddy's Frozen Custard & Steakburgers, Harvey's, Good Times Burgers & Frozen Custard
restaurant ice_cream: Dairy Queen, Baskin-Robbins, Cold Stone Creamery, Ben & Jerry's, Häagen-Dazs, Marble Slab Creamery, Menchie's Frozen Yogurt
restaurant chicken: Chick-fil-A, KFC, Popeyes, Church's Chicken, Raising Cane's, Zaxby's, Bojangles, Wingstop, Buffalo Wild Wings, El Pollo Loco, Pollo Tropical, Dave's Hot Chicken, Slim Chickens, Golden Chick, Swiss Chalet, St-Hubert, Mary Brown's, Nando's, Jollibee
restaurant mexican: Taco Bell, Chipotle Mexican Grill, Qdoba, Del Taco, Taco Cabana, Taco Bueno, Moe's Southwest Grill, Baja Fresh, Rubio's Coastal Grill, Torchy's Tacos, On The Border, Chuy's, El Charro, La Cabana, Taco Loco
restaurant pizza: Pizza Hut, Domino's Pizza, Papa John's, Little Caesars, Papa Murphy's, Marco's Pizza, Round Table Pizza, Blaze Pizza, MOD Pizza, Sbarro, Jet's Pizza, Hungry Howie's, Donatos, California Pizza Kitchen, Cicis, Mellow Mushroom, Your Pie, Pizza Pizza, Boston Pizza, Tony's Pizza, Joe's Pizza, West End Pizza, Late Night Slice
restaurant sandwich: Subway, Jimmy John's, Jersey Mike's Subs, Firehouse Subs, Quiznos, Potbelly Sandwich Works, Penn Station East Coast Subs, McAlister's Deli, Jason's Deli, Schlotzsky's, Arby's, Which Wich, Charleys Cheesesteaks, Capriotti's, Green Leaf Deli, Lunch Box Deli
restaurant coffee_shop: Starbucks, Dunkin', Peet's Coffee, Caribou Coffee, Tim Hortons, Dutch Bros Coffee, The Coffee Bean & Tea Leaf, Philz Coffee, Blue Bottle Coffee, Second Cup, Bell Cafe, Food Court Cafe
restaurant donut: Krispy Kreme, Shipley Do-Nuts, Best Donuts
restaurant bagel: Einstein Bros. Bagels, Bruegger's Bagels
restaurant bakery: Panera Bread, Au Bon Pain, Auntie Anne's, Cinnabon, Insomnia Cookies, Crumbl, Nothing Bundt Cakes, Great American Cookies, Sunrise Bakery, Le Pain Quotidien
restaurant juice: Jamba, Smoothie King, Tropical Smoothie Cafe, Booster Juice
restaurant chinese: Panda Express, P.F. Chang's, Pei Wei, Manchu Wok, Golden Dragon, Great Wall, King Buffet, 海底捞火锅, 北京烤鸭店, 小肥羊
restaurant japanese: Benihana, 一風堂ラーメン, 丸亀製麺, すき家, Sushi Train
restaurant vietnamese: Pho Hoa, Lee's Sandwiches, Pho 79
restaurant thai: Thai Express, Lucky Thai, Bangkok Garden
restaurant indian: Royal India, Curry Up Now
restaurant italian: Olive Garden, Maggiano's Little Italy, Carrabba's Italian Grill, Fazoli's, Noodles & Company, East Side Mario's
restaurant american: Applebee's Grill + Bar, Chili's, TGI Fridays, Ruby Tuesday, Red Robin, Cracker Barrel, Golden Corral, The Cheesecake Factory, BJ's Restaurant & Brewhouse, Dave & Buster's, Hooters, Twin Peaks, Boston Market, Rest Stop Diner
restaurant seafood: Red Lobster, Long John Silver's, Captain D's, Bonefish Grill, Land & Sea
restaurant steak: Outback Steakhouse, LongHorn Steakhouse, Texas Roadhouse, Ruth's Chris Steak House, Sizzler, The Keg
restaurant breakfast: IHOP, Denny's, Waffle House, Bob Evans, Perkins, First Watch, Cora
restaurant salad: Sweetgreen, Chopt, Saladworks
restaurant mediterranean: Cava, The Halal Guys, Zoës Kitchen
restaurant bubble_tea: Kung Fu Tea, Gong Cha, Sharetea, CoCo Fresh Tea & Juice, Tiger Sugar
restaurant barbecue: Famous Dave's, Dickey's Barbecue Pit, Mission BBQ, Sonny's BBQ, Smokey Bones, City Barbeque
restaurant hot_dog: Nathan's Famous, Wienerschnitzel, Portillo's
grocery supermarket: Walmart, Target, Kroger, Safeway, Albertsons, Publix, H-E-B, Whole Foods Market, Trader Joe's, ALDI, Lidl, Costco, Sam's Club, BJ's Wholesale Club, Wegmans, Giant Eagle, Stop & Shop, ShopRite, Food Lion, Food 4 Less, Foodland, Winn-Dixie, Piggly Wiggly, Harris Teeter, Meijer, Hy-Vee, Fred Meyer, Ralphs, Vons, Jewel-Osco, ACME Markets, Smart & Final, Sprouts Farmers Market, The Fresh Market, Fairway Market, Price Chopper, Hannaford, Save A Lot, WinCo Foods, Grocery Outlet, H Mart, 99 Ranch Market, Mitsuwa Marketplace, Food City, Lowes Foods, IGA, Loblaws, No Frills, Real Canadian Superstore, Sobeys, Metro, FreshCo, Save-On-Foods, T&T Supermarket, Provigo, Market Basket, Big Y, Rite Price Market, Lucky
grocery convenience: 7-Eleven, Circle K, Wawa, Sheetz, QuikTrip, Casey's, Speedway, Cumberland Farms, RaceTrac, ampm, Couche-Tard, Stop N Go, Kum & Go, Royal Farms, Corner Store
grocery chemist: CVS Pharmacy, Walgreens, Rite Aid, Shoppers Drug Mart, Jean Coutu, Duane Reade, Pharmaprix
grocery alcohol: Total Wine & More, BevMo!, LCBO, SAQ, The Beer Store, Cheap Thrills Wine
grocery electronics: Best Buy, GameStop, Apple Store
grocery hardware: The Home Depot, Lowe's, Ace Hardware, Tractor Supply Co., Harbor Freight, True Value
grocery pet: PetSmart, Petco, Pet Supplies Plus
grocery books: Barnes & Noble, Books-A-Million, Half Price Books
grocery florist: 1-800-Flowers, Edible Arrangements
grocery general: Dollar General, Dollar Tree, Family Dollar, Five Below, Bath & Body Works, Goodwill, Big Lots, Sephora, Ulta Beauty, Crate & Barrel, Michaels, JOANN, Hobby Lobby, Office Depot, Staples, TJ Maxx, Bed Bath & Beyond, Shop Local`;

const QUERIES = `
shop rite: ShopRite
wing stop: Wingstop
food land: Foodland
711: 7-Eleven
chickfila: Chick-fil-A
chick fila near me: Chick-fil-A
mcdonalds: McDonald's
mc donalds: McDonald's
macdonalds: McDonald's
mcdonalds open now: McDonald's
burgerking: Burger King
buger king: Burger King
wendies: Wendy's
wendys hamburgers: Wendy's
5 guys: Five Guys
fiveguys burgers: Five Guys
in and out burger: In-N-Out Burger
innout: In-N-Out Burger
in n out: In-N-Out Burger
what a burger: Whataburger
whitecastle: White Castle
jack n the box: Jack in the Box
carls junior: Carl's Jr.
carls jr: Carl's Jr.
sonic: Sonic Drive-In
smash burger: Smashburger
habit burger: The Habit Burger Grill
steak and shake: Steak 'n Shake
a and w: A&W
aw: A&W
dq: Dairy Queen
dairyqueen: Dairy Queen
baskin robins: Baskin-Robbins
31 flavors baskin robbins: Baskin-Robbins
coldstone: Cold Stone Creamery
ben and jerrys: Ben & Jerry's
hagen daz: Häagen-Dazs
kfc: KFC
popeyes chicken: Popeyes
popeye's louisiana kitchen: Popeyes
churchs: Church's Chicken
raising canes: Raising Cane's
canes chicken fingers: Raising Cane's
buffalo wildwings: Buffalo Wild Wings
bww buffalo wild wings: Buffalo Wild Wings
el pollo: El Pollo Loco
daves hot chicken: Dave's Hot Chicken
tacobell: Taco Bell
taco bel: Taco Bell
tacos bell: Taco Bell
chipotle: Chipotle Mexican Grill
chipolte: Chipotle Mexican Grill
chiptole burrito bowl: Chipotle Mexican Grill
q doba: Qdoba
deltaco: Del Taco
taco bueno: Taco Bueno
moes: Moe's Southwest Grill
pizzahut: Pizza Hut
pizza hut delivery: Pizza Hut
dominos: Domino's Pizza
domino pizza: Domino's Pizza
dominoes pizza: Domino's Pizza
papa johns: Papa John's
papajohns pizza: Papa John's
pappa johns: Papa John's
little ceasars: Little Caesars
little caesar pizza: Little Caesars
round table: Round Table Pizza
roundtable pizza: Round Table Pizza
mod pizza: MOD Pizza
jets: Jet's Pizza
mellow mushroom pizza: Mellow Mushroom
cpk california pizza kitchen: California Pizza Kitchen
best pizza near me: [pizza]
good pizza: [pizza]
cheap pizza delivery: [pizza]
late night pizza: [pizza], Late Night Slice
top rated sushi: [japanese]
best sushi near me: [japanese]
places to eat near me: [restaurant]
kid friendly restaurants: [restaurant]
24 hour pharmacy: [chemist]
pharmacy open 24 hours: [chemist]
best burgers: [burger]
cheap chinese food: [chinese]
good mexican food near me: [mexican]
best breakfast near me: [breakfast]
lunch: [restaurant]
lunch sandwich places: [sandwich]
best coffee: [coffee_shop]
thai: [thai]
ramen near me: [japanese]
bbq: [barbecue]
bbq restaurants near me: [barbecue]
grocery store: [supermarket]
liquor store near me: [alcohol]
ice cream near me: [ice_cream]
donuts: [donut]
wings: [chicken], Wingstop, Buffalo Wild Wings
boba: [bubble_tea]
subway: Subway
sub way: Subway
jimmy johns: Jimmy John's
jimmyjohns: Jimmy John's
jersey mikes: Jersey Mike's Subs
firehouse: Firehouse Subs
fire house subs: Firehouse Subs
quiznos subs: Quiznos
potbelly: Potbelly Sandwich Works
pot belly: Potbelly Sandwich Works
mcalisters deli: McAlister's Deli
jasons deli: Jason's Deli
arbys: Arby's
arbies: Arby's
witch wich: Which Wich
starbucks: Starbucks
star bucks: Starbucks
starbuks coffee: Starbucks
dunkin donuts: Dunkin'
dunkin: Dunkin'
dunkin doughnuts: Dunkin'
peets: Peet's Coffee
tim hortons: Tim Hortons
tim horton: Tim Hortons
dutch brothers: Dutch Bros Coffee
dutchbros: Dutch Bros Coffee
coffee bean: The Coffee Bean & Tea Leaf
coffee bean and tea leaf: The Coffee Bean & Tea Leaf
krispykreme: Krispy Kreme
crispy creme donuts: Krispy Kreme
crumbl cookies: Crumbl
panerabread: Panera Bread
panera: Panera Bread
einstein bagels: Einstein Bros. Bagels
einstein brothers: Einstein Bros. Bagels
auntie annes pretzels: Auntie Anne's
panda express: Panda Express
pandaexpress chinese: Panda Express
pf changs: P.F. Chang's
peiwei: Pei Wei
noodles and co: Noodles & Company
noodles company: Noodles & Company
olive garden: Olive Garden
olivegarden: Olive Garden
olive garden italian restaurant: Olive Garden
applebees: Applebee's Grill + Bar
apple bees: Applebee's Grill + Bar
chillis: Chili's
t g i fridays: TGI Fridays
tgif fridays: TGI Fridays
cheesecake factory: The Cheesecake Factory
cheese cake factory: The Cheesecake Factory
red lobster: Red Lobster
outback: Outback Steakhouse
out back steak house: Outback Steakhouse
texas road house: Texas Roadhouse
longhorn: LongHorn Steakhouse
long horn steakhouse: LongHorn Steakhouse
i hop: IHOP
dennys: Denny's
wafflehouse: Waffle House
waffle house 24 hours: Waffle House
sweet green: Sweetgreen
halal guys: The Halal Guys
gongcha: Gong Cha
share tea: Sharetea
famous daves bbq: Famous Dave's
海底捞: 海底捞火锅
烤鸭: 北京烤鸭店
ラーメン: 一風堂ラーメン
丸亀: 丸亀製麺
walmart: Walmart
wal mart: Walmart
walmart grocery pickup: Walmart
traderjoes: Trader Joe's
trader joe: Trader Joe's
heb: H-E-B
wholefoods: Whole Foods Market
whole foods: Whole Foods Market
stop and shop: Stop & Shop
stop n shop: Stop & Shop
winn dixie: Winn-Dixie
hyvee: Hy-Vee
food for less: Food 4 Less
food4less: Food 4 Less
save alot: Save A Lot
sams: Sam's Club
costco wholesale: Costco
t and t: T&T Supermarket
cvs: CVS Pharmacy
walgreen: Walgreens
best buy: Best Buy
goodwill store: Goodwill
good will: Goodwill
homedepot: The Home Depot
ace hardware store: Ace Hardware
tractor supply: Tractor Supply Co.
bed bath and beyond: Bed Bath & Beyond
petsmart: PetSmart
pet smart: PetSmart
`;

const CITIES = [
  { city: 'Denver', state: 'CO', zipcode: '80202', latitude: 39.75, longitude: -104.99 },
  { city: 'Columbus', state: 'OH', zipcode: '43215', latitude: 39.96, longitude: -83 },
  { city: 'Houston', state: 'TX', zipcode: '77002', latitude: 29.76, longitude: -95.37 },
  { city: 'Seattle', state: 'WA', zipcode: '98101', latitude: 47.61, longitude: -122.33 },
  { city: 'Atlanta', state: 'GA', zipcode: '30303', latitude: 33.75, longitude: -84.39 },
  { city: 'Boston', state: 'MA', zipcode: '02110', latitude: 42.36, longitude: -71.06 },
  { city: 'Toronto', state: 'ON', zipcode: 'M5V 2T6', latitude: 43.64, longitude: -79.39 },
  { city: 'Vancouver', state: 'BC', zipcode: 'V6B 1A1', latitude: 49.28, longitude: -123.12 },
  { city: 'Chicago', state: 'IL', zipcode: '60601', latitude: 41.88, longitude: -87.63 },
  { city: 'Phoenix', state: 'AZ', zipcode: '85004', latitude: 33.45, longitude: -112.07 },
] as const;
const SEED = 20_261_127;
/** Maximum offset of an outlet from the middle of its city, about 14 miles. */
const OFF_DEGREES = 0.2;

type Outlet = { brand: string; type: string; kind: string };

/** Judges the queries of a half, each searched in the middle of one of the cities. */
export function judgeStores(half: Half): Judged[] {
  const { index, outlets } = givenOutlets();
  return halfOf(linesOf(QUERIES), half).map(({ key: text, values: wanted }, nth) => {
    const { latitude, longitude } = CITIES[nth % CITIES.length] as (typeof CITIES)[number];
    const [storeId] = storeIdsOf(index.search(queryOf({ text, latitude, longitude }), 0));
    const first = storeId === undefined ? undefined : (outlets.get(storeId) as Outlet);
    const names = first === undefined ? [] : [first.brand, `[${first.kind}]`, `[${first.type}]`];
    return { text, first: first?.brand ?? null, isRight: names.some((name) => wanted.includes(name)) };
  });
}

/** Every brand has an outlet in each city; every other one states its cuisine. */
function givenOutlets(): { index: SearchIndex; outlets: ReadonlyMap<string, Outlet> } {
  const chance = chanceOf(SEED);
  const index = new SearchIndex();
  const outlets = new Map<string, Outlet>();
  for (const { key, values } of linesOf(BRANDS)) {
    const [type = '', kind = ''] = key.split(' ');
    for (const brand of values) {
      for (const { latitude, longitude, ...place } of CITIES) {
        const id = `${brand}/${place.city}`;
        const off = () => (2 * chance() - 1) * OFF_DEGREES;
        const at = { latitude: latitude + off(), longitude: longitude + off() };
        const cuisines = chance() < 0.5 ? [kind] : [];
        const address = { ...storeOf(id).address, ...place };
        const isGrocery = type === 'grocery';
        index.upsert(
          storeOf(id, { name: brand, type: isGrocery ? 'grocery' : 'restaurant', cuisines, address, ...at }),
        );
        outlets.set(id, { brand, type, kind });
      }
    }
  }
  return { index, outlets };
}
