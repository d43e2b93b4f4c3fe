/**
 * The streets around the demo's address, in Chicago, where a house number is a coordinate: numbers run 800 to the mile
 * from State and Madison. A row is a name, the latitude or longitude of the street, and the numbers at its ends; those
 * south of Madison and east of State are negative. Streets, park and water are drawn roughly: no map to find a way by.
 */
const EAST_WEST = [
  'Roosevelt Rd|41.8671|-100 2800',
  'Taylor St|41.8694|0 2400',
  'Harrison St|41.8742|-100 2800',
  'Van Buren St|41.8766|-100 2800',
  'Jackson Blvd|41.8779|-100 2800',
  'Adams St|41.8793|-100 2800',
  'Monroe St|41.8806|-100 2800',
  'Madison St|41.8819|-100 2800',
  'Washington Blvd|41.8832|-100 2800',
  'Randolph St|41.8845|-100 1800',
  'Lake St|41.8857|-100 2800',
  'Fulton St|41.8868|500 2800',
  'Kinzie St|41.8891|0 2800',
  'Hubbard St|41.8901|0 1600',
  'Grand Ave|41.8912|-100 2800',
  'Ohio St|41.8923|-100 2400',
  'Huron St|41.8946|-100 2400',
  'Chicago Ave|41.8964|-100 2800',
  'Augusta Blvd|41.9|1000 2800',
  'Division St|41.9036|100 2800',
  'North Ave|41.9109|100 2800',
] as const;

const NORTH_SOUTH = [
  'Michigan Ave|-87.6244|-1200 900',
  'State St|-87.6278|-1200 1600',
  'Dearborn St|-87.6295|-600 1600',
  'Clark St|-87.6309|-1200 1600',
  'LaSalle St|-87.6324|-600 1600',
  'Wells St|-87.634|-600 1600',
  'Franklin St|-87.6355|-400 900',
  'Orleans St|-87.6371|300 1600',
  'Canal St|-87.6396|-1200 400',
  'Clinton St|-87.6411|-1200 400',
  'Larrabee St|-87.6432|600 1600',
  'Jefferson St|-87.6425|-1200 400',
  'Desplaines St|-87.644|-1200 530',
  'Halsted St|-87.6473|-1200 1700',
  'Green St|-87.6485|-400 530',
  'Peoria St|-87.6497|-400 530',
  'Sangamon St|-87.6508|-400 530',
  'Morgan St|-87.652|-1200 800',
  'Aberdeen St|-87.6545|-400 800',
  'Racine Ave|-87.657|-1200 1700',
  'Ada St|-87.6612|-400 800',
  'Loomis St|-87.6618|-1200 -300',
  'Noble St|-87.6622|400 1600',
  'Ashland Ave|-87.6666|-1200 1700',
  'Wood St|-87.6715|-1200 1700',
  'Damen Ave|-87.6767|-1200 1700',
  'Leavitt St|-87.6816|0 1700',
  'Western Ave|-87.6866|-1200 1700',
  'Rockwell St|-87.6914|0 1600',
  'California Ave|-87.6964|-1200 1700',
] as const;

/** Streets that cut across the grid: `name|latitude longitude|latitude longitude`. They have no numbers here. */
const DIAGONAL = [
  'Milwaukee Ave|41.8872 -87.6411|41.9134 -87.6825',
  'Ogden Ave|41.8671 -87.6796|41.8946 -87.6497',
  'Clybourn Ave|41.9036 -87.6407|41.9134 -87.6545',
] as const;

export type Point = { latitude: number; longitude: number };
export type Street = { name: string; isMajor: boolean; from: Point; to: Point };

/** State and Madison, and the degrees of one house number to the west, north and south. */
const ORIGIN = { latitude: 41.8819, longitude: -87.6278 };
const WEST = 0.00002427;
const NORTH = 0.0000181;
const SOUTH = 0.00001233;

const longitudeOf = (number: number) => round(ORIGIN.longitude - number * WEST);
const latitudeOf = (number: number) => round(ORIGIN.latitude + number * (number < 0 ? SOUTH : NORTH));

