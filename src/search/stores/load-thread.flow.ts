import { parentPort, workerData } from 'node:worker_threads';
import { COMPACTION_LIMITS, SegmentMemory, Writer } from 'doorstep/search-engine';
import { openPool } from '../../platform/db/connect.ts';
import { type LoadData, type LoadMessage, loadStores } from './load-stores.flow.ts';

/** A thread that loads all stores of a database and then ends; a failure ends it with its error. */
const { connectionString, schema } = workerData as LoadData;
const post = (message: LoadMessage) => parentPort?.postMessage(message);
const pool = openPool({ connectionString, schema, max: 1, applicationName: 'doorstep-cold-load' });
const writer = new Writer(new SegmentMemory(0), COMPACTION_LIMITS);
const { seq } = await loadStores(pool, writer, { onProgress: () => post('progress') });
post({ segments: writer.snapshot().map(({ segment: { data }, role }) => ({ role, data })), seq });
await pool.end();
