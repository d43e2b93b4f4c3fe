import type { Country } from './store.ts';

/**
 * The one reader of states, provinces and territories. Everything stored, compared or sent on is the two-letter code;
 * names are written from it. An unknown text is null, which callers refuse or report: no region means no tax, no age
 * limit and no duties.
 */

/** A code, its English name, and other names and abbreviations in English, French and Spanish. */
type Region<Code = string> = readonly [code: Code, name: string, others?: string];

// biome-ignore format: one row per line
const STATES: readonly Region[] = [
  ['AL', 'Alabama', 'Ala'],
  ['AK', 'Alaska', 'Alas'],
  ['AZ', 'Arizona', 'Ariz'],
  ['AR', 'Arkansas', 'Ark'],
  ['CA', 'California', 'Calif|Cal|Californie'],
  ['CO', 'Colorado', 'Colo|Col'],
  ['CT', 'Connecticut', 'Conn'],
  ['DE', 'Delaware', 'Del'],
  ['DC', 'District of Columbia', 'Washington DC|Wash DC|Dist of Columbia|Dist of Col|District de Columbia|' +
    'Distrito de Columbia'],
  ['FL', 'Florida', 'Fla|Flor|Floride'],
  ['GA', 'Georgia', 'Géorgie'],
  ['HI', 'Hawaii', 'Hawaï|Haw'],
  ['ID', 'Idaho', 'Ida'],
  ['IL', 'Illinois', 'Ill|Ills'],
  ['IN', 'Indiana', 'Ind'],
  ['IA', 'Iowa'],
  ['KS', 'Kansas', 'Kans|Kan'],
  ['KY', 'Kentucky', 'Ken|Kent'],
  ['LA', 'Louisiana', 'Louisiane|Luisiana'],
  ['ME', 'Maine'],
  ['MD', 'Maryland'],
  ['MA', 'Massachusetts', 'Mass'],
  ['MI', 'Michigan', 'Mich'],
  ['MN', 'Minnesota', 'Minn'],
  ['MS', 'Mississippi', 'Miss|Misisipi'],
  ['MO', 'Missouri', 'Misuri'],
  ['MT', 'Montana', 'Mont'],
  ['NE', 'Nebraska', 'Neb|Nebr'],
  ['NV', 'Nevada', 'Nev'],
  ['NH', 'New Hampshire', 'N Hampshire|N Hamp|Nuevo Hampshire'],
  ['NJ', 'New Jersey', 'N Jersey|Nueva Jersey'],
  ['NM', 'New Mexico', 'N Mexico|N Mex|New Mex|Nouveau-Mexique|Nuevo México'],
  ['NY', 'New York', 'N York|Nueva York'],
  ['NC', 'North Carolina', 'N Carolina|No Carolina|N Car|Caroline du Nord|Carolina del Norte'],
  ['ND', 'North Dakota', 'N Dakota|No Dakota|N Dak|NoDak|Dakota du Nord|Dakota del Norte'],
  ['OH', 'Ohio'],
  ['OK', 'Oklahoma', 'Okla'],
  ['OR', 'Oregon', 'Ore|Oreg'],
  ['PA', 'Pennsylvania', 'Penn|Penna|Pennsylvanie|Pensilvania'],
  ['RI', 'Rhode Island', 'R Island|Rhode Island and Providence Plantations'],
  ['SC', 'South Carolina', 'S Carolina|So Carolina|S Car|Caroline du Sud|Carolina del Sur'],
  ['SD', 'South Dakota', 'S Dakota|So Dakota|S Dak|SoDak|Dakota du Sud|Dakota del Sur'],
  ['TN', 'Tennessee', 'Tenn|Tenesí'],
  ['TX', 'Texas', 'Tex|Tejas'],
  ['UT', 'Utah'],
  ['VT', 'Vermont'],
  ['VA', 'Virginia', 'Virg|Virginie'],
  ['WA', 'Washington', 'Wash|Wn'],
  ['WV', 'West Virginia', 'W Virginia|W Va|W Virg|Virginie-Occidentale|Virginia Occidental'],
  ['WI', 'Wisconsin', 'Wis|Wisc'],
  ['WY', 'Wyoming', 'Wyo'],
  ['PR', 'Puerto Rico', 'Porto Rico|PRI'],
  ['GU', 'Guam', 'GUM'],
  ['VI', 'US Virgin Islands', 'Virgin Islands|USVI|VIR|United States Virgin Islands|Virgin Islands of the United States|' +
    'Îles Vierges|Îles Vierges américaines|Îles Vierges des États-Unis|Islas Vírgenes'],
  ['AS', 'American Samoa', 'Am Samoa|ASM|Samoa américaines|Samoa Americana'],
  ['MP', 'Northern Mariana Islands', 'CNMI|MNP|Northern Marianas|N Mariana Islands|Mariannes du Nord|' +
    'Îles Mariannes du Nord|Commonwealth of the Northern Mariana Islands|Islas Marianas del Norte'],
];

