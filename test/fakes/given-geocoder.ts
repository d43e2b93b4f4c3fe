import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen } from '../given/listen.ts';

/** A fault in place of the geocoder's next answer. */
export type GeocoderTrouble = 'hang' | 'drip' | 'reset' | 'html' | 'garbage' | 'huge' | { status: number };

export type GivenGeocoder = {
  baseUrl: string;
  requests: { path: string; query: Record<string, string>; headers: IncomingHttpHeaders }[];
  /** Sets the response to all further requests: JSON, or raw text. */
  answer(answer: unknown): void;
  trouble(trouble: GeocoderTrouble): void;
  close(): Promise<void>;
};

const HUGE_BYTES = 1024 * 1024;

/** A fake geocoder on loopback with answers set by the test. */
export async function givenGeocoder(): Promise<GivenGeocoder> {
  const requests: GivenGeocoder['requests'] = [];
  const troubles: GeocoderTrouble[] = [];
  let body = '{}';
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    requests.push({ path: pathname, query: Object.fromEntries(searchParams), headers: request.headers });
    const trouble = troubles.shift();
    if (trouble === 'reset') request.socket.resetAndDestroy();
    else if (trouble) misbehave(trouble, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  return {
    ...(await listen(server)),
    requests,
    answer(answer) {
      body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    },
    trouble: (trouble) => void troubles.push(trouble),
  };
}

function misbehave(trouble: Exclude<GeocoderTrouble, 'reset'>, response: ServerResponse): void {
  if (trouble === 'hang') return;
  if (trouble === 'html') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
  if (trouble === 'garbage') return void response.writeHead(200).end('{"results":[');
  if (trouble === 'huge') return void response.writeHead(200).end(`{"a":"${'x'.repeat(HUGE_BYTES)}"}`);
  if (trouble === 'drip') {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    return void response.on('close', () => clearInterval(timer));
  }
  response.writeHead(trouble.status, { 'content-type': 'application/json' }).end('{"error":"no"}');
}

/** Google's answer with one result (Geocoding API, JSON). */
export function googleAnswer({
  address = '932 W Randolph St, Chicago, IL 60607, USA',
  latitude = 41.8842 as unknown,
  longitude = -87.6511 as unknown,
  country = 'US',
  types = ['street_address'],
  locationType = 'ROOFTOP',
  number = '932',
  street = 'W Randolph St',
  city = 'Chicago',
  state = 'IL',
  zipcode = '60607',
} = {}) {
  const component = (name: string, type: string) => ({ long_name: name, short_name: name, types: [type] });
  const result = {
    address_components: [
      component(number, 'street_number'),
      ...(street === '' ? [] : [component(street, 'route')]),
      component(city, 'locality'),
      component(state, 'administrative_area_level_1'),
      component(zipcode, 'postal_code'),
      { long_name: country, short_name: country, types: ['country', 'political'] },
    ],
    formatted_address: address,
    geometry: { location: { lat: latitude, lng: longitude }, location_type: locationType },
    place_id: 'ChIJ1',
    types,
  };
  return { results: [result], status: 'OK' };
}
