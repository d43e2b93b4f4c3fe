import { statfs } from 'node:fs/promises';
import { Command } from 'commander';
import { type Config, ConfigError } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { type DatabaseState, inspectDatabase } from '../../platform/db/inspect-database.ts';
import { findQuietReason } from '../../platform/db/quiet.db.ts';
import { BUILD } from '../../platform/lib/build-info.ts';
import { clockDifference, MAX_CLOCK_DIFFERENCE_S } from '../../platform/lib/clock-difference.ts';
import { readHealthFacts } from '../../surfaces/operator/conditions.db.ts';
import { type FoundCondition, judgeConditions } from '../../surfaces/operator/conditions.ts';
import { askParties, type PartyAnswer } from '../adapters/party-questions.ts';
import { dataDirFault } from '../wiring/data-dir-fault.ts';
import { loadSettings } from '../wiring/read-settings.ts';
import { errorSentence } from './error-sentence.ts';
import { alignedTable, answer, type OutputOptions } from './output.ts';
import { SCHEMA } from './with-database.ts';

/* `doorstep check`: settings, disk, database, conditions and external services, as a table of findings. */

type Finding = PartyAnswer;

const EXIT_WARNINGS = 1;
const EXIT_SETTINGS = 78;
const MAX_CONNECTIONS_USED = 0.8;
const MIN_FREE_BYTES = 2 ** 30;
const MIN_SERVER_VERSION = 150_000;

export function checkCommand(): Command {
  return new Command('check')
    .option('--strict', 'end with status 1 if there are warnings')
    .option('--json', 'print one JSON document: { findings: [{ subject, state, text }] }')
    .action(async (options: OutputOptions & { strict?: boolean }) => {
      const findings = await check();
      const rows = findings.map(({ subject, state, text }) => [state, subject, text]);
      answer(options, { findings }, alignedTable(['STATE', 'WHAT', 'FOUND'], rows));
      const has = (state: Finding['state']) => findings.some((finding) => finding.state === state);
      if (has('error')) process.exitCode = EXIT_SETTINGS;
      else if (has('warning') && options.strict) process.exitCode = EXIT_WARNINGS;
    });
}

/** All findings, errors first. */
async function check(): Promise<Finding[]> {
  const rank = { error: 0, warning: 1, ok: 2 };
  try {
    const config = await loadSettings(process.env);
    const settings = config.warnings.map(
      ({ setting, text }): Finding => ({ subject: setting, state: 'warning', text }),
    );
    const version = { subject: 'versions', state: 'ok', text: `Doorstep ${BUILD}, Node ${process.version}` } as const;
    const checks = await Promise.all([checkDataDir(config), checkDatabase(config), askParties(config)]);
    return [...settings, ...checks.flat(), version].sort((a, b) => rank[a.state] - rank[b.state]);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((text) => ({ subject: text.split(' ')[0] ?? '', state: 'error', text }));
  }
}

async function checkDataDir({ dataDir }: Config): Promise<Finding[]> {
  const subject = 'DATA_DIR';
  const fault = await dataDirFault(dataDir);
  if (fault !== undefined) return [{ subject, state: 'error', text: fault }];
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const text = `has ${(free / 2 ** 30).toFixed(1)} GiB free`;
  return [{ subject, state: free < MIN_FREE_BYTES ? 'warning' : 'ok', text }];
}

/** DATABASE_URL's server. The embedded one is not started for a check. */
async function checkDatabase(config: Config): Promise<Finding[]> {
  const subject = 'DATABASE_URL';
  const { databaseUrl } = config;
  if (databaseUrl === undefined) return [{ subject, state: 'ok', text: 'is not set: the embedded database' }];
  try {
    const readFacts = async (db: Db) => readHealthFacts(db, { quiet: await findQuietReason(db, config) });
    const { found, ...state } = await inspectDatabase(databaseUrl, SCHEMA, readFacts);
    return [
      ...judge(state),
      ...(found
        ? judgeConditions(found)
            .filter(({ key, fault }) => key !== 'settings' && (key !== 'clock' || fault !== undefined))
            .map(findingOf)
        : []),
    ];
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return [{ subject, state: 'error', text: errorSentence(error) ?? 'does not respond' }];
  }
}

function findingOf({ subject, fault, words }: FoundCondition): Finding {
  return { subject, state: fault === undefined ? 'ok' : 'warning', text: fault ?? words };
}

function judge(state: DatabaseState): Finding[] {
  const { version, versionNumber, clockAheadS, connections, maxConnections, migrations } = state;
  const okUnless = (isDoubtful: boolean) => (isDoubtful ? 'warning' : 'ok');
  const isOld = versionNumber < MIN_SERVER_VERSION;
  return [
    { subject: 'PostgreSQL', state: isOld ? 'error' : 'ok', text: `is version ${version}; Doorstep needs 15 or newer` },
    {
      subject: 'clock',
      state: okUnless(Math.abs(clockAheadS) > MAX_CLOCK_DIFFERENCE_S),
      text: clockDifference(clockAheadS),
    },
    {
      subject: 'connections',
      state: okUnless(connections > maxConnections * MAX_CONNECTIONS_USED),
      text: `${connections} of ${maxConnections} are in use`,
    },
    {
      subject: 'schema',
      state: migrations?.refused ? 'error' : okUnless((migrations?.missing ?? 0) > 0),
      text: migrations?.refused ?? schemaText(migrations),
    },
  ];
}

function schemaText(migrations: DatabaseState['migrations']): string {
  if (migrations === undefined) return 'is created by the first start';
  const { missing, newer } = migrations;
  const parts = [
    missing > 0 ? `lacks ${missing} migrations, which the next start applies` : '',
    newer > 0 ? `has ${newer} migrations of a newer version` : '',
  ];
  return parts.filter(Boolean).join('; ') || 'is up to date';
}
