import { runInSlices } from '../../src/platform/load/event-loop-scheduler.ts';
import { matchSellers } from '../../src/search/products/find-products.flow.ts';
import { ProductTerms } from '../../src/search/products/product-terms.index.ts';
import { productIndexOf } from '../../test/given/product-index.ts';
import { chanceOf, wholeBetween } from '../continent/seeded.ts';
import { type Half, halfOf, type Judged, linesOf } from './typed-queries.ts';

/**
 * 200 product searches as people type them, over three markets that sell these products. A line of `QUERIES` is the
 * query and what the first hit's name must contain; `&` joins several parts, and commas separate alternatives.
 */

/** Products by category: the name, and after a bar the size. */
const PRODUCTS = `
Sparkling Water: LaCroix Sparkling Water Lime | 8 pk, LaCroix Sparkling Water Pamplemousse | 8 pk, Bubly Sparkling Water Cherry | 8 pk, Perrier Sparkling Mineral Water | 750 ml, San Pellegrino Sparkling Mineral Water | 1 l, Topo Chico Mineral Water | 12 fl oz, Polar Seltzer Orange Vanilla | 1 l, Croix de Vie Lemon Spritz | 12 oz
Water: Dasani Purified Water | 24 pk, Smartwater Vapor Distilled Water | 1 l, Poland Spring Natural Spring Water | 24 pk, Fiji Natural Artesian Water | 500 ml, Evian Natural Spring Water | 1 l
Soda: Coca-Cola Classic | 12 pk, Coca-Cola Zero Sugar | 12 pk, Diet Coke | 12 pk, Pepsi Cola | 12 pk, Diet Pepsi | 12 pk, Dr Pepper | 12 pk, Mountain Dew | 12 pk, 7UP Lemon Lime Soda | 12 pk, Sprite Lemon-Lime Soda | 12 pk, A&W Root Beer | 12 pk, Canada Dry Ginger Ale | 12 pk, Mug Root Beer | 2 l, Fanta Orange Soda | 2 l, Sunkist Orange Soda | 12 pk, Barq's Root Beer | 12 pk
Energy Drinks: Red Bull Energy Drink | 8.4 fl oz, Monster Energy Drink | 16 fl oz, Gatorade Thirst Quencher Fruit Punch | 28 fl oz, Powerade Mountain Berry Blast | 28 fl oz, 5-hour Energy Shot Berry | 1.93 oz, Celsius Sparkling Orange | 12 oz, Body Armor SuperDrink Strawberry Banana | 28 oz
Juice: Simply Orange Juice Pulp Free | 52 fl oz, Tropicana Pure Premium Orange Juice | 52 fl oz, Mott's Apple Juice | 64 oz, Ocean Spray Cranberry Juice Cocktail | 64 oz, V8 Vegetable Juice | 46 oz, Welch's Grape Juice | 64 oz, Capri Sun Fruit Punch | 10 ct, Minute Maid Lemonade | 59 oz
Coffee: Folgers Classic Roast Ground Coffee | 30 oz, Maxwell House Original Roast Ground Coffee | 30 oz, Green Mountain Breakfast Blend K-Cup Pods | 24 ct, Starbucks Pike Place K-Cup Pods | 22 ct, Nescafe Clasico Instant Coffee | 7 oz, Coffee-mate Hazelnut Creamer | 32 oz, International Delight French Vanilla Creamer | 32 oz, Paper Cups | 50 ct
Tea: Lipton Black Tea Bags | 100 ct, Bigelow Green Tea Bags | 40 ct, Celestial Seasonings Sleepytime Tea | 20 ct, Arizona Green Tea with Ginseng | 128 oz, Pure Leaf Unsweetened Iced Tea | 18 oz
Milk: Whole Milk | 1 gal, 2% Reduced Fat Milk | 1 gal, 1% Low Fat Milk | 1 gal, Fat Free Skim Milk | 1 gal, Chocolate Milk | 1 qt, Fairlife Ultra-Filtered Whole Milk | 52 oz, Lactaid 2% Reduced Fat Milk | 96 oz, Silk Almond Milk Unsweetened Vanilla | 64 oz, Oatly Oat Milk | 64 oz, Buttermilk | 1 qt, Half & Half | 1 pt, Heavy Whipping Cream | 1 pt
Eggs & Butter: Large Grade A Eggs | 12 ct, Cage Free Brown Eggs | 12 ct, Land O'Lakes Salted Butter | 1 lb, Kerrygold Irish Butter Unsalted | 8 oz, I Can't Believe It's Not Butter Spread | 15 oz, Country Crock Original Spread | 45 oz
Cheese: Kraft Singles American Cheese | 12 oz, Philadelphia Cream Cheese | 8 oz, Sargento Shredded Mozzarella Cheese | 8 oz, Tillamook Medium Cheddar Cheese | 2 lb, BelGioioso Parmesan Wedge | 8 oz, The Laughing Cow Creamy Swiss | 6 oz, Polly-O String Cheese | 12 oz, Cottage Cheese | 16 oz, Babybel Original Snack Cheese | 6 ct, Velveeta Loaf | 32 oz, Cheez Whiz Original Cheese Dip | 15 oz
Yogurt: Chobani Greek Yogurt Strawberry | 5.3 oz, Yoplait Original Yogurt Strawberry | 6 oz, Fage Total 0% Greek Yogurt | 32 oz, Oikos Triple Zero Vanilla | 5.3 oz, Activia Probiotic Yogurt Peach | 4 pk, Stonyfield Organic Whole Milk Yogurt | 32 oz
Bread: Wonder Bread Classic White | 20 oz, Dave's Killer Bread 21 Whole Grains | 27 oz, Sara Lee Honey Wheat Bread | 20 oz, Thomas' English Muffins Original | 6 ct, King's Hawaiian Sweet Rolls | 12 ct, Mission Flour Tortillas | 10 ct, Hamburger Buns | 8 ct, Hot Dog Buns | 8 ct, Everything Bagels | 6 ct, Naan Original | 2 ct, Bread Crumbs Italian Style | 15 oz
Cereal: Cheerios Cereal | 12 oz, Honey Nut Cheerios Cereal | 19 oz, Frosted Flakes Cereal | 24 oz, Froot Loops Cereal | 19 oz, Lucky Charms Cereal | 18 oz, Cinnamon Toast Crunch Cereal | 19 oz, Rice Krispies Cereal | 18 oz, Cap'n Crunch Cereal | 20 oz, Raisin Bran Cereal | 24 oz, Quaker Old Fashioned Oats | 42 oz, Special K Red Berries | 16 oz, Cocoa Puffs Cereal | 15 oz, Grape-Nuts Cereal | 20 oz
Breakfast: Pop-Tarts Frosted Strawberry | 8 ct, Eggo Homestyle Waffles | 10 ct, Aunt Jemima Pancake Mix | 32 oz, Log Cabin Syrup | 24 oz, Jimmy Dean Pork Sausage Roll | 16 oz, Nutri-Grain Bars Strawberry | 8 ct
Crackers: Cheez-It Original Crackers | 12 oz, Ritz Original Crackers | 13 oz, Goldfish Cheddar Crackers | 6 oz, Triscuit Original Crackers | 8 oz, Wheat Thins Original | 9 oz, Premium Saltine Crackers | 16 oz, Graham Crackers Honey | 14 oz, Club Crackers Original | 13 oz
Chips: Lay's Classic Potato Chips | 8 oz, Doritos Nacho Cheese Tortilla Chips | 9 oz, Doritos Cool Ranch Tortilla Chips | 9 oz, Cheetos Crunchy Cheese Snacks | 8 oz, Flamin' Hot Cheetos | 8 oz, Pringles Sour Cream & Onion | 5 oz, Ruffles Original Potato Chips | 8 oz, Tostitos Scoops Tortilla Chips | 10 oz, Fritos Original Corn Chips | 9 oz, SunChips Harvest Cheddar | 7 oz, Pirate's Booty Aged White Cheddar | 4 oz, SkinnyPop Popcorn | 4 oz, Takis Fuego | 9 oz, Funyuns Onion Rings | 6 oz, Smartfood White Cheddar Popcorn | 6 oz, Kettle Brand Sea Salt & Vinegar Chips | 8 oz
Cookies: Oreo Chocolate Sandwich Cookies | 14 oz, Chips Ahoy! Chocolate Chip Cookies | 13 oz, Nutter Butter Cookies | 16 oz, Fig Newtons | 10 oz, Nilla Wafers | 11 oz, Milano Cookies Dark Chocolate | 6 oz, Teddy Grahams Honey | 10 oz, Little Debbie Oatmeal Creme Pies | 12 ct, Hostess Twinkies | 10 ct
Candy: M&M's Milk Chocolate Candy | 10 oz, Reese's Peanut Butter Cups | 12 oz, Kit Kat Wafer Bars | 10 oz, Snickers Chocolate Bars | 6 ct, Hershey's Milk Chocolate Bar | 1.5 oz, Hershey's Kisses | 10 oz, Twix Caramel Cookie Bars | 6 ct, Skittles Original Fruity Candy | 10 oz, Starburst Original Fruit Chews | 10 oz, Sour Patch Kids | 8 oz, Jolly Rancher Hard Candy | 7 oz, Tic Tac Freshmints | 1 oz, Milk Duds Candy | 5 oz, Nerds Gummy Clusters | 8 oz, Haribo Goldbears Gummy Candy | 5 oz, Altoids Peppermint Mints | 1.76 oz
Spreads: Jif Creamy Peanut Butter | 16 oz, Skippy Chunky Peanut Butter | 16 oz, Nutella Hazelnut Spread | 13 oz, Smucker's Strawberry Jam | 18 oz, Welch's Concord Grape Jelly | 30 oz, Honey Bear | 12 oz, Marshmallow Fluff | 7 oz
Condiments: Heinz Tomato Ketchup | 32 oz, French's Yellow Mustard | 14 oz, Hellmann's Real Mayonnaise | 30 oz, Miracle Whip Dressing | 30 oz, Hidden Valley Ranch Dressing | 16 oz, Sweet Baby Ray's Barbecue Sauce | 28 oz, Tabasco Pepper Sauce | 5 oz, Huy Fong Sriracha Hot Chili Sauce | 17 oz, Frank's RedHot Cayenne Pepper Sauce | 12 oz, Kikkoman Soy Sauce | 15 oz, A.1. Steak Sauce | 10 oz, Lea & Perrins Worcestershire Sauce | 10 oz, Vlasic Kosher Dill Pickles | 24 oz, Old El Paso Taco Sauce | 8 oz, La Choy Soy Sauce | 15 oz
Pantry: All Purpose Flour | 5 lb, Granulated Sugar | 4 lb, Brown Sugar | 2 lb, Arm & Hammer Baking Soda | 1 lb, Clabber Girl Baking Powder | 8 oz, Extra Virgin Olive Oil | 17 oz, Crisco Vegetable Oil | 48 oz, Pam Cooking Spray | 6 oz, Morton Iodized Salt | 26 oz, McCormick Ground Black Pepper | 3 oz, Lawry's Seasoned Salt | 16 oz, Nestle Toll House Semi-Sweet Morsels | 12 oz, Betty Crocker Brownie Mix | 18 oz, Duncan Hines Yellow Cake Mix | 15 oz, Jell-O Strawberry Gelatin | 3 oz, Cool Whip Whipped Topping | 8 oz, Vanilla Extract | 2 oz, White Vinegar | 32 oz
Canned Goods: Campbell's Chicken Noodle Soup | 10 oz, Campbell's Tomato Soup | 10 oz, Progresso Lentil Soup | 19 oz, Bush's Baked Beans | 28 oz, Del Monte Sweet Corn | 15 oz, Hunt's Tomato Paste | 6 oz, RO*TEL Diced Tomatoes & Green Chilies | 10 oz, StarKist Chunk Light Tuna | 5 oz, Bumble Bee Solid White Albacore Tuna | 5 oz, SPAM Classic | 12 oz, Chef Boyardee Beef Ravioli | 15 oz, SpaghettiOs Original | 15 oz, Goya Black Beans | 15 oz, Swanson Chicken Broth | 32 oz, Manwich Sloppy Joe Sauce | 15 oz, Dole Pineapple Chunks | 20 oz
Pasta & Rice: Barilla Spaghetti | 16 oz, Barilla Penne | 16 oz, De Cecco Fusilli | 16 oz, Kraft Macaroni & Cheese Dinner | 7 oz, Velveeta Shells & Cheese | 12 oz, Rice-A-Roni Chicken Flavor | 7 oz, Uncle Ben's Original Long Grain Rice | 32 oz, Jasmine Rice | 5 lb, Maruchan Ramen Noodle Soup Chicken | 3 oz, Top Ramen Beef | 3 oz, Cup Noodles Chicken | 2.25 oz, Prego Traditional Pasta Sauce | 24 oz, Ragu Old World Style Pasta Sauce | 24 oz, Rao's Homemade Marinara Sauce | 24 oz, Hamburger Helper Cheeseburger Macaroni | 6 oz, Annie's Shells & White Cheddar | 6 oz
Frozen: DiGiorno Rising Crust Pepperoni Pizza | 27 oz, Red Baron Classic Crust Pepperoni Pizza | 20 oz, Totino's Pizza Rolls Pepperoni | 50 ct, Hot Pockets Ham & Cheddar | 2 ct, Tyson Chicken Nuggets | 32 oz, Stouffer's Lasagna with Meat & Sauce | 38 oz, Lean Cuisine Swedish Meatballs | 9 oz, Ore-Ida Tater Tots | 32 oz, Birds Eye Broccoli Florets | 12 oz, Bagel Bites Cheese & Pepperoni | 9 ct, El Monterey Beef & Bean Burritos | 8 ct, Marie Callender's Chicken Pot Pie | 15 oz, Uncrustables Peanut Butter & Grape Jelly | 4 ct, Gorton's Fish Sticks | 18 oz, Impossible Burger Patties | 12 oz
Ice Cream: Ben & Jerry's Chocolate Fudge Brownie Ice Cream | 1 pt, Häagen-Dazs Vanilla Ice Cream | 14 oz, Breyers Natural Vanilla Ice Cream | 48 oz, Klondike Original Bars | 6 ct, Drumstick Classic Vanilla Cones | 4 ct, Talenti Sea Salt Caramel Gelato | 1 pt, Popsicle Orange Cherry Grape Pops | 18 ct, Halo Top Chocolate | 1 pt
Meat: Boneless Skinless Chicken Breast | 1 lb, Chicken Wings | 2 lb, 80/20 Ground Beef | 1 lb, Ground Turkey | 1 lb, Oscar Mayer Bacon | 16 oz, Oscar Mayer Bologna | 16 oz, Ball Park Beef Franks | 8 ct, Johnsonville Original Bratwurst | 19 oz, Ribeye Steak | 1 lb, Pork Chops | 1 lb, Atlantic Salmon Fillet | 1 lb, Raw Shrimp | 1 lb, Hillshire Farm Smoked Sausage | 14 oz, Deli Sliced Turkey Breast | 8 oz, Black Forest Ham | 9 oz
Produce: Bananas | 1 lb, Granny Smith Apples | 3 lb, Honeycrisp Apples | 1 lb, Navel Oranges | 4 lb, Strawberries | 1 lb, Blueberries | 1 pt, Red Seedless Grapes | 2 lb, Hass Avocados | 4 ct, Roma Tomatoes | 1 lb, Grape Tomatoes | 1 pt, Russet Potatoes | 5 lb, Sweet Potatoes | 1 lb, Yellow Onions | 3 lb, Green Onions | 1 ct, Baby Carrots | 1 lb, Romaine Lettuce Hearts | 3 ct, Baby Spinach | 5 oz, Broccoli Crowns | 1 lb, Garlic | 1 ct, Lemons | 1 lb, Limes | 1 lb, Cucumbers | 1 ct, Red Bell Peppers | 1 ct, Cilantro | 1 ct, Celery | 1 ct
Asian: 康师傅红烧牛肉面 | 5 pk, 老干妈香辣脆油辣椒 | 275 g, キッコーマン醤油 | 1 l, 日清カップヌードル | 77 g, Lao Gan Ma Spicy Chili Crisp | 7 oz, Sapporo Ichiban Original Ramen | 5 pk, Nongshim Shin Ramyun | 4 pk, Pocky Chocolate | 2.47 oz, Kewpie Mayonnaise | 12 oz
Household: Tide Original Liquid Laundry Detergent | 92 oz, Gain Flings Laundry Pods | 42 ct, Downy Fabric Softener | 51 oz, Clorox Disinfecting Bleach | 43 oz, Clorox Disinfecting Wipes | 75 ct, Lysol Disinfectant Spray | 12 oz, Dawn Ultra Dish Soap | 19 oz, Cascade Dishwasher Pods | 43 ct, Windex Glass Cleaner | 23 oz, Swiffer WetJet Pads | 24 ct, Bounty Paper Towels | 6 ct, Brawny Paper Towels | 6 ct, Charmin Ultra Soft Toilet Paper | 12 ct, Scott 1000 Toilet Paper | 12 ct, Kleenex Facial Tissues | 160 ct, Glad Trash Bags | 45 ct, Hefty Slider Storage Bags | 20 ct, Ziploc Sandwich Bags | 90 ct, Reynolds Wrap Aluminum Foil | 75 ct, Mr. Clean Magic Eraser | 4 ct, Febreze Air Freshener | 8 oz, Solo Red Plastic Cups | 50 ct, OxiClean Stain Remover | 3 lb, Pine-Sol Multi-Surface Cleaner | 48 oz, Duracell AA Batteries | 8 ct, Energizer AAA Batteries | 8 ct
Personal Care: Colgate Total Toothpaste | 5 oz, Crest 3D White Toothpaste | 4 oz, Oral-B Toothbrush | 2 ct, Listerine Cool Mint Mouthwash | 1 l, Dove Beauty Bar Soap | 4 ct, Old Spice Deodorant | 3 oz, Head & Shoulders Dandruff Shampoo | 13 oz, Pantene Daily Moisture Shampoo | 12 oz, Gillette Fusion5 Razor Blades | 4 ct, Band-Aid Flexible Fabric Bandages | 100 ct, Q-tips Cotton Swabs | 500 ct, Vaseline Petroleum Jelly | 13 oz, ChapStick Classic | 3 ct, Neutrogena Sunscreen SPF 55 | 3 oz, Always Maxi Pads | 28 ct, Tampax Pearl Tampons | 36 ct, Purell Hand Sanitizer | 8 oz, Softsoap Hand Soap | 7.5 oz
Health: Tylenol Extra Strength | 100 ct, Advil Ibuprofen | 100 ct, Tums Antacid | 96 ct, Pepto-Bismol | 8 oz, Alka-Seltzer Original | 36 ct, NyQuil Cold & Flu | 8 oz, Claritin Allergy | 30 ct, Emergen-C Vitamin C | 30 ct, One A Day Multivitamin | 100 ct, Halls Cough Drops | 30 ct
Baby: Pampers Swaddlers Diapers | 96 ct, Huggies Little Snugglers Diapers | 84 ct, Similac Advance Infant Formula | 23 oz, Gerber Banana Puffs | 1.5 oz, Johnson's Baby Shampoo | 20 oz, Huggies Natural Care Baby Wipes | 56 ct
Pet: Purina Dog Chow | 18 lb, Pedigree Adult Dog Food | 20 lb, Friskies Wet Cat Food | 24 ct, Meow Mix Dry Cat Food | 6 lb, Milk-Bone Dog Biscuits | 24 oz, Tidy Cats Clumping Litter | 20 lb, Beggin' Strips Bacon | 25 oz
Beer & Wine: Bud Light | 12 pk, Budweiser | 12 pk, Miller Lite | 12 pk, Coors Light | 12 pk, Corona Extra | 12 pk, Heineken Lager | 12 pk, White Claw Hard Seltzer Variety | 12 pk, Blue Moon Belgian White | 6 pk, Yellow Tail Chardonnay | 750 ml, Barefoot Pinot Grigio | 750 ml, Mike's Hard Lemonade | 6 pk, La Crema Pinot Noir | 750 ml`;

