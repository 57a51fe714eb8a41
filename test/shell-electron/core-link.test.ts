/**
 * Supervision of the core's process: restarts, their limit, and the processes that end with it. The test controls the
 * clock.
 */
import { expect, test } from 'vitest';
import type { CoreLink } from '../../src-main/shell-electron/core-link.ts';
import { createCoreLink } from '../../src-main/shell-electron/core-link.ts';
import type { HelperProcess } from '../../src-main/shell-electron/helper-process.ts';
import type { KeychainAnswer } from '../../src-main/shell-electron/keychain/keychain-messages.ts';

type FakeHelper = HelperProcess & {
  readonly sent: unknown[];
  readonly say: (message: unknown) => void;
  readonly die: (how: string) => void;
  readonly ended: boolean[];
};

function helper(): FakeHelper {
  const hears: ((message: unknown) => void)[] = [];
  const exits: ((how: string) => void)[] = [];
  const sent: unknown[] = [];
  const ended: boolean[] = [];
  return {
    sent,
    ended,
    send: (message) => void sent.push(message),
    onMessage: (hear) => void hears.push(hear),
    onLine: () => undefined,
    onExit: (hear) => void exits.push(hear),
    end: (force) => void ended.push(force),
    say: (message) => {
      for (const hear of hears) hear(message);
    },
    die: (how) => {
      for (const hear of exits) hear(how);
    },
  };
}

function link() {
  let now = 0;
  let waiting: { readonly until: number; readonly wake: () => void } | null = null;
  const cores: FakeHelper[] = [];
  const children: FakeHelper[] = [];
  const told: unknown[] = [];
  const asked: unknown[] = [];
  const answers: ((answer: KeychainAnswer) => void)[] = [];
  const core: CoreLink = createCoreLink({
    clock: {
      now: () => now,
      monotonic: () => now,
      sleep: (ms) => new Promise((wake) => (waiting = { until: now + ms, wake })),
    },
    fork: () => {
      const made = helper();
      cores.push(made);
      return made;
    },
    forkChild: () => {
      const made = helper();
      children.push(made);
      return made;
    },
    askKeychain: (ask, answer) => {
      asked.push(ask);
      answers.push(answer);
    },
    begin: { kind: 'start' } as never,
    events: {
      ready: (lines) => told.push(['ready', ...lines]),
      refused: (sentence, again) => told.push(['refused', sentence, again]),
      down: (how, waitMs) => told.push(['down', how, waitMs]),
      said: (message) => told.push(message),
    },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    core,
    cores,
    children,
    told,
    turn,
    asked,
    answers,
    die: async (how: string) => {
      cores.at(-1)?.die(how);
      await turn();
    },
    pass: async (ms: number) => {
      now += ms;
      if (waiting !== null && waiting.until <= now) waiting.wake();
      await turn();
    },
  };
}

test('restarts the core at once up to three times a minute, and a fourth time when the minute is over', async () => {
  const { core, cores, told, die, pass } = link();
  void core.run();
  for (let death = 0; death < 4; death += 1) {
    await die('code 9');
    await pass(5_000);
  }
  expect(told).toEqual([
    ...[0, 0, 0].map((waitMs) => ['down', 'code 9', waitMs]),
    ['down', 'code 9', 45_000],
  ]);
  expect(cores).toHaveLength(4);
  await pass(39_999);
  expect(cores).toHaveLength(4);
  await pass(1);
  expect(cores).toHaveLength(5);
});

test('ends the helpers of a core with it, and forwards none of their messages to the next core', async () => {
  const { core, cores, children, die } = link();
  void core.run();
  cores[0]?.say({ kind: 'spawn', child: 1, program: 'reader', args: [] });
  cores[0]?.say({ kind: 'child-said', child: 1, message: 'hello' });
  expect(children[0]?.sent).toEqual(['hello']);
  children[0]?.say('a badge');
  expect(cores[0]?.sent).toContainEqual({ kind: 'child-said', child: 1, message: 'a badge' });
  await die('code 9');
  expect(children[0]?.ended).toEqual([true]);
  children[0]?.say('late');
  children[0]?.die('killed');
  expect(cores[1]?.sent).toEqual([{ kind: 'start' }]);
});

test('a refusal at the first start ends the app, but a later one is retried', async () => {
  const first = link();
  const ended = first.core.run();
  first.cores[0]?.say({ kind: 'refused', sentence: 'The disk is full.' });
  expect(first.cores[0]?.ended).toEqual([true]);
  await first.die('killed');
  await ended;
  expect(first.told).toEqual([['refused', 'The disk is full.', false]]);

  const later = link();
  void later.core.run();
  later.cores[0]?.say({ kind: 'ready', lines: [] });
  await later.die('code 9');
  later.cores[1]?.say({ kind: 'refused', sentence: 'The disk is full.' });
  await later.die('killed');
  expect(later.told.slice(2)).toEqual([
    ['refused', 'The disk is full.', true],
    ['down', 'killed', 0],
  ]);
  expect(later.cores).toHaveLength(3);
});

test('does not restart a core that was asked to stop', async () => {
  const { core, cores, told, die } = link();
  const ended = core.run();
  core.stop(false);
  expect(cores[0]?.sent).toContainEqual({ kind: 'stop' });
  await die('code 0');
  await ended;
  expect([cores.length, told]).toEqual([1, []]);
});

test('only the core can ask the keychain, and the answer goes to the core that asked', async () => {
  const { core, cores, children, asked, answers, die } = link();
  void core.run();
  cores[0]?.say({ kind: 'spawn', child: 1, program: 'reader', args: [] });
  // A helper's message is forwarded as a message of that helper.
  children[0]?.say({ kind: 'keychain', ask: { id: 7, what: 'status' } });
  expect(asked).toEqual([]);
  cores[0]?.say({ kind: 'keychain', ask: { id: 1, what: 'status' } });
  expect(asked).toEqual([{ id: 1, what: 'status' }]);
  await die('code 9');
  answers[0]?.({ id: 1, what: 'status', status: 'there' });
  expect(cores[1]?.sent).toEqual([{ kind: 'start' }]);
  // A core that has ended sends no requests.
  cores[0]?.say({ kind: 'keychain', ask: { id: 2, what: 'status' } });
  expect(asked).toHaveLength(1);
});
