import type { StoreType } from '../../src/supply/stores/store.ts';

/** A chain: name, outlets in hundreds, cuisine, price level, and type of opening hours. */
export type Chain = {
  name: string;
  type: StoreType;
  outlets: number;
  cuisine: string;
  dollarSigns: number;
  hours: HoursKind;
  /** Country of its outlets; null for both. */
  country: 'US' | 'CA' | null;
};

export type HoursKind = 'always' | 'early' | 'fast' | 'dinner' | 'market';

/** Name | outlets in hundreds | cuisine | price | hours | country. */
const RESTAURANTS = `
Subway|230|sandwiches|1|fast|;Starbucks|180|coffee|2|early|;McDonald's|148|burgers|1|always|;Dunkin'|95|donuts|1|early|US
Taco Bell|78|mexican|1|fast|;Domino's|72|pizza|1|dinner|;Burger King|70|burgers|1|fast|;Pizza Hut|66|pizza|1|dinner|
Wendy's|64|burgers|1|fast|;Dairy Queen|46|desserts|1|fast|;Little Caesars|44|pizza|1|dinner|;Tim Hortons|45|coffee|1|always|CA
KFC|42|chicken|1|fast|;Sonic Drive-In|35|burgers|1|fast|US;Arby's|34|sandwiches|1|fast|US;Papa John's|33|pizza|1|dinner|
Chipotle Mexican Grill|34|mexican|2|fast|;Chick-fil-A|30|chicken|2|fast|US;Popeyes Louisiana Kitchen|33|chicken|1|fast|
Jimmy John's|27|sandwiches|1|fast|US;Jersey Mike's Subs|27|sandwiches|2|fast|;Panera Bread|22|bakery|2|early|US
Panda Express|24|chinese|1|fast|;Baskin-Robbins|23|desserts|1|fast|;Jack in the Box|22|burgers|1|always|US;Wingstop|20|wings|2|dinner|
Five Guys|15|burgers|2|fast|;IHOP|17|breakfast|2|always|;Applebee's|16|american|2|dinner|;Denny's|15|breakfast|1|always|
Waffle House|20|breakfast|1|always|US;Hardee's|17|burgers|1|early|US;Buffalo Wild Wings|12|wings|2|dinner|;Chili's Grill & Bar|12|american|2|dinner|
Olive Garden|9|italian|2|dinner|;Outback Steakhouse|7|steak|3|dinner|US;Red Lobster|6|seafood|3|dinner|;Texas Roadhouse|7|steak|2|dinner|US
Cracker Barrel|7|american|2|early|US;Zaxby's|9|chicken|1|fast|US;Culver's|9|burgers|1|fast|US;Whataburger|10|burgers|1|always|US
Raising Cane's|7|chicken|1|fast|US;Firehouse Subs|12|sandwiches|2|fast|;Krispy Kreme|4|donuts|1|early|;Einstein Bros. Bagels|7|bagels|1|early|US
Auntie Anne's|12|bakery|1|fast|US;Jamba|7|juice|2|fast|US;Smoothie King|12|juice|2|fast|US;Qdoba Mexican Eats|7|mexican|2|fast|US
Marco's Pizza|11|pizza|1|dinner|US;Papa Murphy's|12|pizza|1|dinner|US;Shake Shack|4|burgers|2|fast|US;In-N-Out Burger|4|burgers|1|fast|US
A&W|10|burgers|1|fast|CA;Boston Pizza|4|pizza|2|dinner|CA;Second Cup Café|2|coffee|2|early|CA;St-Hubert|2|chicken|2|dinner|CA
Harvey's|3|burgers|1|fast|CA;Swiss Chalet|2|chicken|2|dinner|CA;Mary Brown's Chicken|3|chicken|1|fast|CA;Freshii|3|salads|2|fast|CA
Pho Hoà|3|vietnamese|2|dinner|;Nando’s PERi-PERi|1|portuguese|2|dinner|;Café Rio|2|mexican|2|fast|US;Peet’s Coffee|3|coffee|2|early|US
Sweetgreen|2|salads|2|fast|US;Noodles & Company|5|noodles|2|fast|US;P.F. Chang's|2|chinese|3|dinner|US;Crêperie Bretonne|1|french|2|early|CA`;
const GROCERIES = `
7-Eleven|95|convenience|1|always|;Circle K|74|convenience|1|always|;Walmart Supercenter|36|grocery|1|market|;Kroger|13|grocery|2|market|US
Dollar General|190|convenience|1|market|US;CVS Pharmacy|90|pharmacy|2|market|US;Walgreens|85|pharmacy|2|market|US;Costco Wholesale|7|grocery|2|market|
Safeway|9|grocery|2|market|;Albertsons|4|grocery|2|market|US;Publix Super Market|13|grocery|2|market|US;ALDI|23|grocery|1|market|US
Trader Joe's|6|grocery|2|market|US;Whole Foods Market|5|organic|3|market|;H-E-B|4|grocery|2|market|US;Meijer|3|grocery|1|market|US
Wawa|10|convenience|1|always|US;Sheetz|7|convenience|1|always|US;Casey's|25|convenience|1|early|US;Speedway|28|convenience|1|always|US
Food Lion|11|grocery|1|market|US;Stop & Shop|4|grocery|2|market|US;Family Dollar|82|convenience|1|market|US;Save A Lot|8|grocery|1|market|US
Loblaws|2|grocery|2|market|CA;No Frills|3|grocery|1|market|CA;Sobeys|3|grocery|2|market|CA;Metro|4|grocery|2|market|CA
IGA Extra|3|grocery|2|market|CA;Shoppers Drug Mart|13|pharmacy|2|market|CA;Couche-Tard|6|convenience|1|always|CA;Dollarama|15|convenience|1|market|CA`;

export const CHAINS: readonly Chain[] = [
  ...RESTAURANTS.trim()
    .split(/[;\n]/)
    .map((row) => chainOf(row, 'restaurant')),
  ...GROCERIES.trim()
    .split(/[;\n]/)
    .map((row) => chainOf(row, 'grocery')),
];

function chainOf(row: string, type: StoreType): Chain {
  const [name = '', outlets, cuisine = '', dollarSigns, hours, country] = row.split('|');
  const common = { name, type, outlets: Number(outlets), cuisine, dollarSigns: Number(dollarSigns) };
  return { ...common, hours: hours as HoursKind, country: country === '' ? null : (country as 'US' | 'CA') };
}
