/**
 * How tests wait: for an event, a state, a promise or the test's clock, never for a fixed time. A failed
 * test is not retried.
 *
 * Invariants:
 * - Every exception is listed below with its reason and its number, so a file cannot gain one unnoticed.
 * - An entry that is no longer true makes the test fail, too.
 * - Benches measure time and are not checked.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The pattern, searched in the text of a file, including code in strings (pages, child processes). */
const FORBIDDEN = {
  'waits for a time to pass': /\bsetTimeout\b|\bwaitForTimeout\b|\.sleep\(\s*\d/g,
  'bounds a time by the clock on the wall': /expect\(\s*(?:performance|Date)\.now\(\)\s*-/g,
  'tries itself again': /\bretry:\s*[{\d]|--retry\b|\bfor \(let attempt\b/g,
} as const;

type Fault = keyof typeof FORBIDDEN;
/** How often a file may contain it, and why. */
type Allowed = readonly [times: number, why: string];

const CLOCK = 'a clock: how it sleeps';
const POLL = 'polls until a condition holds, in a place without expect.poll';
const QUIET = 'a moment in which nothing may happen, without an event for it';

const ALLOWED: Readonly<Record<Fault, Readonly<Record<string, Allowed>>>> = {
  'waits for a time to pass': {
    'test/chaos/scaled-clock.ts': [1, CLOCK],
    'test/core/real-parts.ts': [1, CLOCK],
    'test/core/delivery/hub/stream.test.ts': [
      4,
      'clocks without waits; an answer that takes a turn of the event loop',
    ],
    'test/core/delivery/outbox/moods.test.ts': [2, 'how many requests a storm would make meanwhile'],
    'test/core/event/webhook/receiver.test.ts': [1, QUIET],
    'test/core/team/destinations/destinations.test.ts': [1, 'how long a kiosk works before it is killed'],
    'test/core/team/destinations/double.ts': [1, 'how late an answer of the destination comes'],
    'test/core/team/destinations/webhook.test.ts': [1, 'how late a receiver answers'],
    'test/earlier-versions/make.ts': [1, `${POLL}; longer than a badge rests; no test`],
    'test/devices/faults/odd-card.ts': [2, 'a card that answers late, as odd cards do'],
    'test/devices/faults/odd-cards-child.ts': [1, 'odd cards laid at odd moments'],
    'test/devices/quick-taps.test.ts': [1, 'cards laid at odd moments'],
    'test/devices/serial/port-at-hand.ts': [1, `${POLL}: the name of the terminal`],
    'test/devices/stub-app.ts': [2, 'a stub of the app: publishes its state ten times a second'],
    'test/hub/destinations-of-processes.test.ts': [1, 'how fast leads come, beside the limit of a CRM'],
    'test/hub/failures/clocks.test.ts': [
      1,
      "messages seconds apart: the platform's clock header has whole seconds",
    ],
    'test/hub/line.ts': [1, 'a slow line: how late a piece arrives'],
    'test/mutations/tests.ts': [1, 'ends a test run that a mutation made endless'],
    'test/packaging/packed-electron/start.ts': [3, "stretches the packed app's bound for its own end"],
    'test/page/page-suite.ts': [1, 'lets the event loop turn once'],
    'test/platform/bad-input.test.ts': [1, 'cuts a request off in its middle'],
    'test/platform/notifications/target.ts': [1, `${POLL}; ${QUIET}`],
    'test/platform/postgres/shared-semaphore.test.ts': [1, 'a spy on the waits of the product'],
    'test/renderer/browser.ts': [1, 'waits for the next frame'],
    'test/renderer/build-renderer.ts': [1, `${POLL}: another worker builds the page`],
    'test/renderer/device/scan.ts': [1, 'silence of the keys, which ends a code'],
    'test/renderer/visitor/attract/attract.test.ts': [1, 'draws the frames of a film'],
    'test/renderer/visitor/screen/display.test.ts': [
      3,
      'a page that reconnects, as the shell does; keys that arrive late, and after a stall',
    ],
    'test/setup/setup.test.ts': [2, 'a program that takes its time'],
    'test/simulation/fleet/hub.ts': [1, "sleeps by the world's clock"],
    'test/virtual-reader/card-process.ts': [1, 'how long a card is held on the reader'],
    'test/virtual-reader/patient-clock.ts': [2, 'a clock ten times slower'],
    'test/virtual-reader/virtual-reader.ts': [1, POLL],
  },
  'bounds a time by the clock on the wall': {
    'test/platform/faults/faults.test.ts': [2, 'the fault is a delay: the answer may not arrive before it'],
    'test/platform/main.test.ts': [2, 'the promise is a time: a stop within a second of the last answer'],
  },
  'tries itself again': {},
};

const here = 'test/setup/waiting.test.ts';
const files = [
  'vite.config.ts',
  'package.json',
  ...readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.startsWith('test/bench/') && path !== here),
];

const FAULTS = Object.keys(FORBIDDEN) as Fault[];

const timesIn = (text: string, fault: Fault): number => text.match(FORBIDDEN[fault])?.length ?? 0;

describe('a test', () => {
  it.each(FAULTS)('may contain code that %s only if it is listed here with a reason', (fault) => {
    const found = files
      .map((path) => ({ path, times: timesIn(readFileSync(join(root, path), 'utf8'), fault) }))
      .filter(({ times }) => times > 0);
    const allowed = Object.entries(ALLOWED[fault]).map(([path, [times]]) => [path, times] as const);
    expect(Object.fromEntries(found.map(({ path, times }) => [path, times]))).toEqual(
      Object.fromEntries(allowed),
    );
  });

  it.each([
    ["import { setTimeout as delay } from 'node:timers/promises';", 'waits for a time to pass'],
    ['await new Promise((resolve) => setTimeout(resolve, 70));', 'waits for a time to pass'],
    ['await page.waitForTimeout(500);', 'waits for a time to pass'],
    ['await realClock.sleep(3_100);', 'waits for a time to pass'],
    ['expect(performance.now() - begun).toBeLessThan(500);', 'bounds a time by the clock on the wall'],
    ["it('the check itself works', { retry: 2 }, () => undefined);", 'tries itself again'],
    ['test: { retry: 1 },', 'tries itself again'],
    ['"test": "vitest run --retry=3"', 'tries itself again'],
    ['for (let attempt = 1; ; attempt += 1) {', 'tries itself again'],
  ] as const)('with the line %s is found', (line, fault) => {
    expect(FAULTS.filter((each) => timesIn(line, each) === 1)).toEqual([fault]);
  });
});
