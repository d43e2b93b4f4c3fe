import assert from 'node:assert/strict';
import {
  type Answer,
  isSignedBy,
  LOOKUP,
  newKey,
  type Platform,
  profileOf,
  requestTo,
  SEARCH,
  send,
  signed,
  VERSION,
} from './platform.ts';

/** A server under test, with what it must have: its address and the locations of the fixture. */
export type Target = {
  /** Where `/.well-known/ucp` is. */
  url: string;
  fixture: Fixture;
};

/** Locations around one point, and what is true of them. */
export type Fixture = {
  /** The server's time in epoch seconds. */
  nowS(): number;
  center: { latitude: number; longitude: number };
  /** Open at all hours, with pickup, and delivers to `center`. */
  always: { id: string; meters: number };
  /** Farther than `always`, without pickup, and does not deliver to `center`. */
  far: { id: string; meters: number };
  /** Regular hours unknown. */
  unknownHours: { id: string };
  /** Open and closed at these instants, by regular hours and by exceptions. */
  schedule: { id: string; open: readonly string[]; closed: readonly string[] };
  /** Items of `always`: two that it has, one that is sold out. */
  items: { sold: readonly [string, string]; soldOut: string };
  /** A word of all names. */
  query: string;
  all: readonly string[];
};

/** One statement of the protocol, and how a server shows that it keeps it. */
export type Case = { name: string; run(target: Target, platform: Platform): Promise<void> };

const PICKUP = 'dev.ucp.amenity.shopping.in_store_pickup';
const idsOf = ({ body }: Answer): string[] => body.locations.map(({ id }: { id: string }) => id);

// biome-ignore lint/suspicious/noExplicitAny: a case reads what it expects of a profile and fails where it is not there
async function discover({ url }: Target): Promise<any> {
  return (await fetch(`${url}/.well-known/ucp`)).json();
}

async function endpoint(target: Target, transport: 'rest' | 'mcp'): Promise<string> {
  const { ucp } = await discover(target);
  return ucp.services['dev.ucp.common'].find((one: { transport: string }) => one.transport === transport).endpoint;
}

const GOOD = '/good';
async function ask(
  target: Target,
  platform: Platform,
  operation: 'search' | 'lookup',
  body: object | string,
): Promise<Answer> {
  const profile = platform.publish(GOOD, profileOf());
  return send(requestTo(`${await endpoint(target, 'rest')}/locations/${operation}`, body, profile));
}

async function search(target: Target, platform: Platform, body: object): Promise<string[]> {
  const answer = await ask(target, platform, 'search', body);
  assert.equal(answer.status, 200, answer.text);
  return idsOf(answer);
}

async function refused(answer: Answer, status: number, code: string): Promise<void> {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.code, code);
  assert.equal(typeof answer.body.content, 'string');
}

