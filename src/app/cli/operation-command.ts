import { Argument, Command, CommanderError, Option } from 'commander';
import type { TObject } from 'typebox';
import {
  type Endpoint,
  endpointOn,
  type Operation,
  type PartName,
  parseInput,
} from '../../access/operations/operation.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { TextFile } from '../../platform/http/send-csv.ts';
import { isJsonObject } from '../../platform/lib/json-object.ts';
import { openLines } from '../../platform/lib/read-lines.ts';
import { readJson } from '../../supply/imports/read-json.ts';
import { OPERATOR_OPERATIONS } from '../../surfaces/operator/operations.route.ts';
import { bindUcpPlatformOperation } from '../../surfaces/ucp/bind-platform.route.ts';
import { checkUcpShopOperation } from '../../surfaces/ucp/check-shop.route.ts';
import { listUcpDeliveriesOperation } from '../../surfaces/ucp/list-deliveries.route.ts';
import { rotateUcpKeyOperation } from '../../surfaces/ucp/rotate-key.route.ts';
import { CommandFailure } from './failure.ts';
import { type Field, fieldsOf, optionOf, readText, type TextValue } from './field-options.ts';
import { type Manage, withManagement } from './manage.ts';
import { newOptionOf } from './old-names.ts';
import { type OutputOptions, writePart } from './output.ts';
import { printAnswer, printPages, schemaText } from './print-answer.ts';

/**
 * Commands made from operations: `command` of an operation names the command and its arguments, every other field of
 * `params`, `query` and `body` is an option, and `table` says which fields of the response are printed. Operations with
 * the same command are one command, which runs the first of them that has all given fields.
 */

type Values = Readonly<Record<string, TextValue>>;

/** Every endpoint of operators, which may be a command. */
export const ALL = [
  ...OPERATOR_OPERATIONS,
  bindUcpPlatformOperation,
  rotateUcpKeyOperation,
  listUcpDeliveriesOperation,
  checkUcpShopOperation,
].map((one: Operation) => endpointOn(one, 'operator'));

/** Commands that run if only their group is named. */
const DEFAULTS = ['statements show', 'tips list', 'webhooks list'];

