import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How an ID token differs from a good one. */
export type TokenTwist = { claims?: object; header?: object; isUnsigned?: true; hasForeignKey?: true };

export type Issuer = {
  env: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string };
  /** The person signs in at the issuer: returns where it sends the browser back. */
  approve(authorizationUrl: string, person: object, twist?: TokenTwist): string;
  /** This person, in a browser, continues at the issuer's own page from now on. */
  signIn(person: object): void;
  /** The token endpoint's status from now on. */
  fail(status: number | undefined): void;
  close(): Promise<void>;
};

type Grant = { redirectUri: string; challenge: string; claims: object; twist: TokenTwist };

const base64url = (value: object | Buffer) =>
  (value instanceof Buffer ? value : Buffer.from(JSON.stringify(value))).toString('base64url');
const rsaKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An OpenID Connect issuer on loopback: discovery, keys, and codes that work once with their PKCE verifier. */
export async function givenIssuer(): Promise<Issuer> {
  const [own, foreign] = [rsaKeys(), rsaKeys()];
  const client = { id: 'doorstep', secret: 'the secret of doorstep' };
  const grants = new Map<string, Grant>();
  let failure: number | undefined;
  let present: object = {};
  let issuer = '';

  const tokenOf = ({ claims, twist }: Grant) => {
    const seconds = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000);
    const good = { iss: issuer, aud: client.id, sub: 'person', iat: seconds, exp: seconds + 300, ...claims };
    const key = twist.hasForeignKey ? foreign : own;
    return jwt({ alg: 'RS256', kid: 'one', ...twist.header }, { ...good, ...twist.claims }, twist, key.privateKey);
  };

  function approve(authorizationUrl: string, person: object, twist: TokenTwist = {}): string {
    const query = new URL(authorizationUrl).searchParams;
    const code = randomUUID();
    const redirectUri = query.get('redirect_uri') ?? '';
    const claims = { nonce: query.get('nonce'), ...person };
    grants.set(code, { redirectUri, challenge: query.get('code_challenge') ?? '', claims, twist });
    return `${redirectUri}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`;
  }

  async function answerToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const expected = `Basic ${Buffer.from(`${client.id}:${encodeURIComponent(client.secret).replaceAll('%20', '+')}`).toString('base64')}`;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      request.headers.authorization === expected &&
      grant?.challenge === challenge &&
      grant.redirectUri === form.get('redirect_uri');
    if (failure !== undefined) return send(response, failure, {});
    if (!isGood) return send(response, 400, { error: 'invalid_grant' });
    send(response, 200, { access_token: randomUUID(), token_type: 'Bearer', id_token: tokenOf(grant) });
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/.well-known/openid-configuration') {
      return send(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
    }
    if (path === '/keys') {
      const key = own.publicKey.export({ format: 'jwk' });
      return send(response, 200, { keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] });
    }
    if (path.startsWith('/authorize?')) {
      const href = approve(`${issuer}${path}`, present).replaceAll('&', '&amp;');
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="${href}">Continue</a>`);
    }
    if (path === '/token') return void answerToken(request, response);
    send(response, 404, {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    approve,
    signIn: (person) => {
      present = person;
    },
    fail: (status) => {
      failure = status;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function jwt(header: object, claims: object, { isUnsigned }: TokenTwist, key: KeyObject): string {
  const signed = `${base64url(header)}.${base64url(claims)}`;
  return `${signed}.${isUnsigned ? '' : base64url(sign('sha256', Buffer.from(signed), key))}`;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
