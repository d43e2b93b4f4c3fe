import { readRegion } from '../../supply/stores/region.ts';

/**
 * A marketplace's legal duties in some states, provinces and cities. docs/marketplace-compliance.md and
 * `doorstep duties` are written from it. This isn't legal advice.
 */
export type Duty = readonly [
  place: DutyPlace,
  topic: DutyTopic,
  due: string,
  /** The day it falls due, or the date of the text read; empty if unknown. */
  since: string,
  title: string,
  section: string,
  url: string,
  /** A source that is cited without having been read. */
  unread?: 'unread',
];

/** Places by code: of the state or province by which a command asks, with its country and its name. */
export const DUTY_PLACES = {
  US: ['US', '', 'United States'],
  'US-CA': ['US', 'CA', 'California'],
  'US-NY': ['US', 'NY', 'New York'],
  NYC: ['US', 'NY', 'New York City'],
  'US-IL': ['US', 'IL', 'Illinois'],
  'US-TX': ['US', 'TX', 'Texas'],
  'US-WA': ['US', 'WA', 'Washington'],
  Seattle: ['US', 'WA', 'Seattle'],
  'US-FL': ['US', 'FL', 'Florida'],
  'US-MA': ['US', 'MA', 'Massachusetts'],
  CA: ['CA', '', 'Canada'],
  'CA-ON': ['CA', 'ON', 'Ontario'],
  'CA-QC': ['CA', 'QC', 'Québec'],
  'CA-BC': ['CA', 'BC', 'British Columbia'],
} as const;

export type DutyPlace = keyof typeof DUTY_PLACES;

/** Doorstep's own duties in a topic, the operator's settings, and the operator's remaining duties. */
type Topic = { does: string; set: string; left: string };

export const DUTY_TOPICS = {
  tax: {
    does: "Orders use their store's taxes by tax category, or the built-in statewide table. Statements and receipts list each tax.",
    set: "Each store's taxes in its feed, if the statewide ones are not enough.",
    left: 'Registering, filing, and determining who remits: the store or you.',
  },
  tips: {
    does: 'A tip has its own line from quote to receipt and is charged with the order. No commission is deducted from it.',
    set: 'Nothing.',
    left: 'Paying it to the legally entitled person, minimum pay, and notices about tips that a city prescribes.',
  },
  fees: {
    does: 'Quote, checkout and receipt list every fee, tax and tip before the customer pays.',
    set: 'SHOW_STORES_ADDED_FEES=true if stores must see added amounts. The largest fees in your app’s first prices.',
    left: 'Prices in your own app and its advertising.',
  },
  agreements: {
    does: 'Records who agreed and when. `stores delist` immediately removes a store from search and sale.',
    set: 'REQUIRE_AGREEMENT=true, and `stores agreement` for each store.',
    left: 'The contract itself: in writing, with its fees, without an indemnity.',
  },
  commission: {
    does: 'Charges stores what `stores terms` says, and no more.',
    set: '`stores terms STORE_ID --commission` within the cap.',
    left: 'Optional services above the cap, and offering a plan within it.',
  },
  calories: {
    does: 'Shows the calories listed in a feed.',
    set: "`calories` in chains' feeds.",
    left: 'The statement about daily calories in your app.',
  },
  alcohol: {
    does: 'Marks alcohol from the feed to the ticket. The driver confirms that the ID was checked.',
    set: '`is_alcoholic` in feeds.',
    left: 'Licenses, hours of sale, trained drivers, records.',
  },
  workers: {
    does: 'Records each step of a delivery with its time.',
    set: 'Nothing.',
    left: 'Minimum pay, notices and reports for your drivers.',
  },
  privacy: {
    does: 'Stores see only the data that an order requires. Logs contain no names.',
    set: 'PERSONAL_DATA_DAYS, and the promises in your privacy notice.',
    left: "The notice, customers' requests, breach reports, contracts with processors.",
  },
  cards: {
    does: 'Accepts tokens from the card gateway. Card numbers are never stored.',
    set: 'ACCEPT_RAW_CARDS=false, so that no card numbers are processed.',
    left: 'The self-assessment.',
  },
  language: {
    does: 'Pages, emails, text messages and receipts in English, French and Spanish.',
    set: "Each store's language, and French names in feeds.",
    left: 'Your app, its terms and its advertising in French.',
  },
} as const satisfies Record<string, Topic>;

