import assert from 'node:assert/strict';
import type { App } from '../harness.ts';

/** Follows the short link in an SMS: returns the path that it leads to. */
export async function followLink({ service }: App, sms: string | undefined): Promise<string> {
  const url = /\/t\/[\w-]{11,16}\b/.exec(sms ?? '')?.[0] ?? assert.fail(sms);
  const { statusCode, headers } = await service.http.inject({ url });
  assert.equal(statusCode, 303);
  return String(headers.location).slice('..'.length);
}
