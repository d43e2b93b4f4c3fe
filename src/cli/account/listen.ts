import { Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../lib/clock.ts';
import { ORDER_EVENT_TYPES, type OrderEventType } from '../../orders/order.ts';
import { listenForInterruption } from '../interruption.ts';
import { writePart } from '../output.ts';
import { type AccountOptions, accountOf, withAccountOptions } from './connect.ts';
import { type ListenOptions, runListen } from './run-listen.ts';

/** Events are in the answer of the service half a second after their step. */
const POLL_MS = 1000;
const HELP = `
A service that restarts is waited for: each event is shown once. Events from before the start are not shown. What is
posted is not tried again. The signing secret is always the same for a key.`;

/** `doorstep listen`: the events of an account, on a machine that no webhook call reaches. */
export function listenCommand(): Command {
  const command = new Command('listen')
    .description('Show the events of an account as they come, and post them to a local URL as webhook calls.')
    .option('--forward-to <url>', 'post each event there, signed, such as http://localhost:3000/webhooks', parseUrl)
    .option('--events <list>', `only these events: ${ORDER_EVENT_TYPES.join(', ')}`, parseEvents)
    .option('--secret <secret>', 'sign with this secret (whsec_…) instead of one made from the key', parseSecret)
    .addHelpText('after', HELP)
    .option(
      '--json',
      'write one JSON document a line: { url, mode, signing_secret, forward_to }, then { event, forwarded? } for each event',
    );
  return withAccountOptions(command).action(async (options: ListenOptions & AccountOptions) => {
    await runListen(accountOf(options), options, {
      clock: systemClock,
      signal: listenForInterruption().signal,
      write: writePart,
      pollMs: POLL_MS,
      tell: (sentence) => process.stderr.write(`${sentence}\n`),
    });
  });
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return text;
  throw new InvalidArgumentError('The value must be an http or https URL.');
}

function parseEvents(text: string): OrderEventType[] {
  return text.split(',').map((word) => {
    const type = ORDER_EVENT_TYPES.find((known) => known === word.trim());
    if (!type) throw new InvalidArgumentError(`An event is one of ${ORDER_EVENT_TYPES.join(', ')}.`);
    return type;
  });
}

function parseSecret(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('A signing secret is whsec_ and base64.');
}
