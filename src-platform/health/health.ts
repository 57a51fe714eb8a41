/**
 * Monitoring: `/health/live`, `/health/ready`, `/metrics`, and one log line per request. A hub logs only requests that
 * were refused, failed or slow, because polling devices would rotate everything else out of its log in minutes.
 *
 * Invariant: the output contains no key, no query and no personal data. Routes appear as patterns, never with ids.
 */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Semaphore } from '../http/semaphore.ts';
import type { Store } from '../store/store.ts';

/** A metric of a hub. `values`: one number, or one for each value of `label`. */
export type Figure = {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly values: number | Readonly<Record<string, number>>;
};

/** The additions of a hub to health and metrics. */
export type HubMonitoring = {
  readonly upstream: () => { readonly state: string };
  /** If absent, there are no further metrics. */
  readonly figures?: () => Promise<readonly Figure[]>;
};

/** The text format of Prometheus. */
function figureText({ name, help, label, values }: Figure): string {
  const lines =
    typeof values === 'number'
      ? [`${name} ${values}`]
      : Object.entries(values).map(([value, number]) => `${name}{${label}="${value}"} ${number}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ''].join('\n');
}

/** A hub logs a request that took at least this many seconds. */
const slow = 1;

function addMetrics(
  app: FastifyInstance,
  store: Store,
  semaphore: Semaphore,
  hub: HubMonitoring | undefined,
): void {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const durations = new Histogram({
    name: 'platform_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  });
  new Gauge({
    name: 'platform_slots_in_use',
    help: 'Requests in flight, over all keys',
    registers: [register],
    collect() {
      this.set(semaphore.inUse());
    },
  });
  new Gauge({
    name: 'platform_revision',
    help: 'The last revision that was given out',
    registers: [register],
    async collect() {
      const row = await store.db.selectFrom('counter').select('value').executeTakeFirst();
      this.set(Number(row?.value ?? 0n));
    },
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const seconds = reply.elapsedTime / 1000;
    durations.observe({ method: request.method, route, status: reply.statusCode }, seconds);
    if (hub !== undefined && reply.statusCode < 400 && seconds < slow) return;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method: request.method, route, status: reply.statusCode, ms }, 'Answered');
  });
  app.get('/metrics', async (_request, reply) => {
    const figures = (await hub?.figures?.()) ?? [];
    const text = [await register.metrics(), ...figures.map(figureText)].join('\n');
    return reply.type(register.contentType).send(text);
  });
}

/** Adds health, readiness and metrics to a server. */
export function addHealth(
  app: FastifyInstance,
  store: Store,
  semaphore: Semaphore,
  hub?: HubMonitoring,
): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (request, reply) => {
    if (isStopping) return reply.code(503).send({ status: 'stopping' });
    try {
      await sql`select value from counter`.execute(store.db);
      return { status: 'ready', ...(hub === undefined ? {} : { upstream: hub.upstream().state }) };
    } catch (error) {
      request.log.error({ err: error }, 'The database does not answer');
      return reply.code(503).send({ status: 'no database' });
    }
  });
  addMetrics(app, store, semaphore, hub);
}
