/**
 * Orders the test files: slow files come first, so that the run does not end with one worker on a slow file.
 *
 * Invariant: it only decides the order. Every file runs.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take about a minute, or run alone for long; the slowest first. */
const SLOW = [
  'test/hub/https/https.test.ts',
  'test/renderer/screens/screens.test.ts',
  'test/renderer/staff/leads.test.ts',
  'test/chaos/chaos.test.ts',
  'test/shell-electron/shell.test.ts',
  'test/launch/start.test.ts',
  'test/renderer/screens/comfort-screens.test.ts',
  'test/renderer/visitor/session/session-display.test.ts',
  'test/renderer/visitor/camera/camera.test.ts',
  'test/end-to-end/sheet-to-screen.test.ts',
  'test/hub/team/forgotten.test.ts',
  'test/hub/failures/returned.test.ts',
  'test/hub/failures/slow-hall.test.ts',
  'test/hub/processes.test.ts',
  'test/core/stand/visit/platform.test.ts',
  'test/core/team/recognition/recognition.test.ts',
  'test/packaging/electron-packages.test.ts',
  'test/packaging/kiosk-package.test.ts',
  'test/hub/https/second-address.test.ts',
  'test/sharing/sharing.test.ts',
  'test/end-to-end/sharing.test.ts',
  'test/hub/fleet-load.test.ts',
  'test/end-to-end/crm-at-hub.test.ts',
  'test/renderer/screens/reflow.test.ts',
  'test/hub/three-kiosks.test.ts',
  'test/core/journal/recovery/kill-points.test.ts',
  'test/simulation/fleet.test.ts',
  'test/simulation/simulation.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const found = SLOW.findIndex((file) => moduleId.endsWith(file));
  return found === -1 ? SLOW.length : found;
};

/** Vitest's own order, with the slow files moved to the front. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
