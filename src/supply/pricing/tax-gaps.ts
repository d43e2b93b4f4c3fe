import type { Country } from '../stores/store.ts';

/** Omissions in a place's rows, in addition to the omissions everywhere: local taxes and rules by price or size. */
// biome-ignore format: one place per line
export const TAX_GAPS: Readonly<Record<string, string>> = {
  'US-AL': 'baby, maternity and menstrual products, exempt since 2025-09-01',
  'US-AK': 'taxes of boroughs and cities',
  'US-AZ': 'taxes of cities on food',
  'US-AR': 'excise taxes on liquor, wine and beer; local taxes on food',
  'US-CA': 'cold food, hot bakery goods and hot drinks sold one by one to go, which are not taxed; soft drinks without carbonation, which are food',
  'US-CO': 'home-rule cities; the retail delivery fee',
  'US-CT': 'snacks and bakery goods in small portions, taxed as meals',
  'US-DC': 'whether the rise to 7% scheduled for 2026-10-01 came; rates of restaurants for alcohol to go',
  'US-FL': 'ice cream in small packages and food sold from vending machines',
  'US-GA': 'local taxes on food',
  'US-HI': 'the county surcharge of up to 0.5%; the tax is the seller’s, who may pass on a little more than 4%',
  'US-IL': 'local grocery taxes of 1%; medicine at 1%',
  'US-IN': 'food and beverage taxes of counties and cities',
  'US-KS': 'beer of groceries and convenience stores; mixed drinks at 10%; local taxes on food',
  'US-LA': 'parish taxes on food',
  'US-ME': 'snacks, bakery goods, water and ready salads, taxed at 5.5% as candy is: give them that class',
  'US-MD': 'restaurants’ food without a substantial grocery; ice cream in small containers',
  'US-MA': 'the local meals tax of 0.75%; bakery goods sold by restaurants in sixes',
  'US-MN': 'local liquor and restaurant taxes; the retail delivery fee',
  'US-MO': 'food of a business that sells more than 80% prepared food, taxed in full: give it that class',
  'US-NC': 'county taxes of 2% to 2.75% on all but groceries; meals taxes of counties; some bakery goods',
  'US-NV': 'taxes of counties',
  'US-NH': 'alcohol with a meal, taxed at 8.5%',
  'US-NJ': 'disposable paper products and medicine, which are exempt',
  'US-NM': 'taxes of counties and cities',
  'US-NY': 'taxes of counties, cities and the metropolitan district; medicine, which is exempt',
  'US-OH': 'food eaten at the store, which is taxed',
  'US-OK': 'local taxes on food; mixed drinks at 13.5%',
  'US-PA': 'Philadelphia and Allegheny; meals of eating places with alcohol',
  'US-RI': 'wine and spirits of liquor stores, which are exempt: give their store its own taxes',
  'US-SC': 'local taxes on food and hospitality',
  'US-SD': 'taxes of cities',
  'US-TN': 'local taxes, also on food; liquor by the drink',
  'US-TX': 'mixed drinks at 8.25%; medicine and diapers, which are exempt',
  'US-UT': 'taxes of restaurants and of local options',
  'US-VT': 'alcohol for immediate consumption at 10%; the local option tax of 1%; three or more bakery items, which are not a meal',
  'US-VA': 'meals taxes of counties and cities; diapers and menstrual products at 1%; regional taxes',
  'US-WA': 'bottled water, which is taxed; the tax of 20.5% and by the liter on spirits',
  'US-WI': 'county taxes; premier resort areas',
  'US-PR': 'the municipal tax of 1%; the reduced rate of certified restaurants',
  'CA-BC': 'restaurants’ soft drinks sold with food at one price; vitamins',
  'CA-MB': 'the cut on some food that was enacted for 2026-07-01',
  'CA-ON': 'the rebate of 8% on prepared food of $4 or less together, on diapers and on books',
  'CA-NS': 'rebates on diapers and children’s clothing',
  'CA-QC': 'the exemption of diapers and nursing articles from QST',
  'CA-SK': 'whether PST applies to liquor in addition to the liquor consumption tax',
};

/** Taxes of a place missing in the built-in ones, in words for an operator. */
export function leftOutOfTaxes(country: Country, state: string): string {
  const gap = TAX_GAPS[`${country}-${state}`];
  const local = country === 'US' ? 'taxes of counties, cities and districts; ' : '';
  return `${local}rules by price or size${gap === undefined ? '' : `; ${gap}`}`;
}
