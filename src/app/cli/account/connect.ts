import type { Command } from 'commander';
import {
  type Client,
  type ClientOptions,
  createClient,
  DoorstepConnectionError,
  DoorstepError,
} from '../../../../clients/typescript/src/main.ts';
import { headerText, hostInUrl, httpUrl } from '../../../platform/lib/parse-setting.ts';
import { readSettings } from '../../wiring/read-settings.ts';
import { parseSecretFile } from '../arguments.ts';
import { CommandFailure } from '../failure.ts';
import { readSavedDemo, runningDemoUrl } from './saved-demo.ts';

/** `keyFile`: the key in the file. Commands take no `key`, because arguments are visible in the list of processes. */
export type AccountOptions = { url?: string; key?: string; keyFile?: string };

/** A service's API, used with an account's key. */
export type Account = { client: Client; url: string; key: string; mode: 'sandbox' | 'live' };

const NO_KEY =
  'No API key found. Set DOORSTEP_KEY, pass --key-file, or start the demo (`npm start`) with the same DATA_DIR.';

/** Adds the options of a command that calls a service with an account's key. */
export function withAccountOptions(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'the service (default: DOORSTEP_URL, else the service of HOST and PORT, or the demo, on this machine)',
    )
    .option(
      '--key-file <file>',
      'a file with the API key of the account (default: DOORSTEP_KEY, else the key of the demo in DATA_DIR)',
      parseSecretFile,
    );
}

/** The service's URL: as given, otherwise DOORSTEP_URL, otherwise the demo or HOST and PORT on this machine. */
export function serviceUrl(given?: string): string {
  const { host, port, dataDir } = readSettings(process.env);
  const named = given ?? process.env.DOORSTEP_URL?.trim();
  const local = runningDemoUrl(process.env, dataDir) ?? `http://${hostInUrl(host)}:${port}`;
  const url = httpUrl(named || local);
  if (!url) throw misuseError('The service URL must be http or https, without a user, query or fragment.');
  return url;
}

/** The account from the options, the environment or the demo on this machine. Throws CommandFailure. */
export function chooseAccount(options: AccountOptions, more: Partial<ClientOptions> = {}): Account {
  const url = serviceUrl(options.url);
  const named = options.key ?? options.keyFile ?? process.env.DOORSTEP_KEY?.trim();
  const key = named || readSavedDemo(readSettings(process.env).dataDir).key;
  if (!key) throw misuseError(NO_KEY);
  if (!headerText(key)) throw misuseError('The key contains characters that no API key contains.');
  const mode = key.startsWith('ds_live_') ? 'live' : 'sandbox';
  return { client: createClient({ baseUrl: url, key, ...more }), url, key, mode };
}

export const misuseError = (sentence: string) => new CommandFailure(sentence, { exitStatus: 2 });

/** A request's error as a sentence for the terminal; other errors are returned unchanged. */
export function explainRequestError(error: unknown, url: string): unknown {
  if (error instanceof DoorstepConnectionError) {
    return new CommandFailure(`${url} isn't responding. Start the service there, or pass its URL with --url.`, {
      cause: error,
    });
  }
  if (!(error instanceof DoorstepError)) return error;
  const { code, status, detail, problem } = error;
  const faults = problem.errors?.map(({ name, message }) => `${name} ${message}`) ?? [];
  const what = code === 'unknown_problem' ? `status ${status}, which isn't a Doorstep response` : detail;
  return new CommandFailure(`${url} rejected the request: ${[what, ...faults].join('; ')}`, { cause: error });
}
