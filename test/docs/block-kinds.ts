import { spawnSync } from 'node:child_process';
import type { Block } from './doc-blocks.ts';

/**
 * What a test does with a block:
 * - `run`: pastes it into a shell alongside a running demo, after the blocks before on the page
 * - `answer`: compares it with what the block before printed
 * - `session`: runs the lines after `$ ` and compares the others
 * - `start`, `started`: the start of the demo, which the test has done, and what it prints
 * - `endpoints`: looks each endpoint up in the API's description
 * - `commands`: nothing here; test/docs/commands.test.ts looks every command and its options up in the program
 * - `store`: reads it as fields of a store of a feed
 * - a sentence: why no test can run it here
 */
export type BlockKind =
  | 'run'
  | 'answer'
  | 'session'
  | 'start'
  | 'started'
  | 'endpoints'
  | 'commands'
  | 'store'
  | `not run: ${string}`;

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
const inPython = (kind: 'run' | 'answer'): BlockKind =>
  HAS_PYTHON ? kind : 'not run: needs Python, which is not here';
const SAMPLE = 'not run: test/docs/verify-samples.test.ts runs the samples';

/** Kinds of blocks that their language does not determine, by the beginning of their text. */
const KINDS: Readonly<Record<string, readonly [begins: string, kind: BlockKind][]>> = {
  'README.md': [
    ['npm ci\nnpm start', 'not run: test/journeys/main-job.slow.test.ts runs npm start'],
    ['$ curl', 'session'],
  ],
  'docs/README.md': [['GET  /search/store/v3', 'endpoints']],
  'docs/concepts.md': [['stateDiagram-v2', 'not run: a diagram, which GitHub draws']],
  'docs/agents.md': [
    ['curl', 'run'],
    ['import { Client', 'not run: src/surfaces/agents/mcp.test.ts connects with this client'],
    ['{\n  "mcpServers"', 'not run: a file of other programs'],
    ['{', 'not run: test/docs/agents.test.ts holds the conversation, with the harness and its pizzeria'],
  ],
  'docs/weights.md': [
    [
      '{ "id": "chicken"',
      'not run: a product without its store; src/supply/menus/read-weight.test.ts reads such products',
    ],
  ],
  'docs/quotes.md': [['unit      = price', 'not run: a formula, which the oracle of prices computes']],
  'docs/clients.md': [
    ['curl', 'not run: installs a generator'],
    ['import json', 'not run: needs the generated models'],
  ],
  'docs/command-line.md': [['', 'commands']],
  'docs/feeds.md': [
    ['{ "read": 8', 'not run: the report of a file with faults; src/app/cli/import.test.ts compares reports'],
    ['{"external_id":"7"', 'store'],
  ],
  'docs/feed-format.md': [
    ['"', 'store'],
    ['{"path":["Dairy"', 'not run: products without their store; the tests of the feed read such lines'],
  ],
  'docs/monitoring.md': [['/var/log/doorstep.log {', 'not run: needs logrotate and root']],
  'docs/database.md': [
    ['create role', 'not run: needs a database of its own; test/faults/database-tls.nightly.test.ts makes such roles'],
    ['pool_mode = session', 'not run: needs PgBouncer; test/deploy/pgbouncer.slow.test.ts runs with these lines'],
  ],
  'docs/secrets.md': [
    [
      'create role',
      'not run: needs a database of its own; test/faults/database-tls.nightly.test.ts rotates a password so',
    ],
  ],
  'docs/deployment.md': [
    ['npm pack', 'not run: needs Docker; test/deploy/compose.test.ts reads the files'],
    ['npm install', 'not run: needs systemd and root; test/deploy/systemd.nightly.test.ts reads the files'],
    ['kubectl', 'not run: needs Kubernetes; test/deploy/kubernetes.nightly.test.ts reads the files'],
  ],
  'docs/plugins.md': [
    ['import { definePlugin', 'not run: src/app/wiring/load-plugins.test.ts loads the example'],
    [
      'GEOCODER=acme',
      'not run: its three dots stand for a key; src/app/wiring/load-plugins.test.ts chooses the example',
    ],
    ['routes: [', 'not run: src/app/wiring/plugin-routes.test.ts serves such routes'],
    ['{ "type": "module"', 'not run: test/plugins/npm-test.nightly.test.ts runs the script'],
    [
      'export default async function mountWallet',
      'not run: plugins/stripe/browser/wallet-button.ts is one, tested in a browser',
    ],
    ['async charge', 'not run: a part of examples/plugins/cash/cash.ts, which has its own tests'],
    ['import { test }', 'not run: test/release/release.nightly.test.ts runs such a test in an installed package'],
  ],
  'docs/python.md': [
    ['SANDBOX_PACE', 'not run: the tests start the demo so'],
    ['# app.py', inPython('run')],
    ['BASE=', inPython('run')],
    ['Lantern', inPython('answer')],
  ],
  'docs/recovery.md': [
    ['', 'not run: needs root and a cluster of its own; test/soak/recovery.ts restores one with these settings'],
  ],
  'docs/scaling.md': [
    ['export DATABASE_URL', 'commands'],
    ['DATABASE_URL', 'commands'],
    ['', 'not run: needs two machines; test/soak/failover.ts loses a primary with a standby'],
  ],
  'docs/sign-in.md': [
    [
      'POST /oauth/token',
      'not run: needs a customer in a browser; src/surfaces/sign-in/sign-in.test.ts sends it and compares the response',
    ],
  ],
  'docs/statements.md': [
    ['npx doorstep', 'run'],
    ['2026-11-03 sale', 'not run: any-moment.test.ts checks journals with hledger'],
  ],
  'docs/tracking.md': [['pmtiles extract', 'not run: downloads a map of the world']],
  'docs/tutorial.md': [
    ['npm ci\n', 'start'],
    ['Doorstep is ready', 'started'],
    ['// receiver.mjs', 'run'],
  ],
  'docs/ucp.md': [
    ['at() {', 'not run: needs a host of its own and a profile; test/ucp/shop-*.test.ts send such calls'],
  ],
  'docs/versioning.md': [
    ['npm install', 'not run: test/release/release.nightly.test.ts installs the package and starts it'],
  ],
  'docs/webhooks.md': [
    ['curl', 'run'],
    ['POST /doorstep', 'not run: the head of a call; test/client/verify-webhook.test.ts verifies calls'],
    ['import base64', SAMPLE],
    ['import (', SAMPLE],
    ['function verify', SAMPLE],
    ['require "openssl"', SAMPLE],
    ['static boo', SAMPLE],
    ['import { Webhook }', 'not run: a part of a program, whose whole the tutorial runs'],
  ],
};

const isAnswerOf = (before: BlockKind | undefined) => before === 'run';

/** The kind of a block; undefined if unclassified. `before` is the kind of the preceding block. */
export function kindOf({ file, language, text }: Block, before: BlockKind | undefined): BlockKind | undefined {
  const named = KINDS[file]?.find(([begins]) => text.startsWith(begins));
  if (named) return named[1];
  if (/^(npx )?doorstep /.test(text)) return 'commands';
  if (language === 'sh') return 'run';
  return isAnswerOf(before) && (language === 'json' || language === '') ? 'answer' : undefined;
}
