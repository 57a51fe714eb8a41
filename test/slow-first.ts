/**
 * Orders the test files: slow files come first, so that the run does not end with one worker on a slow file.
 *
 * Invariant: it only decides the order. Every file runs.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than half a minute, slowest first. */
const SLOW = [
  'test/renderer/screens/screens.test.ts',
  'test/platform/postgres/suite.test.ts',
  'test/renderer/screens/comfort-screens.test.ts',
  'test/hub/https/https.test.ts',
  'test/renderer/visitor/camera/camera.test.ts',
  'test/renderer/visitor/session/session-display.test.ts',
  'test/chaos/chaos.test.ts',
  'test/packaging/electron-packages.test.ts',
  'test/renderer/staff/leads.test.ts',
  'test/end-to-end/setup-to-lead.test.ts',
  'test/core/stand/visit/platform.test.ts',
  'test/hub/fleet-load.test.ts',
  'test/core/journal/recovery/kill-points.test.ts',
  'test/simulation/fleet.test.ts',
  'test/shell-electron/shell.test.ts',
  'test/end-to-end/evening.test.ts',
  'test/devices/virtual-driver.test.ts',
  'test/launch/start.test.ts',
  'test/renderer/visitor/screen/display.test.ts',
  'test/simulation/simulation.test.ts',
  'test/packaging/kiosk-package.test.ts',
  'test/chaos/moods.test.ts',
  'test/devices/recovery.test.ts',
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