const eastWest = EAST_WEST.map((row) => {
  const { name, at: latitude, first, last } = readRow(row);
  return street(name, { latitude, longitude: longitudeOf(first) }, { latitude, longitude: longitudeOf(last) });
});
const northSouth = NORTH_SOUTH.map((row) => {
  const { name, at: longitude, first, last } = readRow(row);
  return street(name, { latitude: latitudeOf(first), longitude }, { latitude: latitudeOf(last), longitude });
});
const diagonal = DIAGONAL.map((row) => {
  const [name = '', ...ends] = row.split('|');
  const [from, to] = ends.map((end) => end.split(' ').map(Number));
  if (!from || !to) throw new RangeError(`${name} has no ends.`);
  return street(name, pointOf(from), pointOf(to));
});

export const STREETS: readonly Street[] = [...eastWest, ...northSouth, ...diagonal];

/** Outlines of the lake and of parks, and the middle of the river. */
export const LAKE = outline(
  '41.864 -87.617,41.884 -87.6165,41.89 -87.611,41.9 -87.6215,41.911 -87.6245,41.915 -87.6255',
);
export const RIVER = [
  outline('41.8888 -87.611,41.8883 -87.625,41.8872 -87.6365'),
  outline('41.864 -87.6345,41.868 -87.635,41.877 -87.638,41.883 -87.638,41.8872 -87.6365'),
  outline('41.8872 -87.6365,41.8935 -87.6425,41.9036 -87.6505,41.9109 -87.6575,41.915 -87.6615'),
];
export const PARKS = [
  outline('41.8672 -87.6238,41.8672 -87.6175,41.8838 -87.617,41.8838 -87.6238'),
  outline('41.8833 -87.6665,41.8833 -87.6628,41.8856 -87.6628,41.8856 -87.6665'),
  outline('41.8807 -87.6615,41.8807 -87.6595,41.8818 -87.6595,41.8818 -87.6615'),
  outline('41.9072 -87.6766,41.9072 -87.6752,41.9088 -87.6752,41.9088 -87.6766'),
  outline('41.9001 -87.7,41.9001 -87.6968,41.9108 -87.6968,41.9108 -87.7'),
];
/** The map's content. */
export const BOUNDS = { west: -87.7, south: 41.864, east: -87.611, north: 41.915 };

/** Houses stand this far from the middle of their street. */
const HOUSE_DEGREES = 0.00011;

/** The house on a street of the table that is nearest to a position; undefined for other streets. */
export function houseOn(streetName: string, near: Point): (Point & { number: number; street: string }) | undefined {
  const name = streetName.replace(/^[NSEW] /, '');
  const across = eastWest.find((each) => each.name === name);
  if (across) {
    const number = Math.round((ORIGIN.longitude - near.longitude) / WEST);
    const side = number % 2 === 0 ? HOUSE_DEGREES : -HOUSE_DEGREES;
    const latitude = round(across.from.latitude + side);
    return {
      number: Math.abs(number),
      street: `${number < 0 ? 'E' : 'W'} ${name}`,
      latitude,
      longitude: longitudeOf(number),
    };
  }
  const along = northSouth.find((each) => each.name === name);
  if (!along) return undefined;
  const north = near.latitude - ORIGIN.latitude;
  const number = Math.round(north / (north < 0 ? SOUTH : NORTH));
  const side = number % 2 === 0 ? -HOUSE_DEGREES : HOUSE_DEGREES;
  const longitude = round(along.from.longitude + side);
  return {
    number: Math.abs(number),
    street: `${number < 0 ? 'S' : 'N'} ${name}`,
    latitude: latitudeOf(number),
    longitude,
  };
}

function readRow(row: string): { name: string; at: number; first: number; last: number } {
  const [name = '', at, numbers = ''] = row.split('|');
  const [first = 0, last = 0] = numbers.split(' ').map(Number);
  return { name, at: Number(at), first, last };
}

function street(name: string, from: Point, to: Point): Street {
  return { name, isMajor: /Ave|Blvd|Rd|Halsted|Madison|Randolph|Division|State/.test(name), from, to };
}

function outline(text: string): Point[] {
  return text.split(',').map((pair) => pointOf(pair.split(' ').map(Number)));
}

function pointOf([latitude = 0, longitude = 0]: number[]): Point {
  return { latitude, longitude };
}

function round(degrees: number): number {
  return Number(degrees.toFixed(6));
}
