/**
 * The start of an installed Touchpoint with the browser shell, on the Node.js of its package.
 *
 * Invariant: only this program is loaded before the files of the package are verified.
 */
import { fileURLToPath } from 'node:url';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { helpText, parseOptions } from './options.ts';
import { endRefused } from './refused.ts';
import { refuseAltered } from './seal.ts';

async function main(args: readonly string[]): Promise<void> {
  const parsed = parseOptions(args, process.env, 'set-up');
  if (parsed.kind === 'help') {
    process.stdout.write(helpText);
    return;
  }
  if (parsed.kind === 'wrong') throw new StartRefusal('options', parsed.sentence);
  if (parsed.options.shell === 'electron') {
    throw new StartRefusal('options', 'This package shows Touchpoint in a browser; leave --shell out.');
  }
  if (parsed.options.autostart !== null) {
    throw new StartRefusal(
      'options',
      'This package starts with the machine by its units (docs/kiosk.md); leave --autostart out.',
    );
  }
  if (parsed.options.updates !== null) {
    throw new StartRefusal('options', 'This package is updated by apt; leave --updates out.');
  }
  refuseAltered(fileURLToPath(new URL('../../', import.meta.url)));
  const { runBrowserShell } = await import('./browser-start.ts');
  const { packedTree } = await import('./tree.ts');
  await runBrowserShell(parsed.options, packedTree());
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  endRefused(error);
}