const DISCOVERY: readonly Case[] = [
  {
    name: 'the profile has versions, services, capabilities, handlers and public keys, and is cached for a minute',
    async run(target) {
      const response = await fetch(`${target.url}/.well-known/ucp`, { redirect: 'manual' });
      assert.equal(response.status, 200);
      const [, seconds] = /public, max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '') ?? [];
      assert.ok(Number(seconds) >= 60);
      const { ucp, keys } = JSON.parse(await response.text());
      assert.equal(ucp.version, VERSION);
      assert.deepEqual(ucp.payment_handlers, {});
      assert.deepEqual(Object.keys(ucp.capabilities).sort(), [LOOKUP, SEARCH]);
      for (const [own] of Object.values<{ version: string; schema: string }[]>(ucp.capabilities)) {
        assert.equal(own?.version, VERSION);
        assert.match(own?.schema ?? '', /^https:\/\/ucp\.dev\//);
      }
      assert.ok(keys.length >= 1);
      for (const key of keys) {
        assert.deepEqual([key.kty, key.crv, key.alg, key.d], ['EC', 'P-256', 'ES256', undefined]);
      }
    },
  },
  {
    name: 'the profile has an entity tag, and is 304 for a platform that has it',
    async run({ url }) {
      const etag = (await fetch(`${url}/.well-known/ucp`)).headers.get('etag') ?? '';
      const again = await fetch(`${url}/.well-known/ucp`, { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 304);
    },
  },
];

const NEGOTIATION: readonly Case[] = [
  {
    name: 'a request without a profile, or with a malformed header, is invalid_profile_url',
    async run(target) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      await refused(await send(requestTo(url, {})), 400, 'invalid_profile_url');
      for (const agent of [
        'profile',
        'profile=token',
        '"https://p.example"',
        'profile="ftp://p.example/x"',
        'profile=""',
      ]) {
        await refused(await send(requestTo(url, {}, undefined, { 'ucp-agent': agent })), 400, 'invalid_profile_url');
      }
    },
  },
  {
    name: 'a profile that is not there, redirects or fails is profile_unreachable',
    async run(target, platform) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      const there = platform.publish('/there', profileOf());
      const moved = platform.publish('/moved', (response) => response.writeHead(302, { location: there }).end());
      const broken = platform.publish('/broken', (response) => response.writeHead(500).end());
      for (const profile of [there.replace('/there', '/nowhere'), moved, broken]) {
        await refused(await send(requestTo(url, {}, profile)), 424, 'profile_unreachable');
      }
    },
  },
  {
    name: 'a profile that is no JSON, no profile, too large, or has private keys is profile_malformed',
    async run(target, platform) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      const secret = { ...newKey('a').jwk, d: 'AAAA' };
      const bad: readonly (object | string)[] = [
        'hello',
        '[]',
        {},
        { ucp: { version: 'latest', services: {}, payment_handlers: {} } },
        { ...profileOf(), keys: [secret] },
        { ...profileOf(), keys: [{ kty: 'EC', kid: 'a' }] },
        { ...profileOf(), pad: 'x'.repeat(200_000) },
        `${'['.repeat(100_000)}`,
      ];
      for (const [nth, page] of bad.entries()) {
        const profile = platform.publish(`/bad-${nth}`, page);
        await refused(await send(requestTo(url, {}, profile)), 422, 'profile_malformed');
      }
    },
  },
  {
    name: 'a profile of 120 KiB is read, and keys of unknown kinds are no fault of it',
    async run(target, platform) {
      const page = { ...profileOf(), keys: [{ kid: 'odd', kty: 'LATTICE' }], pad: 'x'.repeat(120_000) };
      const profile = platform.publish('/large', page);
      const answer = await send(requestTo(`${await endpoint(target, 'rest')}/locations/search`, {}, profile));
      assert.equal(answer.status, 200, answer.text);
    },
  },
  {
    name: 'a profile of another version is version_unsupported',
    async run(target, platform) {
      const profile = platform.publish('/old', profileOf([], [SEARCH], '2026-01-11'));
      const answer = await send(requestTo(`${await endpoint(target, 'rest')}/locations/search`, {}, profile));
      await refused(answer, 422, 'version_unsupported');
    },
  },
  {
    name: 'capabilities are shared by name and exact version; none in common is an outcome with status 200',
    async run(target, platform) {
      const rest = await endpoint(target, 'rest');
      const other = platform.publish('/other', profileOf([], ['com.example.catalog', LOOKUP]));
      const answer = await send(requestTo(`${rest}/locations/search`, {}, other));
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body.ucp, { version: VERSION, status: 'error', capabilities: {} });
      assert.equal(answer.body.messages[0].code, 'capabilities_incompatible');
      const found = await send(requestTo(`${rest}/locations/lookup`, { ids: ['x'] }, other));
      assert.deepEqual(Object.keys(found.body.ucp.capabilities), [LOOKUP]);
      const changed = JSON.stringify(profileOf()).replaceAll(
        /"version":"2026-08-25","spec"/g,
        '"version":"2026-09-01","spec"',
      );
      const versions = platform.publish('/versions', changed);
      const mixed = await send(requestTo(`${rest}/locations/search`, {}, versions));
      assert.equal(mixed.body.messages[0].code, 'capabilities_incompatible');
    },
  },
  {
    name: 'a profile is read once for many requests',
    async run(target, platform) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      const profile = platform.publish('/once', profileOf());
      await Promise.all(Array.from({ length: 5 }, () => send(requestTo(url, {}, profile))));
      await send(requestTo(url, {}, profile));
      assert.equal(platform.readsOf('/once'), 1);
    },
  },
];

