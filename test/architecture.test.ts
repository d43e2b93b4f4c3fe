import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { FLOORS, heightOf, ROOMS, roomOf } from './floors.ts';
import { importsOf, PACKAGES, PLUGINS, ROOT, runtimeImportsOf, SOURCES, textOf } from './source-files.ts';

const SUFFIX = /(\.(db|route|job|page|hook|flow|cache|index)|\/routes)\.ts$/;
/** Modules and files whose purpose is wiring or I/O. */
const WIRING = /^(src\/(platform|app)|packages\/(files|embedded-database|public-http))\//;
const PURE_PACKAGES =
  /^(node:buffer|node:crypto|node:zlib|htmlparser2|@photostructure\/tz-lookup|libphonenumber-js(\/.*)?|typebox(\/value)?|lru-cache|cookie|receiptline|marked|structured-headers|geographiclib-geodesic|robust-predicates)$/;
/** Files of the lowest layer with I/O. A pure file must not import them. */
const IMPURE_GROUND =
  /^src\/platform\/(lib\/(clock|random-id|log|metrics|read-bytes|read-lines|isolated-process)|http\/(event-stream|unreadable-request)|load\/event-loop-scheduler)\.ts$/;

/** What packages offer, under names of `exports` in package.json. */
const isEntry = (file: string) => /^packages\/.+\/main\.ts$/.test(file);
/** The entries that a pure file may import, as it may import a library of npm. */
const isPureEntry = (file: string) =>
  isEntry(file) && /^packages\/(api-reference|collections|html|search-engine)\//.test(file);

const isPure = (file: string) => !SUFFIX.test(file) && !WIRING.test(file) && !isEntry(file);
const isIndex = (file: string) => file.endsWith('.index.ts');
const isGround = (file: string) =>
  /^src\/platform\/(lib|languages|http|load)\//.test(file) && !IMPURE_GROUND.test(file);

test('a file imports from its own module, earlier modules of its layer, and lower layers, types included', () => {
  const faults = SOURCES.flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => target.startsWith('src/') && heightOf(target) > heightOf(file))
      .map(({ target }) => `${file} (${roomOf(file)}) imports ${target} (${roomOf(target)})`),
  );
  assert.deepEqual(faults, []);
});

test('ARCHITECTURE.md has ten layers, and each of their modules has files', () => {
  assert.equal(FLOORS.length, 10);
  assert.deepEqual(
    ROOMS.filter((room) => !SOURCES.some((file) => roomOf(file) === room)),
    [],
  );
});

test('a package imports nothing of the service, and of other packages only their entries; so does the service', () => {
  assert.ok(PACKAGES.length > 5);
  const roomOfPackage = (file: string) => file.split('/').slice(0, 2).join('/');
  const faults = [...SOURCES, ...PACKAGES].flatMap((file) =>
    importsOf(file)
      .filter(({ target }) =>
        target.startsWith('packages/')
          ? roomOfPackage(target) !== roomOfPackage(file) && !isEntry(target)
          : file.startsWith('packages/') && /^(src|web|test|demo|bench|plugins)\//.test(target),
      )
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});

test('a plug-in imports its folder, `doorstep/plugin` and entries of packages, and the service imports the list of them alone', () => {
  const door = 'src/app/adapters/plugin.ts';
  const folderOf = (file: string) => file.split('/').slice(0, 2).join('/');
  const isOurs = (target: string) => /^(src|packages|plugins|web|test|demo)\//.test(target);
  const inPlugins = PLUGINS.filter((file) => file !== 'plugins/own.ts').flatMap((file) =>
    importsOf(file)
      .filter(
        ({ target }) => isOurs(target) && target !== door && !isEntry(target) && folderOf(target) !== folderOf(file),
      )
      .map(({ target }) => `${file} imports ${target}`),
  );
  const inService = SOURCES.flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => target.startsWith('plugins/') && target !== 'plugins/own.ts')
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual([...inPlugins, ...inService], []);
});

