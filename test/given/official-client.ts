import assert from 'node:assert/strict';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { App } from '../harness.ts';

/** The official client of MCP, which knows nothing of a site but its address. */
export type OfficialClient = {
  client: Client;
  /** Asks for a sign-in; returns the address that its customer opens. */
  begin(): Promise<URL>;
  /** Goes on with the address that the customer was sent back to. */
  finish(back: string): Promise<void>;
};

export function givenOfficialClient({ service }: App, issuer: string, redirectUrl: string): OfficialClient {
  const send = async (input: string | URL, init: RequestInit = {}) => {
    const { host, pathname, search } = new URL(input);
    const {
      statusCode: status,
      body,
      headers,
    } = await service.http.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host },
      ...(init.body != null && { payload: String(init.body) }),
    });
    return new Response([204, 304].includes(status) ? null : body, { status, headers: headers as never });
  };
  const kept: Record<string, unknown> = {};
  let opened: URL | undefined;
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Official', token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization(url) {
      opened = url;
    },
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => String(kept.verifier),
  };
  const open = () => new StreamableHTTPClientTransport(new URL('/mcp', issuer), { authProvider, fetch: send });
  const client = new Client({ name: 'official', version: '1.0.0' });
  const first = open();
  return {
    client,
    async begin() {
      await assert.rejects(client.connect(first), /Unauthorized|authoriz/i);
      return opened ?? assert.fail('it asks for no sign-in');
    },
    async finish(back) {
      await first.finishAuth(new URL(back).searchParams);
      await client.connect(open());
    },
  };
}
