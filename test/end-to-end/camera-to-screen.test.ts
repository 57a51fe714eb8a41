/**
 * A stand that is set up only by its file: pictures on the screen, a QR code in front of the camera, a captured tap.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startApp } from '../launch/running-app.ts';
import { fakeCamera, openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { writeFilm } from '../renderer/visitor/camera/camera-film.ts';

it('the app shows the pictures of the stand and captures a code that a visitor holds in front of the camera', {
  timeout: 120_000,
}, async () => {
  await buildRenderer();
  const folder = await mkdtemp(join(tmpdir(), 'touchpoint-camera-to-screen-'));
  const film = join(folder, 'film.y4m');
  writeFilm(film, [{ code: '04A1B2C3D4E5F6', seconds: 1 }]);
  const browser = await startBrowser([...fakeCamera, `--use-file-for-fake-video-capture=${film}`]);
  const painter = await browser.newPage({ viewport: { width: 800, height: 450 } });
  await painter.setContent('<body style="background:teal">');
  const data = join(folder, 'data');
  await mkdir(join(data, 'films'), { recursive: true });
  await writeFile(join(data, 'films', 'robot.png'), await painter.screenshot());
  const stand = {
    attract: 'films',
    screen: { reach: 'usual', contrast: 'usual', text: 'usual', camera: true },
  };
  await writeFile(join(data, 'stand.json'), JSON.stringify(stand));

  const app = startApp(data);
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const size = { name: 'laptop', width: 1280, height: 800 };
  const { page, complaints } = await openPage(browser, address, { size, language: 'en' });
  await waitFor(page, '.loop-layer[data-shown="true"]');
  await page.getByRole('button', { name: 'Scan a QR code' }).click();
  await waitFor(page, '.display[data-view="captured"]');
  expect(await page.locator('.loop, .camera').count()).toBe(0);
  expect(complaints).toEqual([]);

  await browser.close();
  app.child.kill('SIGTERM');
  await app.ended;
  await rm(folder, { recursive: true, force: true });
});
