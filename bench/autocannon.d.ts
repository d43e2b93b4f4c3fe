/** Types for the part of autocannon that the benches use; the package has none. */
declare module 'autocannon' {
  export type Request = { method?: 'GET' | 'POST'; path?: string; headers?: Record<string, string>; body?: string };
  export type Options = Request & {
    url: string;
    connections?: number;
    /** Seconds. */
    duration?: number;
    requests?: Request[];
  };
  export type Result = {
    duration: number;
    '2xx': number;
    requests: { average: number; total: number };
    latency: { p50: number; p99: number };
    throughput: { average: number };
    errors: number;
    timeouts: number;
    non2xx: number;
  };
  export default function autocannon(options: Options): Promise<Result>;
}
