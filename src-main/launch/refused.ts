/** The exit codes of a start that was refused or failed, and of a defect. */
import { StartRefusal } from '../core/foundations/refusal.ts';

/** The exit code after a defect (EX_SOFTWARE of sysexits.h). `npm start` then restarts the app (`setup/restarts.mjs`). */
export const DEFECT_CODE = 70;

/**
 * A defect for the log: its name, its code and where it was thrown. The message is left out, because it may quote a name of
 * a lead or a token (docs/laws.md#law-9).
 */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  const lines = (error.stack ?? '').split('\n');
  const end = lines.findLastIndex((line) => !line.startsWith('    at '));
  return [`${error.name}${code}`, ...lines.slice(end + 1)].join('\n');
}

/** Prints the reason of a refusal and ends with code 2; prints the stack of any other error and ends with code 1. */
export function endRefused(error: unknown): never {
  const refused = error instanceof StartRefusal;
  process.stderr.write(`${refused ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(refused ? 2 : 1);
}
