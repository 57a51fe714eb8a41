/** The example of packages/api-client/README.md, run as a reader would run it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ownFolder } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';

const EXAMPLE = join(import.meta.dirname, '../../packages/api-client/example/list-visitors.ts');

it('the example lists the visitors of the demo event, and says what is wrong with an event that is none', async () => {
  const platform = await createPlatformProcess(join(ownFolder(), 'platform'));
  await platform.start();
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [EXAMPLE, platform.baseUrl, platform.expoId]);
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toBe('Automation Days 2026 (Europe/Zurich)');
  expect(lines).toContain('Amélie Beaumont, Ateliers du Rhône');
  expect(stdout).toMatch(/\n\d{3} registered visitors\nThe platform's clock is -?\d+ ms ahead of ours\.\n$/);
  await expect(run(process.execPath, [EXAMPLE, platform.baseUrl, 'NOPE'])).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('"pause":"noEvent"') as string,
  });
});
