import { Option } from 'commander';
import { Refusal } from '../../platform/http/refusal.ts';
import { isJsonObject, type JsonObject } from '../../platform/lib/json-object.ts';
import { openLines } from '../../platform/lib/read-lines.ts';
import { readJson } from '../../supply/imports/read-json.ts';
import { CommandFailure } from './failure.ts';
import { type Manage, withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';

/** A change of many stores: a file of JSON lines, each with a store's ID and the command's options as members. */

const MAX_LINE_BYTES = 64 * 1024;

export const fileOption = (words: string) =>
  new Option('--file <file>', `change many stores: JSON lines of { store_id, ${words} }; - for standard input`);

type Refused = { line: number; store_id?: string; error: string };

/** Runs `one` for the store of the argument; with `--file` alone, `change` for the store of each line. */
export async function setStores<Options extends OutputOptions>(
  storeId: string | undefined,
  { file, ...options }: Options & { file?: string },
  one: (storeId: string, options: Omit<Options, 'file'>) => Promise<void>,
  change: (manage: Manage, storeId: string, words: JsonObject) => Promise<object>,
): Promise<void> {
  if ((storeId === undefined) === (file === undefined))
    throw new CommandFailure('Pass a store_id, or --file alone.', { exitStatus: 2 });
  if (storeId !== undefined) return one(storeId, options);
  await withManagement((manage) => changeFromFile(file ?? '', options, (...line) => change(manage, ...line)));
}

/** Changes the store of each line, and reports the lines that were refused; the others are done. */
async function changeFromFile(
  file: string,
  { json }: { json?: boolean | undefined },
  change: (storeId: string, words: JsonObject) => Promise<object>,
): Promise<void> {
  const stores: object[] = [];
  const refused: Refused[] = [];
  const { lines } = await openLines(file, process.stdin, MAX_LINE_BYTES);
  for await (const some of lines) {
    for (const line of some) {
      const json = readJson(line);
      const { store_id, ...words } = json.ok && isJsonObject(json.value) ? json.value : {};
      const at = { line: line.line, ...(typeof store_id === 'string' && { store_id }) };
      try {
        if (typeof store_id !== 'string') throw new CommandFailure('A line is { "store_id": "…", … }.');
        stores.push({ store_id, ...(await change(store_id, words)) });
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof CommandFailure)) throw error;
        refused.push({ ...at, error: error.message });
      }
    }
  }
  if (refused.length > 0) process.exitCode = 1;
  const sentences = refused.map(({ line, error }) => `line ${line}: ${error}`);
  answer(
    { json: json === true },
    { stores, refused },
    [`${stores.length} set, ${refused.length} refused.`, ...sentences].join('\n'),
  );
}