/** The command `group` with a subcommand for each command of that group; a command of one word is the group itself. */
export function operationCommands(group: string, written: readonly Command[] = []): Command {
  const usages = ALL.flatMap((endpoint) => [endpoint.command ?? []].flat().map((usage) => ({ endpoint, usage })));
  const commands = Map.groupBy(
    usages.filter(({ usage }) => usage.split(' ')[0] === group),
    ({ usage }) => nameOf(usage),
  );
  const parent = new Command(group);
  for (const command of written) parent.addCommand(command);
  for (const [name, found] of commands) {
    const endpoints = found.map(({ endpoint }) => endpoint);
    const argumentsOf = found.map(({ usage }) => usage.split(' ').filter((word) => !isWord(word)));
    if (name === group) addFields(parent, endpoints, argumentsOf);
    else {
      const command = new Command(name.slice(group.length + 1));
      parent.addCommand(addFields(command, endpoints, argumentsOf), { isDefault: DEFAULTS.includes(name) });
    }
  }
  return parent;
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
const isWord = (word: string) => !word.startsWith('<');
const nameOf = (usage: string) => usage.split(' ').filter(isWord).join(' ');

/** Adds the arguments and options of the operations, and the action that runs them. */
function addFields(command: Command, endpoints: readonly Endpoint[], usages: readonly string[][]): Command {
  const choices = endpoints.map((endpoint) => ({ endpoint, fields: fieldsOf(endpoint) }));
  const all = new Map(choices.flatMap(({ fields }) => fields).map((field) => [field.name, field]));
  const names = [...new Set(usages.flat())].map((word) => word.slice(1, -1));
  const isMany = endpoints.some(({ many }) => many);
  for (const name of names) {
    const isRequired = !isMany && usages.every((usage) => usage.includes(`<${name}>`));
    const field = all.get(name);
    const argument = new Argument(isRequired ? `<${name}>` : `[${name}]`, field?.description);
    command.addArgument(field?.words ? argument.choices(field.words) : argument);
  }
  for (const field of all.values()) if (!names.includes(field.name)) command.addOption(optionOf(field));
  for (const { ending, name, says } of FILES)
    if (endpoints.some((one) => fileOf(one) === ending)) command.option(`--${name}`, says);
  if (isMany)
    command.addOption(new Option('--file <file>', 'change many: JSON lines of these fields; - for standard input'));
  const [first = '', ...others] = endpoints
    .filter((one) => !fileOf(one) || endpoints.every(fileOf))
    .map(({ summary }) => summary);
  return command
    .description(`${[first, ...others.map((other) => `or ${lowerFirst(other)}`)].join(', ')}.`)
    .option('--json', 'print the response as one JSON document')
    .addHelpText('after', () => choices.map(({ endpoint }) => helpText(endpoint)).join('\n'))
    .action(async () => {
      const options = command.opts<OutputOptions & { file?: string; csv?: true; hledger?: true }>();
      const given = valuesOf(command, names, all);
      if (options.file === undefined) {
        const wanted = FILES.find(({ name }) => options[name])?.ending;
        const fitting = choices.filter(({ endpoint }) => fileOf(endpoint) === wanted);
        return run(requireChoice(command, fitting, given), options, given);
      }
      if (command.args.length > 0) command.error('error: pass --file without an argument');
      const choice = choices.find(({ endpoint }) => endpoint.many);
      if (choice) await changeMany(choice, options.file, options, given);
    });
}

/** The first endpoint that has all given fields and needs no other. Ends the command if there is none. */
function requireChoice(command: Command, choices: readonly Choice[], given: Values): Choice {
  const fitting = choices.filter(({ fields }) =>
    Object.keys(given).every((name) => fields.some((field) => field.name === name)),
  );
  const missingOf = ({ fields }: Choice) => fields.find(({ isRequired, name }) => isRequired && !(name in given));
  const choice = fitting.find((one) => missingOf(one) === undefined);
  if (choice) return choice;
  const [missing] = fitting.map(missingOf);
  if (missing) command.error(`error: required option '${optionOf(missing).flags}' not specified`);
  return command.error('error: these options do not go together; see --help');
}

type Choice = { endpoint: Endpoint; fields: readonly Field[] };

/** Downloads by the ending of their paths, and the options that print them. */
const FILES = [
  { ending: 'csv', name: 'csv', says: 'print CSV, with amounts in dollars' },
  { ending: 'journal', name: 'hledger', says: 'print a journal for hledger, with amounts in dollars' },
] as const;
const fileOf = ({ endpoint }: Pick<Endpoint, 'endpoint'>) => /\.(csv|journal)$/.exec(endpoint)?.[1];

const helpText = ({ description, answer, endpoint }: Endpoint) =>
  fileOf({ endpoint }) ? '' : `\n${description}\n\n--json: ${schemaText(answer)}`;

/** The values of arguments and options by field. */
function valuesOf(command: Command, names: readonly string[], fields: ReadonlyMap<string, Field>): Values {
  const named = names.map((name, nth) => [name, command.args[nth]] as const);
  const options = [...fields.values()].map((field) => {
    const given: unknown = command.getOptionValue(optionOf(field).attributeName());
    return [field.name, given === true ? true : (given as { value: TextValue } | undefined)?.value] as const;
  });
  return Object.fromEntries([...options, ...named].filter(([, value]) => value !== undefined)) as Values;
}

type Input = Record<PartName, Record<string, unknown>>;

/** The input of an operation. A nested field in the body takes the path of both. */
function inputOf(fields: readonly Field[], values: Values): Input {
  const input: Input = { params: {}, query: {}, body: {} };
  for (const { name, part, path } of fields) {
    if (!Object.hasOwn(values, name)) continue;
    const [outer = '', inner] = path;
    const value = values[name];
    const place = input[part];
    place[outer] = inner === undefined ? value : { ...(place[outer] as object), [inner]: value };
  }
  return input;
}

async function run({ endpoint, fields }: Choice, options: OutputOptions, values: Values): Promise<void> {
  const input = inputOf(fields, values);
  parseInput(endpoint, input);
  await withManagement(async (manage, signal) => {
    if (cursorOf(endpoint)) return printPages(options, endpoint, readPages(manage, endpoint, input), signal);
    const answer = await runOnce(manage, endpoint, input);
    if (answer instanceof TextFile) {
      for await (const part of answer.text) {
        signal.throwIfAborted();
        await writePart(part);
      }
      return;
    }
    printAnswer(options, endpoint, answer);
    const { failsUnless } = endpoint;
    if (failsUnless !== undefined && isJsonObject(answer) && !answer[failsUnless]) process.exitCode = 1;
  });
}

/** A change of money runs its preview first, unless one is requested or confirmed. */
async function runOnce(manage: Manage, endpoint: Endpoint, input: Input): Promise<unknown> {
  const send = (body: object) => manage(endpoint.of, { ...input, body: { ...input.body, ...body } });
  const { preview, preview_id: previewId } = input.body;
  if (endpoint.body?.properties.preview === undefined || preview || previewId) return sendUntilComplete(() => send({}));
  const planned = await send({ preview: true });
  const made = isJsonObject(planned) && isJsonObject(planned.preview) ? planned.preview.preview_id : undefined;
  return made === undefined ? planned : send({ preview_id: made });
}

/** Repeats an incomplete operation, and adds up the numbers of the parts. */
async function sendUntilComplete(send: () => Promise<unknown>): Promise<unknown> {
  let answer = await send();
  while (isJsonObject(answer) && answer.is_complete === false) {
    const before = answer;
    const part = Object.entries((await send()) as object);
    answer = Object.fromEntries(
      part.map(([name, value]) => [name, typeof value === 'number' ? value + Number(before[name]) : value]),
    );
  }
  return answer;
}

/** The query's parameter that takes `next`; undefined for a response without pages. */
const cursorOf = ({ query, answer }: Endpoint) =>
  'next' in ((answer as Partial<TObject>).properties ?? {})
    ? ['before', 'after'].find((name) => name in (query?.properties ?? {}))
    : undefined;

async function* readPages(manage: Manage, endpoint: Endpoint, input: Input): AsyncGenerator<Record<string, unknown>> {
  const cursor = cursorOf(endpoint) ?? '';
  const { maximum } = (endpoint.query?.properties.limit ?? {}) as { maximum?: number };
  const query: Record<string, unknown> = { ...input.query, ...(maximum !== undefined && { limit: maximum }) };
  for (;;) {
    const page = (await manage(endpoint.of, { ...input, query })) as Record<string, unknown>;
    yield page;
    if (page.next === null || page.next === undefined) return;
    query[cursor] = page.next;
  }
}

/** The fields of a JSON line. A field with an old name is read as that option on the command line. */
export function valuesOfLine(endpoint: Endpoint, line: Readonly<Record<string, unknown>>): Values {
  const [command = ''] = [endpoint.command ?? []].flat().map(nameOf);
  const values: Record<string, TextValue> = {};
  for (const [name, given] of Object.entries(line)) {
    const [option, text = ''] = newOptionOf(command, name, given) ?? [];
    const field = fieldsOf(endpoint).find((one) => (option ? optionOf(one).long === option : one.name === name));
    if (!field) throw new CommandFailure(`${name} is not a field of this command.`);
    values[field.name] = option ? readText(text, field.schema, values[field.name]) : (given as TextValue);
  }
  return values;
}

const MAX_LINE_BYTES = 64 * 1024;

/** Runs the operation for each line of a file, and reports refused lines; the others are done. */
async function changeMany({ endpoint, fields }: Choice, file: string, options: OutputOptions, given: Values) {
  const answers: unknown[] = [];
  const refused: { line: number; error: string }[] = [];
  const change = async (manage: Manage, line: Parameters<typeof readJson>[0]) => {
    const json = readJson(line);
    const values = valuesOfLine(endpoint, json.ok && isJsonObject(json.value) ? json.value : {});
    answers.push(await manage(endpoint.of, inputOf(fields, { ...given, ...values })));
  };
  await withManagement(async (manage) => {
    const lines = await openLines(file, process.stdin, MAX_LINE_BYTES);
    for await (const some of lines) {
      for (const line of some) {
        await change(manage, line).catch((error: unknown) => {
          if (![Refusal, CommandFailure, CommanderError].some((known) => error instanceof known)) throw error;
          refused.push({ line: line.line, error: (error as Error).message });
        });
      }
    }
  });
  if (refused.length > 0) process.exitCode = 1;
  printAnswer(options, endpoint, { answers, refused });
}
