import assert from 'node:assert/strict';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { isWithin, parseNetworks } from '../../src/platform/lib/networks.ts';
import { textOf } from '../source-files.ts';
import { imageEnv, LEAST_STOP_SECONDS } from './image-file.ts';
import { configOf, envFileOf, settingNames } from './settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of a file and fails where it is not there
type Tree = any;

/** Values that an operator fills in; any other variable reference is a fault. */
const FILLED_IN: Record<string, string> = {
  DOMAIN: 'doorstep.example.com',
  POSTGRES_PASSWORD: 'a'.repeat(64),
  TOKEN_SECRET: 'b'.repeat(64),
};
/** The Caddy 2 directives used in the file, each with the format of its value. */
const DIRECTIVES =
  /^(grace_period \d+s|reverse_proxy \{\$UPSTREAMS:127.0.0.1:8081 127.0.0.1:8082\} \{|lb_policy round_robin|(lb_try_duration|health_interval|health_timeout) \d+s|health_uri \/[\w/]+|header_up (-Traceparent|X-Forwarded-For text)|@unchecked expression text|handle( @unchecked)? \{|reverse_proxy 127\.0\.0\.1:8083|import not_ready|bind 127\.0\.0\.1|trusted_proxies 127\.0\.0\.1\/32|handle_errors \{|header [\w-]+ ("[^"]+"|\S+)|respond text 503)$/;

const filledIn = (text: string) =>
  text.replace(/\$\{(\w+)(:\?[^}]*)?\}/g, (_, name: string, required?: string) => {
    assert.ok(required, `${name} has a sentence for an operator who forgets it`);
    const value = FILLED_IN[name];
    assert.ok(value, `${name} is in .env.example`);
    return value;
  });
const compose: Tree = parse(filledIn(textOf('deploy/compose/compose.yaml')), { merge: true });
const services = Object.entries<Tree>(compose.services);
const nodes = services.filter(([, { image }]) => image === 'doorstep:local');

test('compose: .env.example names every variable, without a value', () => {
  assert.deepEqual(
    envFileOf(textOf('deploy/compose/.env.example')),
    Object.fromEntries(Object.keys(FILLED_IN).map((name) => [name, ''])),
  );
});

test('compose: every named network, volume, secret and service is declared, and every declared one is used', () => {
  const used = { networks: new Set<string>(), volumes: new Set<string>(), secrets: new Set<string>() };
  for (const [name, service] of services) {
    for (const network of Array.isArray(service.networks) ? service.networks : Object.keys(service.networks))
      used.networks.add(network);
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':');
      if (source.startsWith('.')) assert.notEqual(textOf(join('deploy/compose', source)), '');
      else used.volumes.add(source);
    }
    for (const secret of service.secrets ?? []) used.secrets.add(secret);
    const { depends_on = [] } = service;
    for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
      assert.ok(compose.services[other], `${name} waits for ${other}`);
  }
  for (const [kind, names] of Object.entries(used))
    assert.deepEqual([...names].sort(), Object.keys(compose[kind]).sort(), kind);
});

test('compose: two API nodes, a worker and one migration before them, with settings that the service takes', () => {
  assert.deepEqual(
    nodes.map(([name, { command }]) => [name, command.join(' ')]),
    [
      ['migrate', 'migrate'],
      ['api-1', 'serve --role api'],
      ['api-2', 'serve --role api'],
      ['worker', 'serve --role worker'],
    ],
  );
  for (const [name, node] of nodes) {
    const config = configOf({ ...imageEnv, ...node.environment });
    assert.deepEqual(
      [config.baseUrl, config.databaseUrl],
      ['https://doorstep.example.com', `postgres://doorstep:${FILLED_IN.POSTGRES_PASSWORD}@postgres:5432/doorstep`],
    );
    assert.equal(normalize(join(node.build.context, node.build.dockerfile)), '../../deploy/Dockerfile');
    if (name === 'migrate') continue;
    const [volume, ...more] = node.volumes.map((each: string) => each.split(':')[1]);
    assert.deepEqual([volume, more], [config.dataDir, []]);
    assert.ok(config.searchSnapshotDir?.startsWith(`${volume}/`));
    assert.equal(node.depends_on.migrate.condition, 'service_completed_successfully');
  }
  const volumes = nodes.flatMap(([, { volumes = [] }]) => volumes.map((each: string) => each.split(':')[0]));
  assert.equal(new Set(volumes).size, volumes.length, 'no two nodes share a volume');
});

test('compose: nodes can’t write, gain rights or be cut off early, and only Caddy has ports', () => {
  for (const [name, node] of nodes) {
    assert.deepEqual([node.read_only, node.cap_drop], [true, ['ALL']], name);
    assert.ok(node.security_opt.includes('no-new-privileges:true'));
    assert.ok(Number.parseInt(node.stop_grace_period, 10) >= LEAST_STOP_SECONDS);
  }
  assert.deepEqual(
    services.filter(([, { ports, privileged, network_mode }]) => ports || privileged || network_mode).map(([n]) => n),
    ['caddy'],
  );
  assert.deepEqual(compose.networks.database, { internal: true });
  assert.deepEqual(compose.services.postgres.networks, ['database']);
});

test('compose: no service fills the disk with its log', () => {
  for (const [name, { logging }] of services) {
    assert.equal(logging?.driver, 'json-file', name);
    assert.deepEqual(Object.keys(logging.options), ['max-size', 'max-file'], name);
  }
});

test('compose: the role of the nodes owns their database and is no superuser', () => {
  const { environment, volumes, secrets } = compose.services.postgres;
  assert.deepEqual(
    [environment.POSTGRES_USER, environment.POSTGRES_DB, secrets],
    [undefined, undefined, ['postgres_password']],
  );
  assert.ok(volumes.includes('./create-role.sh:/docker-entrypoint-initdb.d/create-role.sh:ro'));
  const { username, pathname } = new URL(compose.services['api-1'].environment.DATABASE_URL);
  const script = textOf('deploy/compose/create-role.sh');
  assert.match(script, new RegExp(`^create role ${username} login password :'password';$`, 'm'));
  assert.match(script, new RegExp(`^create database ${pathname.slice(1)} owner ${username};$`, 'm'));
  assert.match(script, /^alter role postgres password null;$/m);
});

test('compose: the nodes trust the address of Caddy and no other, which no other container is given', () => {
  const { ipv4_address: address } = compose.services.caddy.networks.proxied;
  const [{ subnet, ip_range: given }] = compose.networks.proxied.ipam.config;
  assert.ok(isWithin(address, parseNetworks(subnet) ?? []));
  assert.ok(!isWithin(address, parseNetworks(given) ?? []));
  for (const [, { environment }] of nodes) assert.equal(environment.TRUST_PROXY, address);
  // The address range of AWS's default VPC.
  assert.ok(!isWithin(address, parseNetworks('172.31.0.0/16') ?? []));
});

test('Caddyfile: blocks close, every directive is known, and the upstreams are the API nodes at their port', () => {
  const lines = textOf('deploy/proxies/Caddyfile')
    .split('\n')
    // Texts and placeholders of a request have braces of their own.
    .map((line) =>
      line
        .replace(/`[^`]+`|\{http[\w.-]+\}/g, 'text')
        .replace(/(^|\s)#.*$/, '')
        .trim(),
    )
    .filter((line) => line !== '');
  let depth = 0;
  for (const line of lines) {
    if (line === '}') depth -= 1;
    assert.ok(depth >= 0 && /^(\}|[^{}]*(\{\$[^{}]+\}[^{}]*)?( ?\{)?)$/.test(line), line);
    if (depth > 0 && line !== '}') assert.match(line, DIRECTIVES);
    if (/(^|\s)\{$/.test(line)) depth += 1;
  }
  assert.equal(depth, 0);
  assert.deepEqual(
    compose.services.caddy.environment.UPSTREAMS.split(' '),
    nodes.flatMap(([name, { command }]) => (command.includes('api') ? [`${name}:${imageEnv.PORT}`] : [])),
  );
  const variables = [...lines.join('\n').matchAll(/\{\$(\w+)[:}]/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(variables)], Object.keys(compose.services.caddy.environment));
});
test('doorstep.env.example names only the service’s settings, and holds no secret', () => {
  const env = envFileOf(textOf('deploy/doorstep.env.example'));
  const names = settingNames();
  assert.ok(names.has('DATABASE_URL') && names.has('UBER_DIRECT_CLIENT_ID') && names.size > 35);
  assert.deepEqual(
    // The OpenTelemetry SDK reads its own settings.
    Object.keys(env).filter((name) => !names.has(name) && !name.startsWith('OTEL_')),
    [],
  );
  assert.deepEqual(
    Object.entries(env).filter(([, value]) => !/^(true|false)?$/.test(value)),
    [],
  );
});
