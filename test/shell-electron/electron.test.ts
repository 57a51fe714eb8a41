/**
 * The Electron shell in a real Electron: the same suite as the browser's. Needs Electron's runtime and a display.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication } from '@playwright/test';
import { afterAll, beforeAll } from 'vitest';
import { notRunUnless } from '../not-run.ts';
import { pageBehaviours } from '../page/page-suite.ts';

const root = join(import.meta.dirname, '..', '..');

/** Electron's binary, or null where the runtime was not fetched. */
function electronBinary(): string | null {
  const note = join(root, 'node_modules', 'electron', 'path.txt');
  if (!existsSync(note)) return null;
  const binary = join(root, 'node_modules', 'electron', 'dist', readFileSync(note, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

const binary = electronBinary();
const display = Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
const present = binary !== null && display;
const reason = binary === null ? "Electron's runtime is not here" : 'there is no display';
const windowTest = notRunUnless(present, reason, 'electron');

let folder: string;
let app: ElectronApplication;

beforeAll(async () => {
  if (!present) return;
  folder = await mkdtemp(join(tmpdir(), 'touchpoint-electron-'));
  const args = [root, '--data', folder, '--reader', 'none'];
  app = await _electron.launch({ executablePath: binary, args });
});

afterAll(async () => {
  if (!present) return;
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

for (const { title, check } of pageBehaviours) {
  windowTest(`Electron shell: the page ${title}`, async () => {
    const page = await app.firstWindow();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.reload();
    await check({ page, complaints });
  });
}
