/** How a start ends that could not be. */
import { StartRefusal } from '../core/foundations/refusal.ts';

/** Says why in one sentence and ends with code 2; a defect says where, and ends with code 1. */
export function endRefused(error: unknown): never {
  const refused = error instanceof StartRefusal;
  process.stderr.write(`${refused ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(refused ? 2 : 1);
}
