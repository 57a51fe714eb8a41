/** The end of a start that was refused or failed. */
import { StartRefusal } from '../core/foundations/refusal.ts';

/** Prints the reason of a refusal and ends with code 2; prints the stack of any other error and ends with code 1. */
export function endRefused(error: unknown): never {
  const refused = error instanceof StartRefusal;
  process.stderr.write(`${refused ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(refused ? 2 : 1);
}
