import type { CardBreaker, Mode } from './types.ts';

export type Health = {
  now: number;
  queues: { queue: string; waiting: number; failing: number; due_since: number | null; last_error: string | null }[];
  jobs: { job: string; waiting: number; retrying: number; running: number; failed: number; due_since: number | null }[];
  failing_channels: {
    store_id: string;
    store_name: string;
    channel: string;
    target: string | null;
    failing_since: number;
    last_error: string | null;
  }[];
  unreached_stores: { store_id: string; store_name: string; channels: string[] }[];
  silent_stores: { store_id: string; store_name: string; offered_since: number }[];
  undeclared_proxies: string[];
  failing_endpoints: {
    account_id: string;
    account_name: string;
    mode: Mode;
    enabled: boolean;
    failing_since: number | null;
  }[];
  used_up_budgets: {
    account_id: string;
    account_name: string;
    mode: Mode;
    budget: string;
    used: number;
    limit: number;
  }[];
  card_breakers: CardBreaker[];
  parties: { party: string; is_configured: boolean; last_error: string | null }[];
  database: {
    migrations: number;
    last_migration: string;
    migrated_at: number;
    bytes: number;
    connections: number;
    max_connections: number;
  } | null;
  disk: { free_bytes: number; total_bytes: number } | null;
};

export type ImportRun = {
  run_no: number;
  source: string;
  format: string;
  started_at: number;
  finished_at: number | null;
  counts: Record<string, unknown>;
  error_count: number;
  warning_count: number;
};
export type ImportFault = { file?: string; line: number; path: string; message: string };
