import type { Static, TObject } from 'typebox';
import type { Caller } from '../accounts/account.ts';
import { compileRequestPart } from '../http/request-schema.ts';

/** What a tool does to the world, as the protocol names it. */
export type ToolHints = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** The structured content of an answer. */
export type ToolData = Readonly<Record<string, unknown>>;

/** A tool as the protocol describes it, and the operation behind it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: TObject;
  annotations: ToolHints;
  /** Runs the tool for a caller. Refuses as the endpoints do, with invalid_request for arguments that do not fit. */
  run(caller: Caller, given: unknown): Promise<ToolData>;
};

/** A tool before its arguments are bound to their schema. */
type ToolOf<Input extends TObject> = Omit<Tool, 'inputSchema' | 'run'> & {
  input: Input;
  run(caller: Caller, given: Static<Input>): Promise<ToolData>;
};

/** Tools that read and change nothing of the service. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Binds a tool to the schema of its arguments: every wrong argument is named in one refusal. */
export function defineTool<Input extends TObject>({ input, run, ...rest }: ToolOf<Input>): Tool {
  const parse = compileRequestPart(input, 'body');
  return {
    ...rest,
    inputSchema: input,
    async run(caller, given) {
      const parsed = parse(withoutBlanks(given));
      if ('error' in parsed) throw parsed.error;
      return run(caller, parsed.value as Static<Input>);
    },
  };
}

/** Models send an empty text where they mean nothing: an empty argument counts as absent, as in a query. */
function withoutBlanks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}
