import type { Deps } from '../../src/app/wiring/deps.ts';
import type { World } from './base-world.ts';
import type { Chance } from './chance.ts';
import type { Machine } from './simulated-machine.ts';
import type { SimulatedNode } from './simulated-node.ts';

export type Request = {
  path: string;
  body: object;
  key: string;
  idempotencyKey?: string | null | undefined;
  /** Maximum attempts without a response. */
  tries?: number;
};

/** A response as a client receives it; status 0: the connection was lost. */
// biome-ignore lint/suspicious/noExplicitAny: a client reads what it expects of an answer
export type Answer = { status: number; body: Record<string, any>; headers: Readonly<Record<string, unknown>> };

export type Clients = {
  world: World;
  /** Retries a request until it is answered, with the same key, at any live node. */
  insist(request: Request): Promise<Answer>;
  /** A page's requests at any live node, while that lives; an error or a lost response ends it. */
  visit(task: (deps: Deps) => Promise<unknown>): Promise<void>;
  pause(ms: number): Promise<void>;
  nodeDied(node: SimulatedNode): void;
  /** Server errors without a fault injected at their node. */
  faults: string[];
};

const LOST: Answer = { status: 0, body: {}, headers: {} };
const MAX_TRIES = 5;
const CLIENTS = { name: 'clients', isAlive: true, troubles: 0 };

export type ClientsOptions = {
  world: World;
  machine: Machine;
  chance: Chance;
  nodes(): readonly SimulatedNode[];
  /** Probability that a response is lost on its way to the client. */
  lossRate(): number;
};

export function createClients({ world, machine, chance, nodes, lossRate }: ClientsOptions): Clients {
  const open = new Map<SimulatedNode, Set<() => void>>();
  const faults: string[] = [];
  const pause = (ms: number) =>
    machine.runAs(CLIENTS, () => new Promise<void>((resolve) => void setTimeout(resolve, ms)));

  /** Runs a task at a node; undefined if the node dies first. */
  async function reach<Result>(node: SimulatedNode, task: () => Promise<Result>): Promise<Result | undefined> {
    const { promise: lost, resolve: lose } = Promise.withResolvers<undefined>();
    const connections = open.get(node) ?? new Set();
    open.set(node, connections);
    const drop = () => lose(undefined);
    connections.add(drop);
    const result = await Promise.race([machine.runAs(node.owner, task), lost]);
    connections.delete(drop);
    return result;
  }

  async function send({ path, body, key, idempotencyKey }: Request): Promise<Answer> {
    const alive = nodes();
    if (alive.length === 0) return LOST;
    const node = chance.pick(alive);
    const { troubles } = node.owner;
    const headers = { 'id-token': key, ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}) };
    const ask = () => node.http.inject({ method: 'POST', url: path, payload: body, headers }).then(readReply);
    const answer = (await reach(node, ask)) ?? LOST;
    if (answer.status === 500 && node.owner.troubles === troubles)
      faults.push(`${path}: ${JSON.stringify(answer.body)}`);
    return chance.happens(lossRate()) ? LOST : answer;
  }
  return {
    world,
    faults,
    pause,
    async visit(task) {
      const alive = nodes();
      if (alive.length === 0) return;
      const node = chance.pick(alive);
      await reach(node, () => task(node.deps).catch(() => undefined));
    },
    async insist(request) {
      for (let tries = request.tries ?? MAX_TRIES; ; tries -= 1) {
        const answer = await send(request);
        const isOver = answer.status !== 0 && answer.status < 500 && answer.headers['retry-after'] === undefined;
        if (isOver || tries <= 1) return answer;
        await pause(200 + chance.below(3000));
      }
    },
    nodeDied(node) {
      for (const drop of open.get(node) ?? []) drop();
      open.delete(node);
    },
  };
}

function readReply(reply: { statusCode: number; headers: object; body: string }): Answer {
  const headers = reply.headers as Answer['headers'];
  const isJson = /json/.test(String(headers['content-type']));
  return { status: reply.statusCode, headers, body: isJson ? JSON.parse(reply.body) : {} };
}