const SIGNATURES: readonly Case[] = [
  {
    name: 'a signature of ES256 or Ed25519 over what must be covered is taken',
    async run(target, platform) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      for (const kind of ['P-256', 'Ed25519'] as const) {
        const key = newKey(`key-${kind}`, kind);
        const profile = platform.publish(`/${kind}`, profileOf([key]));
        const plain = signed(requestTo(url, { query: 'x' }, profile), key);
        assert.equal((await send(plain)).status, 200);
        const nowS = target.fixture.nowS();
        for (const parameters of [`;created=${nowS - 3600};expires=${nowS + 300}`, `;created=${nowS - 200}`])
          assert.equal((await send(signed(requestTo(url, {}, profile), key, { parameters }))).status, 200);
      }
    },
  },
  {
    name: 'a forged, altered, misdirected, expired or malformed signature is signature_invalid',
    async run(target, platform) {
      const rest = await endpoint(target, 'rest');
      const url = `${rest}/locations/search`;
      const key = newKey('key');
      const profile = platform.publish('/signed', profileOf([key]));
      const good = signed(requestTo(url, {}, profile), key);
      const forged = signed(requestTo(url, {}, profile), { ...newKey('key'), kid: 'key' });
      const elsewhere = { ...good, url: `${rest}/locations/lookup` };
      const otherHost = { ...signed({ ...good, url: 'https://other.example/ucp/locations/search' }, key), url };
      const expired = signed(requestTo(url, {}, profile), key, { parameters: ';created=1;expires=2' });
      const future = signed(requestTo(url, {}, profile), key, { parameters: ';created=9999999999' });
      const parameters = `;created=${target.fixture.nowS() - 301}`;
      const old = signed(requestTo(url, {}, profile), key, { parameters });
      const never = signed(requestTo(url, {}, profile), key, { parameters: ';expires="later"' });
      const withHeaders = (more: Record<string, string>) => ({ ...good, headers: { ...good.headers, ...more } });
      const garbage = [{ signature: '!' }, { 'signature-input': 'sig1=1' }, { signature: 'sig2=:AAAA:' }].map(
        withHeaders,
      );
      const type = withHeaders({ 'content-type': 'application/json; charset=utf-8' });
      for (const sent of [forged, elsewhere, otherHost, expired, future, old, never, type, ...garbage]) {
        await refused(await send(sent), 401, 'signature_invalid');
      }
    },
  },
  {
    name: 'a signature that does not cover method, authority, path, body and platform counts as none',
    async run(target, platform) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      const key = newKey('key');
      const profile = platform.publish('/narrow', profileOf([key]));
      const whole = ['@method', '@authority', '@path', 'ucp-agent', 'content-digest', 'content-type'];
      const anotherDigest = whole.with(4, 'content-digest";key="sha-512');
      for (const components of [['@authority'], anotherDigest]) {
        const narrow = signed(requestTo(url, {}, profile), { ...newKey('key'), kid: 'key' }, { components });
        assert.equal((await send(narrow)).status, 200);
      }
    },
  },
  {
    name: 'a body other than its digest is digest_mismatch; a curve that is not supported algorithm_unsupported',
    async run(target, platform) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      const [key, large] = [newKey('key'), newKey('large', 'P-384')];
      const profile = platform.publish('/curves', profileOf([key, large]));
      const good = signed(requestTo(url, { query: 'a' }, profile), key);
      await refused(await send({ ...good, body: '{"query":"b"}' }), 400, 'digest_mismatch');
      await refused(await send(signed(requestTo(url, {}, profile), large)), 400, 'algorithm_unsupported');
    },
  },
  {
    name: 'an unknown key is looked for once more, and then key_not_found',
    async run(target, platform) {
      const url = `${await endpoint(target, 'rest')}/locations/search`;
      const [old, next] = [newKey('old'), newKey('next')];
      const profile = platform.publish('/rotated', profileOf([old]));
      assert.equal((await send(signed(requestTo(url, {}, profile), old))).status, 200);
      platform.publish('/rotated', profileOf([next]));
      assert.equal((await send(signed(requestTo(url, {}, profile), next))).status, 200);
      await refused(await send(signed(requestTo(url, {}, profile), old)), 401, 'key_not_found');
      await refused(await send(signed(requestTo(url, {}, profile), newKey('none'))), 401, 'key_not_found');
      assert.equal(platform.readsOf('/rotated'), 2);
    },
  },
  {
    name: 'answers are signed by a key of the profile, over status, digest and type',
    async run(target, platform) {
      const answer = await ask(target, platform, 'search', {});
      assert.ok(answer.text.length > 2048);
      assert.equal(answer.headers.get('content-encoding'), null);
      const { keys } = await discover(target);
      assert.ok(isSignedBy(keys, answer));
    },
  },
];

