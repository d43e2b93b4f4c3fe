import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchDatabase } from '../setup.ts';
import type { Changed, ChangeOrder, ChangesDone } from './change-child.ts';

export type Changes = {
  /** Changes stores until the time is over; `onChanged` hears of each batch after its commit. */
  run(order: ChangeOrder, onChanged: (changed: Changed) => void): Promise<ChangesDone & { stores: number }>;
  close(): Promise<void>;
};

export async function startChanges(
  { connectionString, schema }: BenchDatabase,
  { stores, menus }: { stores: number; menus: number },
): Promise<Changes> {
  const args = [connectionString, schema, String(stores), String(menus)];
  const child: ChildProcess = fork(join(import.meta.dirname, 'change-child.ts'), args);
  await once(child, 'message');
  return {
    async run(order, onChanged) {
      let changed = 0;
      const { promise, resolve, reject } = Promise.withResolvers<ChangesDone>();
      const hear = (message: Changed | ChangesDone) => {
        if ('batches' in message) return resolve(message);
        changed += message.stores.length;
        onChanged(message);
      };
      const ended = (status: number | null) => reject(new Error(`The changes ended with ${status}.`));
      child.on('message', hear).once('exit', ended);
      child.send(order);
      const done = await promise;
      child.off('message', hear).off('exit', ended);
      return { ...done, stores: changed };
    },
    async close() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