export type DutyTopic = keyof typeof DUTY_TOPICS;

// biome-ignore format: one duty per line
export const DUTIES: readonly Duty[] = [
  ['US', 'calories', 'Chains of 20 or more locations show calories on menus, also on the Internet', '2016-04-01', 'Food and Drug Administration, menu labeling', '21 CFR 101.11', 'https://www.ecfr.gov/current/title-21/section-101.11'],
  ['US', 'tips', 'An employer keeps no part of an employee’s tips', '2018-03-23', 'Fair Labor Standards Act', '29 U.S.C. 203(m)(2)(B)', 'https://uscode.house.gov/view.xhtml?req=granuleid:USC-prelim-title29-section203', 'unread'],
  ['US', 'cards', 'Merchants that pass on card numbers validate with SAQ D', '', 'PCI Data Security Standard', 'SAQ D', 'https://www.pcisecuritystandards.org', 'unread'],
  ['US-CA', 'agreements', 'No orders without the restaurant’s agreement; removal within three business days of its request; the fees of each plan disclosed before it signs', '2021-01-01', 'California Business and Professions Code', '§ 22599', 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=BPC&sectionNum=22599'],
  ['US-CA', 'fees', 'No price above the restaurant’s posted price; an itemized breakdown for customer and restaurant, with a notice that the restaurant pays a fee', '2022-01-01', 'California Business and Professions Code', '§ 22599.1', 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=BPC&sectionNum=22599.1'],
  ['US-CA', 'tips', 'Delivery tips go in full to the driver, pickup tips to the restaurant', '2022-01-01', 'California Business and Professions Code', '§ 22599.1(a)(2)', 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=BPC&sectionNum=22599.1'],
  ['US-CA', 'workers', 'Tips don’t offset base pay; drivers see base pay and tip itemized; customer service by a person', '2025-10-06', 'California AB 578 of 2025', 'digest, chaptered October 6, 2025', 'https://leginfo.legislature.ca.gov/faces/billNavClient.xhtml?bill_id=202520260AB578'],
  ['US-CA', 'tax', 'The store remits: a delivery network company isn’t a marketplace facilitator unless it elects to be', '2019-06-27', 'California Revenue and Taxation Code', '§ 6041.5', 'https://cdtfa.ca.gov/lawguides/vol1/sutl/6041-5.html'],
  ['US-CA', 'privacy', 'Larger businesses: notice, deletion and access on request', '2020-01-01', 'California Consumer Privacy Act', 'Civil Code § 1798.100', 'https://oag.ca.gov/privacy/ccpa', 'unread'],
  ['US-CA', 'alcohol', 'Only a licensee sells; ID at the door', '', 'California Department of Alcoholic Beverage Control', 'deliveries', 'https://www.abc.ca.gov', 'unread'],
  ['US-NY', 'agreements', 'No listing and no order without a valid written agreement, which must not make the restaurant indemnify you', '2022-06-17', 'New York General Business Law', '§ 391-v', 'https://www.nysenate.gov/legislation/laws/GBS/391-V'],
  ['US-NY', 'tax', 'A platform for meals wasn’t a vendor in 2014; ask your accountant whether the 2019 law on marketplace providers covers meals', '2014-08-20', 'New York advisory opinion', 'TSB-A-14(27)S', 'https://www.tax.ny.gov/pdf/advisory_opinions/sales/a14_27s.pdf'],
  ['US-NY', 'alcohol', 'Only a licensee sells alcohol to go or for delivery', '', 'New York State Liquor Authority', 'alcohol to go', 'https://sla.ny.gov', 'unread'],
  ['NYC', 'agreements', 'A license for a third-party food delivery service, $200 for two years, with a list of its sites', '2022-01-24', 'New York City Administrative Code', '§ 20-563.1', 'https://codelibrary.amlegal.com/codes/newyorkcity/latest/NYCadmin/0-0-0-134618'],
  ['NYC', 'tips', 'Before asking for a tip, the amount that reaches the worker is disclosed', '2022-01-24', 'New York City Administrative Code', '§ 20-563.2(b)(1)', 'https://codelibrary.amlegal.com/codes/newyorkcity/latest/NYCadmin/0-0-0-134618'],
  ['NYC', 'commission', 'Caps on restaurants’ fees: 15% for delivery and 5% for other services in the 2020 law; changed since', '2020-08-27', 'New York City, Int. 2054-A of 2020', 'summary', 'https://legistar.council.nyc.gov/LegislationDetail.aspx?ID=4609918&GUID=CDB3B4A7-1AD8-4E2B-B2BA-2EDC28F22DC8&Options=&Search='],
  ['NYC', 'workers', 'Minimum pay for time on deliveries; three reports a month', '', 'NYC DCWP, Requirements for Delivery Apps', 'minimum pay, reporting', 'https://www.nyc.gov/site/dca/businesses/Delivery-Apps-Requirements.page'],
  ['US-IL', 'agreements', 'A written agreement before a merchant’s name, likeness or orders are used', '2023-01-01', 'Illinois Fair Food and Retail Delivery Act', '815 ILCS 338', 'https://witnessslips.ilga.gov/legislation/ilcs/ilcs3.asp?ActID=4322&ChapterID=67'],
  ['US-IL', 'tax', 'A marketplace facilitator above the threshold remits', '2020-01-01', 'Illinois Retailers’ Occupation Tax Act', '35 ILCS 120/2', 'https://tax.illinois.gov', 'unread'],
  ['US-TX', 'agreements', 'A written agreement that lists every fee, without indemnity; removal within ten days of a request; a way to complain', '2022-01-01', 'Texas Business and Commerce Code', '§§ 118.0003, 118.0004', 'https://statutes.capitol.texas.gov/Docs/BC/htm/BC.118.htm'],
  ['US-TX', 'tax', 'A marketplace provider remits', '2019-10-01', 'Texas Tax Code', '§ 151.0242', 'https://statutes.capitol.texas.gov', 'unread'],
  ['US-TX', 'tips', 'Tipped employees’ wages follow the federal act, so an employer keeps no part of a tip', '2001-09-01', 'Texas Labor Code', '§ 62.052', 'https://statutes.capitol.texas.gov/Docs/LA/htm/LA.62.htm'],
  ['US-TX', 'privacy', 'Except for small businesses by federal size standards: notice, access, correction and deletion on request', '2024-07-01', 'Texas State Law Library, Texas Data Privacy and Security Act', 'Business and Commerce Code ch. 541', 'https://sll.texas.gov/spotlight/2024/07/texas-data-privacy-and-security-act'],
  ['US-WA', 'tax', 'A marketplace facilitator remits', '2018-01-01', 'Revised Code of Washington', '82.08.0531', 'https://app.leg.wa.gov/rcw', 'unread'],
  ['Seattle', 'agreements', 'A written contract before a restaurant is listed; removal within 72 hours', '2021-09-15', 'Seattle Municipal Code', 'ch. 7.30, Fair Food Delivery Act, as reported in the news', 'https://library.municode.com/wa/seattle/codes/municipal_code'],
  ['Seattle', 'commission', 'Up to 15% for delivery services; more only for other services that the restaurant chooses', '2022-09-02', 'Seattle Municipal Code', '7.30.020, as explained by the Seattle Restaurant Alliance', 'https://library.municode.com/wa/seattle/codes/municipal_code'],
  ['US-FL', 'agreements', 'No order without the restaurant’s express consent, written or electronic', '2024-07-01', 'Florida Statutes', '§ 509.103(2)', 'http://www.leg.state.fl.us/statutes/index.cfm?App_mode=Display_Statute&URL=0500-0599/0509/Sections/0509.103.html'],
  ['US-FL', 'fees', 'Price, fees, tip and taxes itemized for the customer, with the expected time', '2024-07-01', 'Florida Statutes', '§ 509.103(3), (4)', 'http://www.leg.state.fl.us/statutes/index.cfm?App_mode=Display_Statute&URL=0500-0599/0509/Sections/0509.103.html'],
  ['US-FL', 'tax', 'A marketplace provider remits', '2021-07-01', 'Florida Statutes', '§ 212.05965', 'http://www.leg.state.fl.us/statutes', 'unread'],
  ['US-MA', 'fees', 'The total price comes first; a food delivery platform may show menu prices next to the largest mandatory fees', '2025-09-02', 'Code of Massachusetts Regulations', '940 CMR 38.00, as summarized by Hinshaw', 'https://www.mass.gov/law-library/940-cmr'],
  ['US-MA', 'tax', 'A marketplace facilitator above the threshold remits', '2019-10-01', 'Massachusetts General Laws', 'c. 64H § 34', 'https://malegislature.gov', 'unread'],
  ['CA', 'tax', 'Platforms register for GST/HST, and collect it on the sales of unregistered sellers', '2021-07-01', 'Excise Tax Act', 'electronic commerce, as summarized by Blakes', 'https://laws-lois.justice.gc.ca/eng/acts/E-15/'],
  ['CA', 'privacy', 'Consent, access, and deletion once the purpose is met', '', 'Personal Information Protection and Electronic Documents Act', 'schedule 1', 'https://laws-lois.justice.gc.ca/eng/acts/P-8.6/', 'unread'],
  ['CA-ON', 'tips', 'Tips are paid by the recurring pay day, without unauthorized deductions', '2025-07-01', 'Digital Platform Workers’ Rights Act, 2022', 'tips, as summarized by Pallett Valo', 'https://www.ontario.ca/laws/statute/22d07'],
  ['CA-ON', 'workers', 'Minimum wage for each assignment, pay periods, written reasons and notice', '2025-07-01', 'Ontario, Rights and protections for digital platform workers', 'overview', 'https://www.ontario.ca/page/rights-and-protections-digital-platform-workers'],
  ['CA-ON', 'tax', 'HST of 13%; 5% on prepared food with a total of $4 or less', '2010-07-01', 'Canada Revenue Agency, GST/HST Info Sheet GI-064', 'whole sheet', 'https://www.canada.ca/en/revenue-agency.html'],
  ['CA-ON', 'calories', 'Chains of 20 or more locations show calories', '2017-01-01', 'Healthy Menu Choices Act, 2015', 'section 2', 'https://www.ontario.ca/laws/statute/15h07', 'unread'],
  ['CA-ON', 'alcohol', 'Only with a license; minimum age 19', '', 'Alcohol and Gaming Commission of Ontario', 'delivery', 'https://www.agco.ca', 'unread'],
  ['CA-QC', 'privacy', 'A responsible person, consent, and destruction or anonymization once the purpose is met', '2023-09-22', 'Act respecting the protection of personal information in the private sector', 'chapter P-39.1', 'https://legisquebec.gouv.qc.ca/en/document/cs/P-39.1/20230922'],
  ['CA-QC', 'tips', 'A tip belongs to the employee who provided the service; an employer that collects it passes it on in full', '2019-01-09', 'Loi sur les normes du travail', 's. 50', 'http://legisquebec.gouv.qc.ca/en/showversion/cs/N-1.1?code=se:50&pointInTime=20190109'],
  ['CA-QC', 'tips', 'Suggested tips are computed on the price before taxes, and shown neutrally', '2025-05-07', 'Consumer Protection Act', 'as amended by Bill 72 of 2024, as reported in the news', 'https://www.legisquebec.gouv.qc.ca/en/document/cs/P-40.1'],
  ['CA-QC', 'tax', 'GST and QST; platforms have collected QST since 2019', '2019-01-01', 'Act respecting the Québec sales tax', 'chapter T-0.1, as summarized by Blakes', 'https://www.legisquebec.gouv.qc.ca/en/document/cs/T-0.1'],
  ['CA-QC', 'fees', 'The advertised price includes every mandatory fee except taxes', '', 'Consumer Protection Act', 's. 224(c)', 'https://www.legisquebec.gouv.qc.ca/en/document/cs/P-40.1', 'unread'],
  ['CA-QC', 'language', 'Service, contracts and receipts in French', '', 'Charter of the French language', 'ss. 5, 52, 57', 'https://www.legisquebec.gouv.qc.ca/en/document/cs/C-11', 'unread'],
  ['CA-QC', 'alcohol', 'Only with a permit and a meal; minimum age 18', '', 'Régie des alcools, des courses et des jeux', 'delivery', 'https://www.racj.gouv.qc.ca', 'unread'],
  ['CA-BC', 'commission', 'Up to 20% of an order: 15% for delivery and 5% for other services; not passed on to drivers', '2023-01-01', 'Food Delivery Service Fee Act', 'fee cap, as summarized by Cassels', 'https://www.bclaws.gov.bc.ca'],
  ['CA-BC', 'tax', 'An online marketplace facilitator collects PST, and charges it on its services to stores', '2022-07-01', 'British Columbia, Bulletin PST 142', 'as summarized by Ryan', 'https://www2.gov.bc.ca/gov/content/taxes/sales-taxes/pst'],
  ['CA-BC', 'workers', 'Minimum pay and notices for app-based workers', '2024-09-03', 'Employment Standards Regulation', 'online platform workers, as summarized by Sherrard Kuzz', 'https://www.bclaws.gov.bc.ca/civix/document/id/complete/statreg/396_95'],
  ['CA-BC', 'tips', 'An employer may not withhold or deduct from tips; a tip pool belongs to the employees', '2020-11-27', 'British Columbia, Employment Standards Act guide', 'ss. 30.3, 30.4', 'https://www2.gov.bc.ca/gov/content/employment-business/employment-standards-advice/employment-standards/forms-resources/igm/esa-part-3-section-30-3'],
  ['CA-BC', 'tips', 'Drivers who work through an app receive every tip in full, in addition to their minimum pay', '2024-09-03', 'Employment Standards Regulation', 'online platform workers, as summarized by Knit', 'https://www.bclaws.gov.bc.ca/civix/document/id/complete/statreg/396_95'],
  ['CA-BC', 'privacy', 'A responsible person, consent for a reasonable purpose, access and correction, and deletion once the purpose is met', '2004-01-01', 'Personal Information Protection Act', 'overview, as summarized by Clym', 'https://www.bclaws.gov.bc.ca/civix/document/id/complete/statreg/03063_01'],
  ['CA-BC', 'alcohol', 'Only a licensee sells; minimum age 19', '', 'Liquor and Cannabis Regulation Branch', 'delivery', 'https://www2.gov.bc.ca', 'unread'],
];

/** The facts of a service that decide whether a duty is met, as far as visible. */
export type DutyFacts = {
  requireAgreement: boolean;
  showStoresAddedFees: boolean;
  acceptRawCards: boolean;
  personalDataDays: number;
  hasLiveGateway: boolean;
  /** Of live stores in the place. */
  stores: number;
  withoutAgreement: number;
  statewideTaxes: number;
};

/** Violations of the topic's duty by this service's settings and stores; null if none is visible. */
export function findingOf(topic: DutyTopic, facts: DutyFacts): string | null {
  const { stores, withoutAgreement, statewideTaxes } = facts;
  if (topic === 'cards' && facts.acceptRawCards && facts.hasLiveGateway) return 'ACCEPT_RAW_CARDS is true.';
  if (topic === 'privacy' && facts.personalDataDays === 0) return 'PERSONAL_DATA_DAYS is 0, so personal data is kept.';
  if (stores === 0) return null;
  if (topic === 'agreements' && withoutAgreement > 0) {
    const sold = facts.requireAgreement ? 'are not sold' : 'are sold, because REQUIRE_AGREEMENT is false';
    return `Live stores without an agreement: ${withoutAgreement} of ${stores}; they ${sold}.`;
  }
  if (topic === 'tax' && statewideTaxes > 0) {
    return `Live stores with statewide taxes from the built-in table: ${statewideTaxes} of ${stores}.`;
  }
  if (topic === 'fees' && !facts.showStoresAddedFees) return 'SHOW_STORES_ADDED_FEES is false.';
  return null;
}

/** The duties of a state or province with those of its country and its cities; all without one. */
export function dutiesOf(state: string | undefined): readonly Duty[] {
  if (state === undefined) return DUTIES;
  const code = readRegion(state, 'US') ?? readRegion(state, 'CA');
  const countries = new Set<string>(
    Object.values(DUTY_PLACES).flatMap(([country, own]) => (own === code ? [country] : [])),
  );
  return DUTIES.filter(([place]) => {
    const [country, own] = DUTY_PLACES[place];
    return own === code || (own === '' && countries.has(country));
  });
}
