import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { createMetrics } from '../lib/metrics.ts';
import { createCountUnavailable } from './unavailable.ts';

test('time-outs and used-up connections count as standby while commits wait for one, other causes never', async () => {
  const metrics = createMetrics();
  let commitsWait = async () => true;
  const count = createCountUnavailable(metrics, {} as never, () => commitsWait());
  const counted = async () => {
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('doorstep_unavailable_total'));
    return lines
      .map((line) => /"(\w+)"\} (\d+)$/.exec(line)?.slice(1).join(' '))
      .filter((each) => !each?.endsWith(' 0'));
  };
  const becomes = (expected: string) => until(expected, async () => (await counted()).sort().join(', ') === expected);
  for (const cause of ['timeout', 'timeout', 'connections', 'disk']) count(cause);
  await becomes('disk 1, standby 3');
  commitsWait = async () => false;
  count('timeout');
  await becomes('disk 1, standby 3, timeout 1');
  commitsWait = () => Promise.reject(new Error('the database is away'));
  count('connections');
  await becomes('connections 1, disk 1, standby 3, timeout 1');
});
