/**
 * The set-up of a test run, once before its workers start.
 *
 * Invariants:
 * - All workers of a run share one seed, even if the commit changes in the meantime.
 * - Everything that starts here ends with the run.
 */
import { shareBrowsers } from './renderer/shared-browsers.ts';
import { runSeed } from './thoroughness.ts';

/** Called by vitest. Returns the function that vitest calls at the end. */
// biome-ignore lint/style/noDefaultExport: vitest takes a set-up with its end from the default export.
export default async function setUp(): Promise<() => Promise<void>> {
  process.env.TOUCHPOINT_SEED = String(runSeed());
  const browsers = await shareBrowsers();
  process.env.TOUCHPOINT_BROWSERS = browsers.address;
  return browsers.close;
}
