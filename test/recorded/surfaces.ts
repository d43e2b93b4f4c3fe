import { join } from 'node:path';
import { sha256 } from '../../src/platform/lib/sha256.ts';
import type { ApiDocument } from '../api-document.ts';
import type { Client } from '../harness.ts';

/* What clients see of the service, recorded so that a change of code shows each change of a description. */

export const API_FILE = join(import.meta.dirname, 'openapi.txt');
export const TOOLS_FILE = join(import.meta.dirname, 'tools-list.txt');
/** The server that the recorded description names. */
export const RECORDED_BASE_URL = 'https://api.example.com/food';

/**
 * `/openapi.json` in its own order, one line per operation, webhook and component. The digest covers every byte. Error
 * responses are written as their codes, and recorded responses are left out, because other files contain them.
 */
export function apiLines({ paths, webhooks, components, ...head }: ApiDocument): string {
  const { schemas, ...others } = components;
  const operations = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  return [['', { ...head, components: others }] as const, ...operations, ...Object.entries(schemas)]
    .map(([name, value]) => `${name} ${digestOf(value)} ${JSON.stringify(value, shorten)}\n`)
    .join('');
}

const digestOf = (value: unknown) => sha256(JSON.stringify(value)).toString('base64url', 0, 9);

function shorten(key: string, value: unknown): unknown {
  const codes = /"application\/problem\+json".*"code":{"enum":(\[.*?\])/.exec(JSON.stringify(value) ?? '')?.[1];
  if (/^[45]\d\d$/.test(key) && codes) return JSON.parse(codes);
  // A schema's field may be named `example` too, and then has a type.
  return key === 'example' && !(value as { type?: string } | null)?.type ? undefined : value;
}

/** The response to `tools/list`, one line per tool. */
export async function toolLines({ post }: Pick<Client, 'post'>): Promise<string> {
  const { body } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { tools, ...others } = body.result;
  return [...tools, others].map((line) => `${JSON.stringify(line)}\n`).join('');
}
