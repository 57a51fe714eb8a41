/**
 * A Chromium that several processes connect to: `node test/renderer/browser-server.ts '["--switch"]'`
 * prints the address.
 *
 * Invariants:
 * - It exits with the process that started it, because that process's exit closes its input.
 * - It uses Chromium's build without windows if Debian's package of it is installed: the same engine for a fifth less
 *   CPU.
 */
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { browserSwitches, chromiumPath } from './browser.ts';

const withoutWindows = '/usr/bin/chromium-headless-shell';
const switches = JSON.parse(process.argv[2] ?? '[]') as readonly string[];
const server = await chromium.launchServer({
  executablePath: existsSync(withoutWindows) ? withoutWindows : chromiumPath,
  args: [...browserSwitches, ...switches],
  host: '127.0.0.1',
});
server.on('close', () => process.exit());
process.stdin.resume().once('end', () => void server.close());
process.stdout.write(`${server.wsEndpoint()}\n`);
