/** The exit codes after a refused start, a failed start, and a defect. */
import { StartRefusal } from '../core/foundations/refusal.ts';
import { whyOf } from '../core/foundations/trace.ts';

/** The exit code after a defect (EX_SOFTWARE of sysexits.h). `npm start` then restarts the app (`setup/restarts.mjs`). */
export const DEFECT_CODE = 70;

/** Prints the reason of a refusal and ends with code 2; prints the trace of any other error and ends with code 1. */
export function endRefused(error: unknown): never {
  const refused = error instanceof StartRefusal;
  process.stderr.write(`${refused ? error.message : whyOf(error)}\n`);
  process.exit(refused ? 2 : 1);
}