const QUERIES = `
la croix: LaCroix
lacroix lime: LaCroix & Lime
la croix pamplemousse: Pamplemousse
cheezits: Cheez-It
cheez its: Cheez-It
cheezit: Cheez-It
cheese its: Cheez-It
cheese itz crackers: Cheez-It
kcups: K-Cup
k cups: K-Cup
k cup pods: K-Cup
kcup starbucks: Starbucks Pike
7up: 7UP
7 up: 7UP
seven up: 7UP
coke: Coke, Coca-Cola
coca cola: Coca-Cola
cocacola: Coca-Cola
coke zero: Coca-Cola Zero
diet coke: Diet Coke
dietcoke: Diet Coke
pepsi: Pepsi
dr pepper: Dr Pepper
drpepper: Dr Pepper
doctor pepper: Dr Pepper
mountain dew: Mountain Dew
mountaindew: Mountain Dew
mtn dew: Mountain Dew
root beer: Root Beer
rootbeer: Root Beer
gingerale: Ginger Ale
a and w root beer: A&W
redbull: Red Bull
red bull: Red Bull
gatorade: Gatorade
gaterade: Gatorade
5 hour energy: 5-hour
bodyarmor: Body Armor
smart water: Smartwater
sanpellegrino: San Pellegrino
san pelegrino: San Pellegrino
topochico: Topo Chico
orange juice: Orange Juice
v8: V8
v 8 juice: V8
caprisun: Capri Sun
cran juice: Cranberry
lemonade: Lemonade
folgers: Folgers
folgers coffee: Folgers
coffee: Coffee
coffeemate: Coffee-mate
coffee creamer: Creamer
maxwellhouse: Maxwell House
milk: Milk
2% milk: 2% & Milk
two percent milk: 2% & Milk
skim milk: Skim Milk
almondmilk: Almond Milk
oatmilk: Oat Milk
half and half: Half & Half
half n half: Half & Half
butter milk: Buttermilk
heavy cream: Heavy Whipping Cream
eggs: Eggs
dozen eggs: Eggs
land o lakes butter: Land O'Lakes
land o'lakes: Land O'Lakes
landolakes: Land O'Lakes
butter: Butter
kerry gold butter: Kerrygold
cream cheese: Cream Cheese
creamcheese: Cream Cheese
philly cream cheese: Philadelphia Cream
string cheese: String Cheese
mozarella: Mozzarella
chedder cheese: Cheddar Cheese
parmesan: Parmesan
chobani: Chobani
greek yogurt: Greek Yogurt
yoghurt: Yogurt
wonderbread: Wonder Bread
daves killer bread: Dave's Killer
english muffin: English Muffins
hawaiian rolls: Hawaiian
tortillas: Tortillas
hotdog buns: Hot Dog Buns
hamburger bun: Hamburger Buns
breadcrumbs: Bread Crumbs
honeynut cheerios: Honey Nut Cheerios
honey nut cherios: Honey Nut Cheerios
cheerios: Cheerios
fruit loops: Froot Loops
frootloops: Froot Loops
captain crunch: Cap'n Crunch
capn crunch: Cap'n Crunch
cinnamon toast crunch: Cinnamon Toast Crunch
rice crispies: Rice Krispies
ricekrispies: Rice Krispies
grape nuts: Grape-Nuts
poptarts: Pop-Tarts
pop tarts: Pop-Tarts
pop tart strawberry: Pop-Tarts
pancake mix: Pancake Mix
eggos: Eggo
gold fish crackers: Goldfish
ritz crackers: Ritz
wheatthins: Wheat Thins
saltines: Saltine
lays: Lay's
lays potato chips: Lay's
doritos: Doritos
doritos coolranch: Cool Ranch
hot cheetos: Flamin' Hot Cheetos
cheetoes: Cheetos
pringles: Pringles
sun chips: SunChips
skinny pop: SkinnyPop
smart food popcorn: Smartfood
salt and vinegar chips: Salt & Vinegar
oreos: Oreo
oreo cookies: Oreo
chips ahoy: Chips Ahoy
nutterbutter: Nutter Butter
little debbies: Little Debbie
twinkies: Twinkies
m&ms: M&M's
m and ms: M&M's
mms: M&M's
reeses: Reese's
reeces peanut butter cups: Reese's
kitkat: Kit Kat
kit kats: Kit Kat
snickers bar: Snickers
hersheys kisses: Hershey's Kisses
sourpatch kids: Sour Patch Kids
tictacs: Tic Tac
star burst: Starburst
peanut butter: Peanut Butter
peanutbutter: Peanut Butter
jiff: Jif
nutela: Nutella
grape jelly: Grape Jelly
ketchup: Ketchup
catsup: Ketchup
mayo: Mayonnaise
hellmans mayo: Hellmann's
ranch dressing: Ranch Dressing
ranch: Ranch
sweet baby rays: Sweet Baby Ray's
bbq sauce: Barbecue Sauce
siracha: Sriracha
franks red hot: Frank's RedHot
soy sauce: Soy Sauce
a1 steak sauce: A.1.
a1 sauce: A.1.
worcestershire: Worcestershire
pickles: Pickles
la choy: La Choy
lachoy soy sauce: La Choy
sugar: Granulated Sugar
flour: Flour
arm and hammer baking soda: Arm & Hammer
olive oil: Olive Oil
tollhouse chocolate chips: Toll House
jello: Jell-O
coolwhip: Cool Whip
chicken noodle soup: Chicken Noodle Soup
campbells tomato soup: Campbell's Tomato
rotel: RO*TEL
star kist tuna: StarKist
spaghetti os: SpaghettiOs
mac and cheese: Macaroni & Cheese
kraft mac n cheese: Kraft Macaroni
riceroni: Rice-A-Roni
rice a roni: Rice-A-Roni
top ramen: Top Ramen
cup o noodles: Cup Noodles
digiorno: DiGiorno
di giorno pizza: DiGiorno
tatertots: Tater Tots
hotpockets: Hot Pockets
haagen dazs: Häagen-Dazs
ben and jerrys: Ben & Jerry's
chicken breast: Chicken Breast
ground beef: Ground Beef
bananas: Bananas
avacado: Avocados
红烧牛肉面: 康师傅
醤油: キッコーマン
カップヌードル: カップヌードル
toilet paper: Toilet Paper
papertowels: Paper Towels
bandaids: Band-Aid
qtips: Q-tips
chap stick: ChapStick
nyquil: NyQuil
whiteclaw: White Claw
sprite: Sprite
baby wipes: Baby Wipes
`;

