/** A platform with its notifiers on a clock that the test controls. */
import { onTestFinished } from 'vitest';
import { callTarget } from '../../../src-platform/notifications/call.ts';
import { isAnyCallable } from '../../../src-platform/notifications/deliveries.ts';
import { createNotifier, type Notifier } from '../../../src-platform/notifications/notifier.ts';
import { systemResolve } from '../../../src-platform/notifications/target.ts';
import { expos } from '../../../src-platform/resources/expos.ts';
import { shapeOf } from '../../../src-platform/resources/resource.ts';
import { demoKey } from '../../../src-platform/seed/demo.ts';
import { newId } from '../../../src-platform/serve.ts';
import { withContents } from '../../../src-platform/store/expo.ts';
import { putRecord } from '../../../src-platform/store/records.ts';
import type { Store } from '../../../src-platform/store/store.ts';
import { type RunningPlatform, startPlatform } from '../running-platform.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { until } from './target.ts';

export type NotifiedPlatform = RunningPlatform & {
  readonly clock: ManualClock;
  /** Errors that occurred inside a notifier. */
  readonly defects: readonly unknown[];
  /** Starts a notifier, as a process does when it starts. */
  readonly notify: (store: Store, target?: Partial<Parameters<typeof callTarget>[0]>) => Notifier;
  /** Creates a webhook and returns its id. */
  readonly addWebhook: (type: string, url: string) => Promise<string>;
  readonly webhook: (id: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly change: (id: string, changes: object) => Promise<void>;
  /** Writes a new record of a kind. */
  readonly touch: (kind: string) => Promise<void>;
  /** Waits until the webhook counts this many failed calls since the last success. */
  readonly failed: (id: string, count: number) => Promise<void>;
  /** Waits until no call is due at the clock's current time and none is in progress. */
  readonly quiet: () => Promise<void>;
};

const expo = 'AD2026';

/** A minimal event: partners to read page by page, a visitor, a content, an activity. */
const fill = (store: Store): Promise<void> =>
  store.write(async (write) => {
    await putRecord(write, shapeOf(expos), expo, {
      id: expo,
      name: 'Automation Days',
      contentManagement: withContents,
      discoverUrl: 'https://discover.example',
    });
    const kinds = ['visitor', 'content', 'activity', ...Array.from({ length: 9 }, () => 'partner')];
    for (const [index, kind] of kinds.entries()) {
      await putRecord(write, { kind, basic: ['id', 'expoID'], detail: [] }, expo, { id: `R${index}` });
    }
  });

/** Writes a minimal new record of a kind. */
const touchIn = (store: Store, kind: string): Promise<void> =>
  store.write(async (write) => {
    const shape = { kind, basic: ['id', 'visitorID', 'expoID'], detail: [] };
    const id = kind === 'participant' ? { visitorID: newId() } : { id: newId() };
    await putRecord(write, shape, expo, { ...id, expoID: expo });
  });

const isQuiet = async ({ db }: Store, now: number): Promise<boolean> => {
  const claimed = await db
    .selectFrom('webhook_delivery')
    .select('claim')
    .where('claim', 'is not', null)
    .execute();
  return claimed.length === 0 && !(await isAnyCallable(db, BigInt(now)));
};

/** Starts a platform with one event. Its notifiers start with it, unless `quiet` is set. */
export const startNotified = async ({
  quiet = false,
  allowPrivateTargets = true,
} = {}): Promise<NotifiedPlatform> => {
  const clock = createManualClock();
  const platform = await startPlatform({
    seed: 'empty',
    now: () => new Date(clock.now()),
    allowPrivateTargets,
  });
  await fill(platform.store);
  await platform.makeKey(demoKey, { canWrite: true, connections: true });
  const { request } = platform;
  const defects: unknown[] = [];
  const notifiers: Notifier[] = [];
  onTestFinished(async () => {
    await Promise.all(notifiers.map((notifier) => notifier.stop()));
    await platform.stop();
  });
  const notify = (store: Store, more: Partial<Parameters<typeof callTarget>[0]> = {}): Notifier => {
    const ports = { clock, resolve: systemResolve, allowPrivateTargets, ...more };
    const call = (target: Parameters<typeof callTarget>[1], signal: AbortSignal) =>
      callTarget(ports, target, signal);
    const notifier = createNotifier({ store, clock, call, newId, onDefect: (error) => defects.push(error) });
    notifiers.push(notifier);
    notifier.start();
    return notifier;
  };
  const webhook = async (id: string) => (await request('GET', `/webhooks/${expo}/${id}`)).json;
  if (!quiet) for (const store of platform.stores) notify(store);
  return {
    ...platform,
    clock,
    defects,
    notify,
    webhook,
    addWebhook: async (type, url) => {
      const answer = await request('POST', `/webhooks/${expo}`, { body: { type, url } });
      if (answer.status !== 200) throw new Error(`A webhook was refused: ${answer.text}`);
      return answer.json.id;
    },
    change: async (id, changes) => {
      const body = { ...(await webhook(id)), ...changes };
      const answer = await request('PUT', `/webhooks/${expo}/${id}`, { body });
      if (answer.status !== 200) throw new Error(`A change was refused: ${answer.text}`);
    },
    touch: (kind) => touchIn(platform.store, kind),
    quiet: () => until('no call is due or in progress', () => isQuiet(platform.store, clock.now())),
    failed: (id, count) => until(`${count} calls failed`, async () => (await webhook(id)).attempts === count),
  };
};
