import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** A tool's answer: a refusal's code, or the data. */
export type Answer = {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
  data: any;
};

/** An agent connected through the official MCP client. */
export type Agent = {
  client: Client;
  call(tool: string, given?: object): Promise<Answer>;
  /** The data of a successful answer. */
  ask(tool: string, given?: object): Promise<Answer['data']>;
  /** The data of a refusal. */
  refusal(tool: string, given?: object): Promise<Answer['data']>;
  close(): Promise<void>;
};

/** Connects to the service with a key over a socket: with the handshake of 2025, or a version without one. */
export async function givenAgent(
  url: string,
  key: string,
  { headers = { 'id-token': key }, version }: { headers?: object; version?: string } = {},
): Promise<Agent> {
  const negotiation = version === undefined ? {} : { versionNegotiation: { mode: { pin: version } } };
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, negotiation);
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers: { ...headers } } }),
  );
  const call = async (tool: string, given: object = {}): Promise<Answer> => {
    const result = await client.callTool({ name: tool, arguments: { ...given } });
    const [content] = result.content as { type: string; text: string }[];
    assert.deepEqual(JSON.parse(content?.text ?? ''), result.structuredContent, 'the text repeats the data');
    return { isError: result.isError === true, data: result.structuredContent };
  };
  const expecting = (isError: boolean) => async (tool: string, given?: object) => {
    const answer = await call(tool, given);
    assert.equal(answer.isError, isError, JSON.stringify(answer.data));
    return answer.data;
  };
  return { client, call, ask: expecting(false), refusal: expecting(true), close: () => client.close() };
}