const SEED = 20_261_127;
const MARKETS = [0.8, 3.1, 6.4];

/** Judges the queries of a half near three markets, of which the farther ones lack every third product. */
export async function judgeProducts(half: Half): Promise<Judged[]> {
  const chance = chanceOf(SEED);
  const products = linesOf(PRODUCTS).flatMap(({ key: category, values }) =>
    values.map((line) => {
      const [name = '', size = ''] = line.split(' | ');
      return { category, name, size };
    }),
  );
  const terms = new ProductTerms();
  const markets = MARKETS.map((_, nth) => {
    const own = products.filter(() => nth === 0 || chance() < 2 / 3);
    return own.map((product) => ({ ...product, deliveryCents: wholeBetween(99, 1999, chance) }));
  });
  const indexes = markets.map((own) => productIndexOf(own, terms).index);
  const sellers = MARKETS.map((miles, nth) => ({ storeId: String(nth), miles, key: 0 }));
  const judged: Judged[] = [];
  for (const { key: text, values: wanted } of halfOf(linesOf(QUERIES), half)) {
    const pool = await matchSellers({ text, gtins: null, claims: 0 }, null, indexes);
    const [best] = await runInSlices(pool.rank(sellers, 'relevance', 0, 1));
    const first = best ? (markets[Number(best.seller.storeId)]?.[best.productNo - 1]?.name ?? null) : null;
    const isRight = wanted.some((name) => name.split(' & ').every((part) => first?.includes(part)));
    judged.push({ text, first, isRight });
  }
  return judged;
}
