import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { DEMO_START } from '../../../demo/catalogue.ts';
import { listenForInterruption } from '../interruption.ts';
import { answer, type OutputOptions } from '../output.ts';
import { type AccountOptions, accountOf, withAccountOptions } from './connect.ts';
import type { Door } from './place-sandbox-order.ts';
import { runTrigger } from './run-trigger.ts';
import { TRIGGERS, type Trigger } from './trigger-plans.ts';

const POLL_MS = 500;
/** The simulated store takes a step after 15 seconds where nothing else is set. */
const WAIT_MS = 60_000;

type Options = OutputOptions & AccountOptions & { store?: string; near: Door; list?: true };

/** `doorstep trigger`: an event of a sandbox order, made by a sandbox order. */
export function triggerCommand(): Command {
  const command = new Command('trigger');
  command
    .description('Make the sandbox produce an event: a new sandbox order goes as far as the event needs.')
    .addArgument(new Argument('[event]', 'the event, as --list shows').choices(TRIGGERS))
    .option('--list', 'list the events')
    .option('--store <store_id>', 'order at this store (default: an open restaurant near the coordinate)')
    .addOption(
      new Option('--near <lat,lon>', "the coordinate of the order's door")
        .argParser(parseDoor)
        .default(demoDoor(), "near the demo's diner"),
    )
    .option('--json', 'answer with one JSON document: { event, order_id, events }, or with --list { events }');
  return withAccountOptions(command).action(async (event: Trigger | undefined, options: Options) => {
    if (options.list) return answer(options, { events: TRIGGERS }, TRIGGERS.join('\n'));
    if (event === undefined) return command.error('error: name an event: `doorstep trigger --list` shows them');
    const { signal } = listenForInterruption();
    const triggered = await runTrigger(accountOf(options), event, {
      store: options.store,
      near: options.near,
      signal,
      waitMs: WAIT_MS,
      pollMs: POLL_MS,
    });
    const { order_id: orderId, events } = triggered;
    answer(options, triggered, orderId === null ? `${event} is called.` : `${orderId}  ${events.join(' → ')}`);
  });
}

function demoDoor(): Door {
  return { latitude: DEMO_START.latitude, longitude: DEMO_START.longitude };
}

function parseDoor(text: string): Door {
  const [latitude, longitude, more] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const isDoor = Math.abs(latitude ?? 91) <= 90 && Math.abs(longitude ?? 181) <= 180 && more === undefined;
  if (isDoor && latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  throw new InvalidArgumentError('The value must be a latitude and a longitude, such as 41.8827,-87.6493.');
}
