import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { KeyMode } from '../accounts/account.ts';
import type { CustomerScope } from './customer.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    customers: {
      accountId: string;
      mode: KeyMode;
      userId: string;
      email: string | null;
      phone: string | null;
      firstName: string | null;
      lastName: string | null;
      language: Language | null;
      createdAt: InstantColumn;
    };
    customerSessions: {
      tokenHash: Buffer;
      accountId: string;
      mode: KeyMode;
      userId: string;
      expiresAt: InstantColumn;
    };
    signInCodes: {
      browserHash: Buffer;
      accountId: string;
      mode: KeyMode;
      contact: string;
      nonce: Buffer;
      tries: Generated<number>;
      language: Language;
      createdAt: InstantColumn;
      expiresAt: InstantColumn;
    };
    oauthGrants: {
      grantId: string;
      accountId: string;
      mode: KeyMode;
      userId: string;
      clientId: string;
      clientName: string;
      clientHost: string;
      scopes: CustomerScope[];
      redirectUri: string;
      codeChallenge: string;
      resource: string;
      maxOrderCents: number | null;
      codeHash: Buffer;
      codeExpiresAt: InstantColumn;
      exchangedAt: MaybeInstantColumn;
      isConfidential: Generated<boolean>;
      createdAt: InstantColumn;
      usedAt: MaybeInstantColumn;
      revokedAt: MaybeInstantColumn;
    };
    agentRules: { accountId: string; isListed: boolean; hosts: string[]; blockedHosts: string[] };
    agentActions: { grantId: string; orderId: string; operation: string; createdAt: InstantColumn };
    oauthTokens: {
      tokenHash: Buffer;
      grantId: string;
      kind: 'access' | 'refresh';
      scopes: CustomerScope[];
      expiresAt: InstantColumn;
      rotatedAt: MaybeInstantColumn;
    };
    oauthClients: {
      clientId: string;
      accountId: string;
      name: string;
      redirectUris: string[];
      secretHash: Buffer | null;
      previousHash: Buffer | null;
      previousUntil: MaybeInstantColumn;
      jwksUri: string | null;
      createdAt: InstantColumn;
      removedAt: MaybeInstantColumn;
    };
  }
}