test('companies are named in plugins/: the service’s remaining mentions are listed here and only shrink', () => {
  const companies =
    /stripe|twilio|doordash|\buber|nominatim|photon|census|amazon|opentelemetry|openstreetmap|overture|\bosm\b|\bgoogle/i;
  const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;
  assert.deepEqual(
    SOURCES.filter((file) => companies.test(textOf(file).replace(comments, ''))),
    [
      // A pause between calls to the public servers of one geocoder.
      'src/app/adapters/geocoder-call.ts',
      // Addresses of calls, and examples in descriptions.
      'src/app/wiring/routes.ts',
      'src/fulfillment/deliveries/couriers/courier-webhook.route.ts',
      'src/ordering/payments/create-payment-method.route.ts',
      // Links to a map, for drivers and customers.
      'src/fulfillment/deliveries/map-link.ts',
      'src/surfaces/tracking/site-page.hook.ts',
      // The name of a syntax of hours.
      'src/surfaces/store-console/store.route.ts',
      // Settings that are valid and probably wrong.
      'src/platform/config/setting-warnings.ts',
    ].sort(),
  );
});

test('each package describes on one page its purpose and its use elsewhere', () => {
  const folders = globSync('packages/*', { cwd: ROOT });
  const faults = folders.filter((folder) => {
    const page = textOf(`${folder}/README.md`);
    return !page.includes(`from 'doorstep/${folder.split('/')[1]}'`) || page.split('\n').length > 120;
  });
  assert.deepEqual(faults, []);
});

test('no files import each other in a circle, types included', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const { target } of importsOf(file))
      if (/^(src|packages|plugins)\//.test(target)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of [...SOURCES, ...PACKAGES, ...PLUGINS]) visit(file, []);
  assert.deepEqual(circles, []);
});

test('a file without a suffix imports nothing that touches the world', () => {
  assert.deepEqual(impureImports([...SOURCES, ...PACKAGES].filter(isPure), isPure), []);
});

test('an index imports nothing that touches the world', () => {
  assert.deepEqual(
    impureImports([...SOURCES, ...PACKAGES].filter(isIndex), (target) => isPure(target) || isIndex(target)),
    [],
  );
});

test('only a route, the composition and a command import a route', () => {
  const mayImport = (file: string) => /(\.route|\/routes)\.ts$|^src\/app\//.test(file);
  const faults = SOURCES.filter((file) => !mayImport(file)).flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => target.endsWith('.route.ts'))
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});

test('cart callers leave addresses, quotes and prices to the cart service', () => {
  const inside = /^src\/ordering\/place\/(quote-order\.flow|assess-order|tax-order\.flow)\.ts$/;
  const doors = /^src\/(surfaces\/|ordering\/place\/[\w-]+\.route\.ts$)/;
  const faults = SOURCES.filter((file) => doors.test(file)).flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => inside.test(target))
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});

/** Runtime imports of files that are neither allowed nor in the lowest layer. */
function impureImports(files: readonly string[], isAllowed: (target: string) => boolean): string[] {
  return files.flatMap((file) =>
    runtimeImportsOf(file)
      .filter((target) =>
        /^(src|packages)\//.test(target)
          ? !(isAllowed(target) || isGround(target) || isPureEntry(target))
          : !PURE_PACKAGES.test(target),
      )
      .map((target) => `${file} imports ${target}`),
  );
}

