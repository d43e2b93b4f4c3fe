// covers: deploy/systemd/*, deploy/doorstep.env.example
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { isInstalled } from '../given/command.ts';
import { givenFolder } from '../given/folder.ts';
import { ROOT, textOf } from '../source-files.ts';
import { LEAST_STOP_SECONDS } from './image-file.ts';
import { configOf } from './settings.ts';

const units = globSync('deploy/systemd/*.{service,timer}', { cwd: ROOT }).sort();
const services = units.filter((file) => file.endsWith('.service'));
/** A unit's lines by section and key. */
function unitOf(file: string): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  let section = '';
  for (const line of textOf(file).split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name] = /^\[(Unit|Service|Timer|Install)\]$/.exec(line) ?? [];
    const [, key, value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    assert.ok(name ?? (section && key), `${file}: ${line}`);
    if (name) section = name;
    else keys.set(`${section}.${key}`, [...(keys.get(`${section}.${key}`) ?? []), value]);
  }
  return keys;
}

test('systemd: an API node may use any port: its metrics have an address of their own', () => {
  const [line = ''] =
    unitOf('deploy/systemd/doorstep-api@.service')
      .get('Service.Environment')
      ?.filter((each) => each.includes('%i')) ?? [];
  for (const port of ['8081', '10080', '65535']) {
    const { metrics, ...config } = configOf(
      Object.fromEntries(
        line
          .replaceAll('%i', port)
          .split(' ')
          .map((pair) => pair.split('=')),
      ),
    );
    assert.deepEqual(
      [config.host, config.port, metrics],
      ['127.0.0.1', Number(port), { host: '127.0.0.2', port: Number(port) }],
    );
  }
});

const BACKUP =
  `/bin/sh -ec 'day=$$(date -u +%%Y-%%m-%%dT%%H%%M%%S); doorstep backup "$$STATE_DIRECTORY/$$day"; ` +
  `find "$$STATE_DIRECTORY" -mindepth 1 -maxdepth 1 -mtime +13 -exec rm -r {} +'`;

const FAILED =
  '/usr/bin/logger --priority daemon.crit --tag doorstep "The backup of the database failed: journalctl -u doorstep-backup"';

test('systemd: a failed backup starts a unit that says so, which is there', () => {
  const [failed = ''] = unitOf('deploy/systemd/doorstep-backup.service').get('Unit.OnFailure') ?? [];
  assert.ok(services.includes(`deploy/systemd/${failed}`), failed);
});

test('systemd: the backup keeps two weeks’ folders, and removes older ones only after a complete one', async (t) => {
  const folder = givenFolder('doorstep-backups', t);
  const script = /'(.*)'$/.exec(
    unitOf('deploy/systemd/doorstep-backup.service').get('Service.ExecStart')?.[0] ?? '',
  )?.[1];
  const run = (command: string) => {
    const text = (script ?? '').replaceAll('$$', '$').replaceAll('%%', '%');
    const env = { ...process.env, STATE_DIRECTORY: folder };
    return spawnSync('/bin/sh', ['-ec', text.replace(/\/opt\S+doorstep backup/, command)], { env }).status;
  };
  for (const [name, days] of [
    ['new', 13],
    ['old', 15],
  ] as const) {
    mkdirSync(join(folder, name));
    const at = Temporal.Now.instant().epochMilliseconds / 1000 - days * 86_400;
    utimesSync(join(folder, name), at, at);
  }
  const kept = () =>
    readdirSync(folder)
      .map((name) => name.replace(/^20\d\d-\d\d-\d\dT\d{6}$/, 'today'))
      .sort();
  assert.equal(run('false'), 1);
  assert.deepEqual(kept(), ['new', 'old']);
  assert.equal(run('mkdir'), 0);
  assert.deepEqual(kept(), ['new', 'today']);
});

test('systemd: units run the commands with settings of the service, not as root, and give a node time to end', () => {
  const commands = services.map((file) => {
    const unit = unitOf(file);
    const all = (key: string) => unit.get(`Service.${key}`) ?? [];
    const pairs = all('Environment').flatMap((line) => line.replaceAll('%i', '8081').split(' '));
    const env = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
    const config = configOf({ ...env, DATABASE_URL: 'postgres://doorstep@127.0.0.1/doorstep' });
    assert.deepEqual([all('User'), all('ProtectSystem'), all('NoNewPrivileges')], [['doorstep'], ['strict'], ['yes']]);
    assert.deepEqual(all('EnvironmentFile'), ['/etc/doorstep/doorstep.env']);
    const [state] = all('StateDirectory');
    if (!file.includes('backup')) assert.equal(config.dataDir, `/var/lib/${state}`);
    if (all('Type')[0] !== 'oneshot') {
      assert.match(config.metrics?.host ?? '', /^127\./);
      assert.ok(Number(all('TimeoutStopSec')[0]) >= LEAST_STOP_SECONDS);
      assert.deepEqual([all('SuccessExitStatus'), all('RestartPreventExitStatus')], [['143'], ['78']]);
      assert.deepEqual(unit.get('Unit.Requires'), ['doorstep-migrate.service']);
      assert.ok(config.searchSnapshotDir?.startsWith(`${config.dataDir}/`));
    }
    return [basename(file), all('ExecStart')[0]?.replace('/opt/doorstep/node_modules/.bin/', '')];
  });
  assert.deepEqual(commands, [
    ['doorstep-api@.service', 'doorstep serve --role api'],
    ['doorstep-backup-failed.service', FAILED],
    ['doorstep-backup.service', BACKUP],
    ['doorstep-migrate.service', 'doorstep migrate'],
    ['doorstep-worker.service', 'doorstep serve --role worker'],
  ]);
});

test('systemd: systemd-analyze verify has nothing to say of a unit', (t) => {
  if (!isInstalled('systemd-analyze')) return t.skip('systemd-analyze is not installed');
  const folder = givenFolder('doorstep-units', t);
  mkdirSync(join(folder, 'units'));
  const verify = (extra: string) => {
    const files = units.map((file) => {
      const name = basename(file).replace('@', '@8081');
      const text = textOf(file)
        .replaceAll('/opt/doorstep/node_modules/.bin', join(ROOT, 'bin'))
        .replaceAll('/opt/doorstep/node_modules/doorstep/dist', ROOT)
        .replaceAll('/opt/doorstep', ROOT)
        .replaceAll('%i', '8081');
      const path = join(folder, 'units', name);
      writeFileSync(path, text.replace('[Service]\n', `[Service]\n${extra}`));
      return path;
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    return { status, said: stderr.split('\n').filter((line) => line.includes(folder) || /doorstep-/.test(line)) };
  };
  assert.deepEqual(verify(''), { status: 0, said: [] });
  assert.notDeepEqual(verify('NoSuchKey=1\n').said, []);
});
