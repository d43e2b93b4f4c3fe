import assert from 'node:assert/strict';
import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The official client of MCP, which knows nothing of a site but its address. */
export type OfficialClient = {
  client: Client;
  /** Asks for a sign-in; returns the address that its customer opens. */
  begin(): Promise<URL>;
  /** Continues with the address that the customer was sent back to. */
  finish(back: string): Promise<void>;
};

/** What hosts of the client choose; `resource` is named in place of the site's own. */
export type HostChoices = {
  redirectUrl: string;
  redirectUris?: readonly [string, ...string[]];
  scope?: string | undefined;
  resource?: string | undefined;
  options?: ClientOptions;
};

export function givenOfficialClient(
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
  issuer: string,
  { redirectUrl, redirectUris = [redirectUrl], scope, resource, options }: HostChoices,
): OfficialClient {
  const kept: Record<string, unknown> = {};
  let opened: URL | undefined;
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      redirect_uris: [...redirectUris],
      client_name: 'Official',
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization(url) {
      opened = url;
    },
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => String(kept.verifier),
    saveDiscoveryState: (found) => void Object.assign(kept, { found }),
    discoveryState: () => kept.found as never,
    ...(resource !== undefined && { validateResourceURL: async () => new URL(resource) }),
  };
  const open = () => new StreamableHTTPClientTransport(new URL('/mcp', issuer), { authProvider, fetch });
  const client = new Client({ name: 'official', version: '1.0.0' }, options);
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