// biome-ignore format: one row per line
const PROVINCES: readonly Region[] = [
  ['AB', 'Alberta', 'Alta|Alb'],
  ['BC', 'British Columbia', 'B Columbia|Brit Col|Brit Columbia|Colombie-Britannique|Colombie-Brit|CB|' +
    'Columbia Británica'],
  ['MB', 'Manitoba', 'Man'],
  ['NB', 'New Brunswick', 'N Brunswick|Nouveau-Brunswick|Nouv-Brunswick|Nuevo Brunswick'],
  ['NL', 'Newfoundland and Labrador', 'Newfoundland|Labrador|NF|Nfld|Nfld and Lab|Nfld and Labrador|Terre-Neuve|' +
    'Terre-Neuve-et-Labrador|TNL|TN et L|Terranova y Labrador'],
  ['NS', 'Nova Scotia', 'N Scotia|Nouvelle-Écosse|Nouv-Écosse|NÉ|Nueva Escocia'],
  ['NT', 'Northwest Territories', 'NWT|NW Territories|NW Terr|Northwest Terr|Northwest Territory|' +
    'Territoires du Nord-Ouest|Terr du Nord-Ouest|Territoires du N-O|TNO|Territorios del Noroeste'],
  ['NU', 'Nunavut', 'Nvt|Nun'],
  ['ON', 'Ontario', 'Ont'],
  ['PE', 'Prince Edward Island', 'PEI|PE Island|Pr Edward Island|Île-du-Prince-Édouard|ÎPÉ|Isla del Príncipe Eduardo'],
  ['QC', 'Quebec', 'Que|PQ'],
  ['SK', 'Saskatchewan', 'Sask'],
  ['YT', 'Yukon', 'Yuk|YK|YN'],
];

/** Territories whose ISO 3166 country codes equal their region codes. */
const TERRITORIES: ReadonlySet<string | null> = new Set(['PR', 'GU', 'VI', 'AS', 'MP']);

const COUNTRIES: readonly Region<Country>[] = [
  [
    'US',
    'United States',
    'USA|United States of America|The United States|United States of America the|America|États-Unis|' +
      'États-Unis d’Amérique|EUA|EE UU|Estados Unidos',
  ],
  ['CA', 'Canada', 'CAN'],
];

/** Longer texts are no region. */
const MAX_CHARACTERS = 100;

/** Letters and digits in lower case without accents and apostrophes; everything else separates words. */
function wordsOf(text: string): string {
  const plain = text
    .replaceAll('&', ' and ')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Lm}\p{Cf}]/gu, '');
  return plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const joined = (text: string) => wordsOf(text).replaceAll(' ', '');

function codesByName<Code extends string>(rows: readonly Region<Code>[]): ReadonlyMap<string, Code> {
  const names = rows.flatMap(([code, name, others = '']) =>
    [code, name, ...others.split('|')].map((each) => [joined(each), code] as const),
  );
  return new Map(names.filter(([name]) => name !== ''));
}

const COUNTRY_CODES = codesByName(COUNTRIES);
const CODES: Readonly<Record<Country, ReadonlyMap<string, string>>> = {
  US: codesByName(STATES),
  CA: codesByName(PROVINCES),
};
const NAMES: Readonly<Record<Country, ReadonlyMap<string, string>>> = {
  US: new Map(STATES.map(([code, name]) => [code, name])),
  CA: new Map(PROVINCES.map(([code, name]) => [code, name])),
};

const PREFIX =
  /^(?:(?:the|la|le|l) )?(?:(?:state|commonwealth|province|territory|etat|territoire|estado|provincia) (?:(?:of|de|du|d|del) )?(?:(?:the|la|le|l) )?)?/;
const SUFFIX = / (?:state|province|territory)$/;

/** Country prefixes of ISO 3166-2 codes. */
const ISO_PREFIX: Readonly<Record<Country, RegExp>> = { US: /^ ?usa?[-_:. ]/i, CA: /^ ?can?[-_:. ]/i };
/** Between several names, tried in order: a name may contain the later ones. */
const SEPARATORS = ['\n', / [-–—] |[,;:/|()[\]]/, /[-–—_,;:/|()[\]]/];

/** The region that a text without a second name or a country names. */
function codeOfName(text: string, country: Country): string | null {
  const words = wordsOf(text);
  const names = [words, words.replace(SUFFIX, ''), words.replace(PREFIX, '')];
  for (const name of names) {
    const code = CODES[country].get(name.replaceAll(' ', ''));
    if (code !== undefined) return code;
  }
  return null;
}

/**
 * The code of a state, province or territory of a country: of a code (`IL`, `US-IL`), a name (`Québec`, `State of New
 * York`), an abbreviation (`Calif.`), or several that agree (`Québec (Québec)`, `IL, USA`). Null if unknown.
 */
export function readRegion(text: string, country: Country): string | null {
  if (text.length > MAX_CHARACTERS) return null;
  if (NAMES[country].has(text)) return text;
  const local = text.replace(ISO_PREFIX[country], '');
  for (const separator of SEPARATORS) {
    const parts = local.split(separator).filter((part) => joined(part) !== '');
    const regions = parts.filter((part) => COUNTRY_CODES.get(joined(part)) !== country);
    const [code = null, ...others] = new Set(regions.map((part) => codeOfName(part, country)));
    if (code !== null && others.length === 0) return code;
  }
  return null;
}

/** The country of a code or name; undefined for any but the US, its territories and Canada. */
export function readCountry(text: string): Country | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  return COUNTRY_CODES.get(joined(text)) ?? (readTerritory(text) === null ? undefined : 'US');
}

/** The code of a territory of the US that a record states as its country. */
export function readTerritory(country: string): string | null {
  const code = country.length > MAX_CHARACTERS ? null : codeOfName(country, 'US');
  return TERRITORIES.has(code) ? code : null;
}

/** Errors name the expected region in these words. */
export const EXPECTED_REGION: Readonly<Record<Country, string>> = {
  US: 'a state or territory of the US, such as IL',
  CA: 'a province or territory of Canada, such as ON',
};

/** The name of a region by its code; undefined for an unknown code. */
export const regionName = (code: string, country: Country): string | undefined => NAMES[country].get(code);
