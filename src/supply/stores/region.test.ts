import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { readCountry, readRegion, regionName } from './region.ts';
import type { Country } from './store.ts';

const CODES: Readonly<Record<Country, readonly string[]>> = {
  US: `AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR
    PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP`.split(/\s+/),
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' '),
};

/** Spellings in use: abbreviations of the press and the post before 1963, French names, ISO 3166-2. */
const SPELLINGS: readonly [Country, code: string, ...spellings: string[]][] = [
  ['US', 'AL', 'Ala.'],
  ['US', 'AZ', 'Ariz.'],
  ['US', 'AR', 'Ark.'],
  ['US', 'CA', 'Calif', 'Calif.', 'Cal.', 'Californie', 'CA, USA', 'CA (California)', 'US-CA', 'State of California'],
  ['US', 'CO', 'Colo.'],
  ['US', 'CT', 'Conn.'],
  ['US', 'DC', 'D.C.', 'Dist. of Col.', 'Washington, D.C.', 'Washington DC', 'District de Columbia', 'US-DC'],
  ['US', 'DE', 'Del.'],
  ['US', 'FL', 'Fla.', 'Floride', 'The State of Florida'],
  ['US', 'GA', 'Ga.', 'Géorgie'],
  ['US', 'HI', 'Hawai‘i', 'Hawaiʻi', "Hawai'i", 'Hawaï'],
  [
    'US',
    'IL',
    'US-IL',
    'us_il',
    'Ill.',
    'IL - Illinois',
    'Illinois (IL)',
    'ILLINOIS',
    'Illinois, United States',
    'I L',
  ],
  ['US', 'IN', 'Ind.'],
  ['US', 'KS', 'Kans.', 'Kan.'],
  ['US', 'KY', 'Commonwealth of Kentucky'],
  ['US', 'LA', 'Louisiane', 'État de la Louisiane', 'Estado de Luisiana'],
  ['US', 'MA', 'Mass.', 'Commonwealth of Massachusetts'],
  ['US', 'MI', 'Mich.'],
  ['US', 'MN', 'Minn.'],
  ['US', 'MS', 'Miss.'],
  ['US', 'MT', 'Mont.'],
  ['US', 'NC', 'N.C.', 'N. Carolina', 'Caroline du Nord', 'Carolina del Norte'],
  ['US', 'ND', 'N. Dak.', 'N.D.', 'Dakota du Nord'],
  ['US', 'NE', 'Neb.', 'Nebr.'],
  ['US', 'NH', 'N.H.'],
  ['US', 'NJ', 'N.J.', 'Nueva Jersey'],
  ['US', 'NM', 'N. Mex.', 'N.M.', 'Nouveau-Mexique', 'Nuevo México'],
  ['US', 'NV', 'Nev.'],
  ['US', 'NY', 'N.Y.', 'New York State', 'State of New York', 'New-York', '  new  york ', 'État de New York'],
  ['US', 'OK', 'Okla.'],
  ['US', 'OR', 'Ore.', 'Oreg.'],
  ['US', 'PA', 'Pa.', 'Penna.', 'Penn.', 'Pennsylvanie'],
  ['US', 'PR', 'P.R.', 'Porto Rico', 'US-PR', 'Puerto Rico, USA', 'Commonwealth of Puerto Rico'],
  ['US', 'RI', 'R.I.', 'State of Rhode Island'],
  ['US', 'SC', 'S.C.', 'Caroline du Sud'],
  ['US', 'SD', 'S. Dak.'],
  ['US', 'TN', 'Tenn.'],
  ['US', 'TX', 'Tex.', 'ＴＸ'],
  ['US', 'VA', 'Va.', 'Virginie'],
  ['US', 'VI', 'U.S. Virgin Islands', 'USVI', 'V.I.', 'Virgin Islands, U.S.', 'Îles Vierges américaines'],
  ['US', 'WA', 'Wash.', 'Washington State', 'State of Washington', 'Washington (state)'],
  ['US', 'WI', 'Wis.', 'Wisc.'],
  ['US', 'WV', 'W. Va.', 'W.Va.', 'Virginie-Occidentale'],
  ['US', 'WY', 'Wyo.'],
  ['CA', 'AB', 'Alta.', 'Alb.', 'CA-AB', "Province de l'Alberta", 'Province of Alberta'],
  ['CA', 'BC', 'B.C.', 'Colombie-Britannique', 'C.-B.', 'La Colombie-Britannique', 'Brit. Columbia'],
  ['CA', 'MB', 'Man.', 'Province du Manitoba'],
  ['CA', 'NB', 'Nouveau-Brunswick', 'Nouv.-Brunswick', 'N.-B.', 'N.B.', 'New Brunswick / Nouveau-Brunswick'],
  ['CA', 'NL', 'Nfld.', 'NF', 'T.-N.-L.', 'Terre-Neuve-et-Labrador', 'Newfoundland & Labrador'],
  ['CA', 'NS', 'N.-É.', 'Nouvelle-Écosse', 'Nouv.-Écosse', 'Nova-Scotia'],
  ['CA', 'NT', 'N.W.T.', 'T.N.-O.', 'Territoires du Nord-Ouest', 'Terr. du Nord-Ouest', 'The Northwest Territories'],
  ['CA', 'NU', 'Nunavut Territory'],
  ['CA', 'ON', 'CA-ON', 'CA - ON', 'Ont.', 'Ontario, Canada', 'Province de l’Ontario'],
  ['CA', 'PE', 'P.E.I.', 'Î.-P.-É.', 'Île-du-Prince-Édouard', 'Ile du Prince Edouard'],
  [
    'CA',
    'QC',
    'Québec (Québec)',
    'Québec',
    'Que.',
    'Qué.',
    'P.Q.',
    'Québec/Quebec',
    'Province of Québec',
    'Qc (Canada)',
  ],
  ['CA', 'SK', 'Sask.', 'Province de la Saskatchewan'],
  ['CA', 'YT', 'Yukon Territory', 'Territoire du Yukon', 'Yuk.'],
];