test('a file without a suffix, and an index, reads no clock, no environment, no network and no chance', () => {
  const touches =
    /Date\.now\(|new Date\(\)|Temporal\.Now|Math\.random|randomBytes|[^.\w]fetch\(|process\.|performance\.now/;
  assert.deepEqual(
    [...SOURCES, ...PACKAGES].filter((file) => (isPure(file) || isIndex(file)) && touches.test(textOf(file))),
    [],
  );
});

/** Process-wide state: random bytes for ids, locks on data folders, signals, standard output. */
const PROCESS_STATE =
  /^(src\/(platform\/lib\/random-id|app\/cli\/interruption|app\/cli\/output)|packages\/embedded-database\/directory-lock)\.ts$/;
/** Unindented declarations, which Biome formats as the module's own. A `const` has a name, a type and a value. */
const DECLARATION = /^(?:export )?(?:(?:let|var) .*|const (\w+)(?:: ([^=]*))? =([\s\S]*?)(?=^\S|(?![\s\S])))/gm;
/** No type makes these read-only; maps, sets and lists contain `Readonly…` types. */
const SCRATCH = String.raw`new (?:Weak\w+|LRUCache|(?:Big)?(?:Uint|Int|Float)\w*Array)\b|Buffer\.alloc`;
const WRITABLE = new RegExp(`${SCRATCH}|new (?:Map|Set|Array)\\b`);
const PART = String.raw`(?:\.\w+|\[[^\]]*\])`;
/** What follows a table's name in a statement that writes to it: an assignment to a member, or a mutating call. */
const WRITES = String.raw`${PART}+ [-+*/%&|^?]{0,2}= |${PART}*\.(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear)\(`;

/** First lines of declarations that could hold state between two calls. */
function mutableStateIn(text: string): string[] {
  const state: string[] = [];
  for (const [declaration, name, type = '', value = ''] of text.matchAll(DECLARATION)) {
    // Values inside a function body are created per call.
    const [made = ''] = value.split(/=>|\bfunction\b/);
    const isTable = !(/^(?:Readonly|readonly )/.test(type) ? new RegExp(SCRATCH) : WRITABLE).test(made);
    const isWritten = name === undefined || new RegExp(`(?<![.\\w])${name}(?:${WRITES})`).test(text);
    if (!isTable || isWritten) state.push(declaration.split('\n')[0] ?? '');
  }
  return state;
}

test('a file without a suffix, and an index, keeps nothing at module level that changes', () => {
  const faults = [...SOURCES, ...PACKAGES]
    .filter((file) => !PROCESS_STATE.test(file) && (!SUFFIX.test(file) || isIndex(file)))
    .flatMap((file) => mutableStateIn(textOf(file)).map((declaration) => `${file}: ${declaration}`));
  assert.deepEqual(faults, []);
});

test('state at module level is told from tables, and from values of one call', () => {
  for (const state of [
    'let last = 0;',
    'export let last: string | undefined;',
    'const seen = new Set<string>();',
    'const marks: Marks = {\n  answered: new Uint32Array(0),\n};',
    'const kept: ReadonlyMap<string, Uint8Array> = new LRUCache({ max: 1 });',
    'const counts = { now: 0 };\nfunction count() {\n  counts.now += 1;\n}',
    'const names: string[] = [];\nfunction add(name: string) {\n  names.push(name);\n}',
    'const TOKEN = /a/y;\nfunction read() {\n  TOKEN.lastIndex = 3;\n}',
    'const rows = [[0]];\nfunction fill(n: number) {\n  rows[0][n] = 1;\n}',
  ]) {
    assert.deepEqual(mutableStateIn(`${state}\n`), [state.split('\n')[0]]);
  }
  for (const table of [
    'const WORDS: ReadonlySet<string> = new Set(["a"]);',
    'const STEPS = [1, 2];\nconst isStep = (n: number) => STEPS[0] === n;',
    'const createMarks = () => new Uint8Array(3);',
    'export function count() {\n  let n = 0;\n  const seen = new Set();\n  seen.add(n);\n}',
  ]) {
    assert.deepEqual(mutableStateIn(`${table}\n`), []);
  }
});

test('the clock is read through Temporal, never as Date: the search for its readers finds each of them', () => {
  const files = [
    ...SOURCES,
    ...PACKAGES,
    ...PLUGINS,
    ...globSync(['{src,packages,plugins}/**/*.test.ts', 'web/**/*.test.ts', '{test,demo,examples}/**/*.ts'], {
      cwd: ROOT,
    }),
  ];
  // The shared clock's reader, and its mover.
  const isClock = /^(?:src\/platform\/lib\/clock|test\/nightly\/shift-clock(?:\.test)?)\.ts$/;
  assert.deepEqual(
    files.filter((file) => !isClock.test(file) && /\bDate\.now\b|\bnew Date\(\)/.test(textOf(file))),
    [],
  );
});

test('SQL is written in .db.ts files and in platform/db only', () => {
  const speaksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|from 'pg'|\b(?:sql|raw)\b(?:<[^`]*>)?`/;
  const allowed = (file: string) =>
    /\.db\.ts$|^src\/platform\/(db|jobs)\/|^src\/app\/adapters\/payments\/sandbox/.test(file);
  assert.deepEqual(
    SOURCES.filter((file) => !allowed(file) && speaksSql.test(textOf(file))),
    [],
  );
});

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const TEXTS = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
/** Names of a file's code, each once. */
const namesIn = (file: string) =>
  new Set(
    textOf(file)
      .replace(COMMENTS, '')
      .replace(TEXTS, '')
      .match(/[A-Za-z]\w*/g),
  );
/** Browser code of the pages, without tests. */
const WEB = globSync('web/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.(test|d)\.tsx?$/.test(file));
/** The client for apps, without the types that are generated from descriptions. */
const CLIENTS = globSync('clients/typescript/src/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('api-types.ts'));
const wordsOf = (name: string) => name.split(/_|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase());

test('the platform names nothing of the business, but in `config`, which reads the settings of every module', () => {
  const business = /^(?:order|store|driver|courier|menu|cart|customer|merchant|operator|account|product|refund|tip)s?$/;
  /** Words of Node.js, of text encodings and of database clients. */
  const technical = /^(?:getStore|BYTE_ORDER_MARK|DRIVER_MESSAGES)$/;
  const faults = SOURCES.filter((file) => /^src\/platform\/(?!config\/)/.test(file)).flatMap((file) => {
    return [...namesIn(file)]
      .filter((name) => !technical.test(name) && wordsOf(name).some((word) => business.test(word)))
      .map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(faults, []);
});

test('names, operation ids and descriptions have no verbs of people for machines: the field has a word for each', () => {
  const banned = /\b(?:asked|told|untold|hear|hears|heard|unheard)\b/;
  const isBanned = (name: string) => wordsOf(name).some((word) => banned.test(word));
  const sources = [...SOURCES, ...PACKAGES, ...PLUGINS, ...WEB, ...CLIENTS];
  const tests = globSync(['{src,packages,plugins,web}/**/*.test.ts', '{test,bench,demo,examples}/**/*.ts'], {
    cwd: ROOT,
  }).filter((file) => !/^test\/(?:architecture\.test|prose)\.ts$/.test(file));
  const files = [...sources, ...tests];
  const names = files.flatMap((file) => [...namesIn(file)].filter(isBanned).map((name) => `${file}: ${name}`));
  assert.deepEqual(
    names.toSorted(),
    [
      // A member of the operator's previews.
      'src/surfaces/operator/order-desk.route.ts: told',
      'src/surfaces/operator/order-desk.slow.test.ts: told',
      'src/surfaces/operator/resend.slow.test.ts: told',
      'web/operator/desk.tsx: told',
      // A column.
      'src/surfaces/ucp/checkouts.db.ts: asked',
      'src/surfaces/ucp/ucp-tables.ts: asked',
      // Words of a page.
      'web/operator/desk.tsx: Told',
      'web/operator/order-steps.tsx: told',
    ].toSorted(),
  );
  const operations = sources.flatMap((file) =>
    [...textOf(file).matchAll(/operationId: '(\w+)'/g)].map(([, id = '']) => id),
  );
  assert.deepEqual([operations.length > 100, operations.filter(isBanned)], [true, []]);
  assert.deepEqual(
    files.filter((file) => file.split(/[/.-]/).some((word) => banned.test(word))),
    [],
  );
  const described = [...SOURCES, ...PACKAGES, ...PLUGINS, ...CLIENTS].filter((file) => !file.startsWith('src/texts/'));
  assert.deepEqual(
    described.filter((file) =>
      (textOf(file).replace(COMMENTS, '').match(TEXTS) ?? []).some((text) => banned.test(text)),
    ),
    [
      // What people did.
      'src/surfaces/operator/sign-in-link.job.ts',
      'src/surfaces/operator/store-settings.route.ts',
      // A column.
      'src/surfaces/ucp/checkouts.db.ts',
    ],
  );
});

test('only the composition and the commands name an adapter', () => {
  const mayNameVendors = (file: string) => roomOf(file).startsWith('app/');
  const faults = SOURCES.filter(
    (file) => !mayNameVendors(file) && runtimeImportsOf(file).some((target) => target.startsWith('src/app/adapters/')),
  );
  assert.deepEqual(faults, []);
});

test('no barrels, no catch-all modules', () => {
  assert.deepEqual(
    SOURCES.filter((file) => /(^|\/)index\.ts$|\/(utils|services|helpers|managers)(\/|\.ts)/.test(file)),
    [],
  );
});

test('no source imports a test, a fake or the contract of an outside party, not even its types', () => {
  const demo = globSync('demo/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const faults = [...SOURCES, ...demo].flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => /^test\/|\.test\.ts$/.test(target))
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});

test('fakes and contracts of outside parties lie in test/, none in src/', () => {
  assert.deepEqual(
    SOURCES.filter((file) => /\/(fake|given)-[^/]*\.ts$|-(double|fake|contract)\.ts$/.test(file)),
    [],
  );
});

test('the client for apps imports nothing but its own files, and its package depends on nothing', () => {
  const files = globSync('clients/typescript/src/*.ts', { cwd: ROOT });
  assert.ok(files.length > 5);
  const faults = files.flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => !target.startsWith('clients/typescript/src/'))
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    textOf('clients/typescript/package.json'),
  );
  assert.equal(dependencies, undefined);
  // A JavaScript app has no compiler, and npm does not install optional peers.
  assert.deepEqual(
    [Object.keys(peerDependencies), peerDependenciesMeta],
    [['typescript'], { typescript: { optional: true } }],
  );
});

test('the packages of outside parties are loaded by a service that uses them, not by every service', () => {
  const atStart = (file: string) => importsOf(file).filter(({ isType, isDynamic }) => !isType && !isDynamic);
  const loaded = new Set(['src/app/wiring/service.ts']);
  for (const file of loaded)
    for (const { target } of atStart(file))
      if ([...SOURCES, ...PACKAGES, ...PLUGINS].includes(target)) loaded.add(target);
  assert.ok(loaded.has('src/app/wiring/open-adapters.ts'));
  const faults = [...loaded].flatMap((file) =>
    atStart(file)
      .filter(({ target }) => /^(stripe|nodemailer|hyparquet|@modelcontextprotocol)\b/.test(target))
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});

test('tests find the data next to the clone: a wrong path would skip them forever', () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: ROOT });
  const faults = files.flatMap((file) =>
    [...textOf(file).matchAll(/['`]((?:\.\.\/){2,}shared)\/data/g)]
      .filter(([, path = '']) => join(ROOT, file, '..', path) !== join(ROOT, '../shared'))
      .map(([, path]) => `${file}: ${path}`),
  );
  assert.deepEqual(faults, []);
});

const linesOf = (file: string) => textOf(file).split('\n').length - 1;

test('no module is larger than ARCHITECTURE.md allows, in hundreds of lines', () => {
  const [, table = ''] = textOf('ARCHITECTURE.md').split('## Sizes');
  const limits = new Map(
    [...table.matchAll(/^\| `([\w-]+)\/` \| (.*) \|$/gm)].flatMap(([, floor = '', rooms = '']) =>
      [...rooms.matchAll(/(?:`([\w.-]+)` )?(\d+)/g)].map(
        ([, room, limit]) => [room === undefined ? floor : `${floor}/${room}`, Number(limit)] as const,
      ),
    ),
  );
  const sizes = new Map<string, number>();
  const count = (room: string, file: string) => sizes.set(room, (sizes.get(room) ?? 0) + linesOf(file));
  for (const file of SOURCES) count(roomOf(file), file);
  for (const file of [...PACKAGES, ...PLUGINS, ...WEB]) count(file.split('/')[0] ?? '', file);
  const tooLarge = [...sizes].filter(([room, lines]) => lines > (limits.get(room) ?? 0) * 100);
  assert.deepEqual(tooLarge, []);
  assert.deepEqual([...limits.keys()].sort(), [...sizes.keys()].sort());
});

test('the sums `product` and `checks` are within the limits of ARCHITECTURE.md, which only go down', () => {
  const sumOf = (patterns: string[], isCounted: (file: string) => boolean) =>
    globSync(patterns, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
      .filter(isCounted)
      .reduce((sum, file) => sum + linesOf(file), 0);
  const isTest = (file: string) => /\.test\.tsx?$/.test(file);
  const own = '{src,web,packages,plugins}/**/*.{ts,tsx}';
  const sums = {
    product: sumOf([own], (file) => !isTest(file)),
    checks: sumOf([own], isTest) + sumOf(['test/**/*.{ts,tsx}'], () => true),
  };
  const limits = Object.fromEntries(
    [...textOf('ARCHITECTURE.md').matchAll(/^\| `(product|checks)` \| ([\d,]+) \|/gm)].map(([, sum, limit = '']) => [
      sum,
      Number(limit.replace(',', '')),
    ]),
  );
  assert.deepEqual(Object.keys(limits), Object.keys(sums));
  for (const [sum, lines] of Object.entries(sums)) assert.ok(lines <= (limits[sum] ?? 0), `${sum}: ${lines} lines`);
});

test('only the files of ARCHITECTURE.md register routes outside operations, and only as many', () => {
  const [, section = ''] = /## Plain routes\n([\s\S]*?)\n## /.exec(textOf('ARCHITECTURE.md')) ?? [];
  const found = SOURCES.filter((file) => !file.endsWith('.cache.ts'))
    .map((file) => ({
      file,
      count: textOf(file).match(/\bhttp\s*\.(?:get|post|put|patch|delete|route)[(<]/g)?.length ?? 0,
    }))
    .filter(({ count }) => count > 0);
  const nameOf = ({ file }: { file: string }) => basename(file).replace(/(?:\.route|\.hook)?\.ts$/, '');
  const listed = new Set([...section.matchAll(/`([\w-]+)`(?=[, ])/g)].map(([, name = '']) => name));
  assert.deepEqual(new Set(found.map(nameOf)), listed);
  const sum = found.reduce((total, { count }) => total + count, 0);
  assert.ok(sum <= Number(/up to (\d+)/.exec(section)?.[1]), `${sum} routes`);
});

test('a file of 100 lines or more begins with a comment that says what it is about', () => {
  const afterImports = /^(?:import\b[^;]*;\s*)*/;
  assert.deepEqual(
    [...SOURCES, ...PACKAGES, ...PLUGINS, ...WEB].filter(
      (file) => linesOf(file) >= 100 && !textOf(file).replace(afterImports, '').startsWith('/*'),
    ),
    [],
  );
});

test('a component is up to 80 lines long, and declares no hook inside itself', () => {
  const files = WEB.filter((file) => file.endsWith('.tsx'));
  const components = files.flatMap((file) =>
    [...textOf(file).matchAll(/^(?:export )?function ([A-Z]\w*)[\s\S]*?^}/gm)].map(
      ([text, name]) => [`${file}: ${name}`, text] as const,
    ),
  );
  assert.ok(components.length > 250);
  const faults = components.filter(
    ([, text]) => text.split('\n').length > 80 || /^ +(?:async )?(?:function|const) use[A-Z]/m.test(text),
  );
  assert.deepEqual(
    faults.map(([name]) => name),
    [],
  );
});
