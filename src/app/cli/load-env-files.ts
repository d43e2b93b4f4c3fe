import { accessSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode } from 'doorstep/files';
import { ConfigError } from '../../platform/config/config.ts';
import { CommandFailure } from './failure.ts';
import { parseEnvFile } from './parse-env-file.ts';

const DEFAULT_ENV_FILE = '.env';

/**
 * Adds settings of `.env` and the named files to the environment. Precedence: environment (even if empty), last named
 * file, `.env`. Throws CommandFailure if a file is unreadable and ConfigError if it is malformed; errors repeat no
 * value.
 */
export function loadEnvFiles(named: readonly string[]): void {
  const own = readIfPresent(DEFAULT_ENV_FILE);
  const settings = new Map(own && settingsOf(DEFAULT_ENV_FILE, own));
  for (const file of named) for (const [name, value] of settingsOf(file, readNamed(file))) settings.set(name, value);
  for (const [name, value] of settings) process.env[name] ??= value;
}

/**
 * A folder named `.env` (Python's tools create one) is not a settings file, nor is a file in a folder that this user
 * cannot enter.
 */
function readIfPresent(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EISDIR' || !mayEnter('.')) return undefined;
    throw new ConfigError([
      `${resolve(file)} can't be read (${code}). Make the file readable for this user, or remove it.`,
    ]);
  }
}

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readNamed(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = errorCode(error);
    const why = code === 'ENOENT' ? "doesn't exist" : `can't be read (${code})`;
    throw new CommandFailure(`The --env-file ${file} ${why}.`, { exitStatus: 2, cause: error });
  }
}

function settingsOf(file: string, bytes: Buffer): (readonly [name: string, value: string])[] {
  const text = decode(bytes);
  if (text === undefined) throw new ConfigError([`${resolve(file)} isn't UTF-8 text.`]);
  const read = parseEnvFile(text);
  if ('entries' in read) return read.entries;
  throw new ConfigError([
    `Line ${read.malformedLine} of ${resolve(file)} isn't NAME=value. A value with # needs quotes, quotes must be closed, and only a comment can follow them.`,
  ]);
}

/** Skips the byte order mark written by Windows editors. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