const LOCATIONS: readonly Case[] = [
  {
    name: 'distance is inclusive, unrounded, and on the WGS 84 ellipsoid',
    async run(target, platform) {
      const { center, always, far } = target.fixture;
      const within = (max: number) => search(target, platform, { distance: { center, max } });
      assert.deepEqual(await within(always.meters), [always.id]);
      assert.deepEqual(await within(always.meters - 1e-6), []);
      assert.ok((await within(far.meters)).includes(far.id));
      assert.ok(!(await within(far.meters - 1e-6)).includes(far.id));
      assert.deepEqual(await within(0), []);
      assert.ok((await within(1e308)).length > 0);
      assert.ok((await within(1e12)).includes(far.id));
    },
  },
  {
    name: 'serves.point keeps the locations that deliver there',
    async run(target, platform) {
      const { center, always, far } = target.fixture;
      const serving = await search(target, platform, { serves: { point: center } });
      assert.ok(serving.includes(always.id) && !serving.includes(far.id));
      const both = { serves: { point: center }, distance: { center: { latitude: 0, longitude: 0 }, max: 10 } };
      assert.deepEqual(await search(target, platform, both), []);
    },
  },
  {
    name: 'open_at is any instant in the time zone of the location, with exceptions; unknown hours never match',
    async run(target, platform) {
      const { schedule, unknownHours, center } = target.fixture;
      const distance = { center, max: 1e6 };
      for (const open_at of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999+23:59']) {
        await search(target, platform, { distance, filters: { hours: { open_at } } });
      }
      for (const [open, instants] of [
        [true, schedule.open],
        [false, schedule.closed],
      ] as const) {
        for (const open_at of instants) {
          const found = await search(target, platform, { distance, filters: { hours: { open_at } } });
          assert.equal(found.includes(schedule.id), open, open_at);
          assert.ok(!found.includes(unknownHours.id));
          const looked = await ask(target, platform, 'lookup', { ids: [schedule.id], filters: { hours: { open_at } } });
          assert.deepEqual(idsOf(looked), open ? [schedule.id] : [], open_at);
        }
      }
    },
  },
  {
    name: 'amenities match by exact key, and a returned location has every requested one',
    async run(target, platform) {
      const { always, far, center } = target.fixture;
      const distance = { center, max: 1e6 };
      const answer = await ask(target, platform, 'search', { distance, filters: { amenities: [PICKUP] } });
      assert.ok(idsOf(answer).includes(always.id) && !idsOf(answer).includes(far.id));
      for (const { amenities } of answer.body.locations) assert.ok(amenities[PICKUP].description.length > 0);
      for (const amenity of ['dev.ucp.amenity.wi_fi', 'dev.ucp.amenity.shopping', `${PICKUP}.x`]) {
        assert.deepEqual(await search(target, platform, { filters: { amenities: [PICKUP, amenity] } }), []);
      }
    },
  },
  {
    name: 'items are those that a location can provide now, all of them',
    async run(target, platform) {
      const { items, always } = target.fixture;
      const selling = (ids: readonly string[]) => search(target, platform, { filters: { items: ids } });
      assert.deepEqual(await selling(items.sold), [always.id]);
      assert.deepEqual(await selling([items.sold[0], items.soldOut]), []);
      assert.deepEqual(await selling([items.sold[0], 'no-such-item']), []);
    },
  },
  {
    name: 'what cannot be evaluated is refused with what to change, and never ignored',
    async run(target, platform) {
      const { center } = target.fixture;
      const bad: readonly (object | string)[] = [
        { distance: { max: 10 } },
        { distance: { center } },
        { distance: { center, max: -1 } },
        { distance: { center: { latitude: 91, longitude: 0 }, max: 1 } },
        { distance: { center, max: 10, unit: 'mi' } },
        { distance: null },
        { serves: {} },
        { serves: null },
        { serves: { point: center, address: { postal_code: '10011' } } },
        { serves: { address: { postal_code: '10011' } } },
        { serves: { 'com.example.tile': 'x' } },
        { filters: { hours: {} } },
        { filters: { hours: { open_at: '2026-06-10T17:00:00' } } },
        { filters: { hours: { open_at: '2026-13-10T17:00:00Z' } } },
        { filters: { items: [] } },
        { filters: { inventory: [{ id: 'x' }] } },
        { near: center },
        { pagination: { limit: 0 } },
        { pagination: { cursor: 'nonsense' } },
        { query: 7 },
        '[]',
        '{',
        'null',
      ];
      for (const body of bad) {
        await refused(await ask(target, platform, 'search', body), 400, 'invalid_request');
      }
      await refused(await ask(target, platform, 'lookup', {}), 400, 'invalid_request');
      await refused(await ask(target, platform, 'lookup', { ids: [] }), 400, 'invalid_request');
    },
  },
  {
    name: 'pages have ten locations by default, at most a hundred, and each location is on one page',
    async run(target, platform) {
      const { center, all, query } = target.fixture;
      for (const filter of [{ distance: { center, max: 1e6 } }, { query }]) {
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const pagination: object = cursor === undefined ? {} : { cursor };
          const answer: Answer = await ask(target, platform, 'search', { ...filter, pagination });
          assert.ok(answer.body.locations.length <= 10);
          found.push(...idsOf(answer));
          cursor = answer.body.pagination.has_next_page ? answer.body.pagination.cursor : undefined;
        } while (cursor !== undefined);
        assert.deepEqual(found.toSorted(), [...all].sort());
      }
      const large = await ask(target, platform, 'search', {
        distance: { center, max: 1e6 },
        pagination: { limit: 1000 },
      });
      assert.ok(large.body.locations.length <= 100);
    },
  },
  {
    name: 'a request without place or words has one page',
    async run(target, platform) {
      const { body } = await ask(target, platform, 'search', {});
      assert.ok(body.locations.length > 0 && body.locations.length <= 10);
      assert.deepEqual(body.pagination, { has_next_page: false });
    },
  },
  {
    name: 'lookup returns each location once with the ids that named it, and leaves unknown ids out',
    async run(target, platform) {
      const { always } = target.fixture;
      const answer = await ask(target, platform, 'lookup', { ids: [always.id, 'no-such-location', always.id] });
      assert.deepEqual(idsOf(answer), [always.id]);
      assert.deepEqual(answer.body.locations[0].inputs, [{ id: always.id }]);
    },
  },
  {
    name: 'a lookup beyond the maximum reads the first ids and says so',
    async run(target, platform) {
      const { always } = target.fixture;
      const ids = [...Array.from({ length: 150 }, (_, nth) => `none-${nth}`), always.id];
      const answer = await ask(target, platform, 'lookup', { ids });
      assert.deepEqual(idsOf(answer), []);
      assert.equal(answer.body.messages[0].code, 'batch_limit_applied');
      assert.match(answer.body.messages[0].content, /100 of 151/);
    },
  },
  {
    name: 'a location has its address, coordinate, zone and hours, and no hours where they are unknown',
    async run(target, platform) {
      const { always, unknownHours } = target.fixture;
      const { body } = await ask(target, platform, 'lookup', { ids: [always.id, unknownHours.id] });
      const [first, second] = body.locations;
      assert.equal(typeof first.address.street_address, 'string');
      assert.equal(typeof first.geo.latitude, 'number');
      assert.equal(first.hours.length, 7);
      assert.deepEqual([first.hours[0].opens, first.hours[0].closes], ['00:00', '23:59']);
      assert.equal(second.hours, undefined);
    },
  },
  {
    name: 'MCP has the same operations, and refusals as errors with the status of REST',
    async run(target, platform) {
      const url = await endpoint(target, 'mcp');
      const profile = platform.publish(GOOD, profileOf());
      const call = (name: string, location: unknown, agent: object = { profile }) =>
        send(requestTo(url, rpc('tools/call', { name, arguments: { meta: { 'ucp-agent': agent }, location } })));
      const { always } = target.fixture;
      const found = await call('lookup_locations', { ids: [always.id] });
      assert.equal(found.status, 200, found.text);
      assert.deepEqual(found.body.result.structuredContent.locations[0].id, always.id);
      assert.deepEqual(JSON.parse(found.body.result.content[0].text), found.body.result.structuredContent);
      const listed = await send(requestTo(url, rpc('tools/list', {})));
      const names = listed.body.result.tools.map(({ name }: { name: string }) => name);
      assert.deepEqual(names, ['search_locations', 'lookup_locations']);
      const errors: readonly [Answer, number, number, string][] = [
        [await call('search_locations', {}, {}), 400, -32001, 'invalid_profile_url'],
        [await call('search_locations', {}, { profile: `${profile}/none` }), 424, -32001, 'profile_unreachable'],
        [await call('search_locations', { distance: null }), 400, -32602, 'invalid_request'],
        [await call('search_locations', undefined), 400, -32602, 'invalid_request'],
      ];
      for (const [answer, status, rpcCode, code] of errors) {
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.body.id, 1);
        assert.deepEqual([answer.body.error.code, answer.body.error.data.code], [rpcCode, code]);
      }
      const other = platform.publish('/mcp-other', profileOf([], ['com.example.catalog']));
      const outcome = await call('search_locations', {}, { profile: other });
      assert.equal(outcome.body.result.structuredContent.messages[0].code, 'capabilities_incompatible');
      const unknown = await call('order_pizza', {});
      assert.equal(unknown.body.error.code, -32602);
    },
  },
];

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

/** Cases of the released protocol: discovery, negotiation, signatures, locations. */
export const LOCATION_CASES: readonly Case[] = [...DISCOVERY, ...NEGOTIATION, ...SIGNATURES, ...LOCATIONS];
