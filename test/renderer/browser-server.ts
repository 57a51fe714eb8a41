/**
 * A Chromium that several processes connect to: `node test/renderer/browser-server.ts '["--switch"]'`
 * prints the address.
 *
 * Invariant: it exits with the process that started it, because that process's exit closes its input.
 */
import { chromium } from '@playwright/test';
import { browserSwitches, quickestChromium } from './browser.ts';

const switches = JSON.parse(process.argv[2] ?? '[]') as readonly string[];
const server = await chromium.launchServer({
  executablePath: quickestChromium(),
  args: [...browserSwitches, ...switches],
  host: '127.0.0.1',
});
server.on('close', () => process.exit());
process.stdin.resume().once('end', () => void server.close());
process.stdout.write(`${server.wsEndpoint()}\n`);