test('usual spellings of states, provinces and territories are read', () => {
  for (const [country, code, ...spellings] of SPELLINGS)
    for (const spelling of spellings) assert.equal(readRegion(spelling, country), code, spelling);
});

const DECORATIONS: readonly ((text: string, country: Country) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => ` ${text}\t`,
  (text) => text.replaceAll(' ', '  '),
  (text) => text.replaceAll(' ', '-'),
  (text) => text.replaceAll(' ', '\u00a0'),
  (text) => [...text].join('\u200b'),
  (text) => text.normalize('NFD'),
  (text) => `${text}.`,
  (text) => `State of ${text}`,
  (text) => `Province of ${text}`,
  (text) => `Province de la ${text}`,
  (text) => `${text} Province`,
  (text) => `${text} (${text})`,
  (text, country) => `${country}-${text}`,
  (text, country) => `${country} ${text}`,
  (text, country) => `${country}.${text}`,
  (text, country) => `${text}, ${country}`,
  (text, country) => `${text}, ${country === 'US' ? 'U.S.A.' : 'CANADA'}`,
];

test('a code, a name or another spelling is read in any case, with accents, dots and spaces, inside a longer form', () => {
  const known = (['US', 'CA'] as const).flatMap((country) =>
    CODES[country].flatMap((code) => {
      const others = SPELLINGS.filter(([, other]) => other === code).flatMap(([, , ...spellings]) => spellings);
      return [
        code,
        regionName(code, country) ?? '',
        ...others.filter(
          (text) =>
            !/[,/()]|\b(?:US|CA)[-_]|^(?:the |la )?(?:state|province|terr|commonw|etat|état|estado|colombie)| - | (?:state|terr\w+)$/iu.test(
              text,
            ),
        ),
      ].map((text) => ({ text, country, code }));
    }),
  );
  const decorate = fc.constantFrom(...DECORATIONS);
  fc.assert(
    fc.property(fc.constantFrom(...known), decorate, ({ text, country, code }, write) => {
      assert.equal(readRegion(write(text, country), country), code);
    }),
    { numRuns: runs(5000) },
  );
});

test('every region is known by its code and name, and by none of the other country', () => {
  for (const country of ['US', 'CA'] as const) {
    for (const code of CODES[country]) {
      const name = regionName(code, country) ?? '';
      assert.deepEqual([readRegion(code, country), readRegion(name, country)], [code, code]);
      const other = country === 'US' ? 'CA' : 'US';
      // N.-É. is Nouvelle-Écosse.
      const texts = [code === 'NE' ? '' : code, name, `${country}-${code}`];
      for (const text of texts) assert.equal(readRegion(text, other), null, text);
    }
  }
});

test('text naming no region, or two, is unknown', () => {
  const unknown = ['', ' ', '-', 'ZZ', '??', 'constructor', '__proto__', 'Illinios', 'IL IN', 'IL, IN', 'New York, NJ'];
  const foreign = ['ON', 'Ontario', 'CA-ON', 'Jalisco', 'USA', 'US', 'US-', 'I1L', 'IL2', '伊IL', 'Chicago', 'Moscow'];
  for (const text of [...unknown, ...foreign]) assert.equal(readRegion(text, 'US'), null, text);
  for (const text of ['NY', 'US-NY', 'CA', 'Canada', 'Montréal']) assert.equal(readRegion(text, 'CA'), null, text);
});

test('any text is a code of the country or unknown', () => {
  const country = fc.constantFrom('US' as const, 'CA' as const);
  const word = fc.constantFrom('US', 'CA', 'New', 'York', '-', ', ', '(', ')', 'State of', ' ', 'Québec', 'd’', '/');
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(word).map((words) => words.join('')),
  );
  fc.assert(
    fc.property(text, country, (value, of) => {
      const code = readRegion(value, of);
      assert.ok(code === null || CODES[of].includes(code), `${value}: ${code}`);
    }),
    { numRuns: runs(5000) },
  );
  assert.equal(readRegion(`IL${' '.repeat(1_000_000)}`, 'US'), null);
});

test('a country is read by code and name, and a territory of the US as the US', () => {
  const known: readonly [Country, ...string[]][] = [
    ['US', 'US', 'us', 'U.S.', 'U.S.A.', 'USA', 'United States', 'United States of America', 'États-Unis'],
    ['US', 'The United States', 'United States of America (the)'],
    ['US', 'PR', 'Puerto Rico', 'PRI', 'vi', 'GU', 'Guam', 'AS', 'MP', 'Estados Unidos'],
    ['CA', 'CA', 'ca', 'CAN', 'Canada', 'CANADA'],
  ];
  for (const [country, ...texts] of known) for (const text of texts) assert.equal(readCountry(text), country, text);
  for (const text of ['', 'MX', 'Mexico', 'IL', 'ON', 'California', 'EU', 'x'.repeat(1e6)])
    assert.equal(readCountry(text), undefined, text);
});
