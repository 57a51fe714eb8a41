/**
 * A real voice: Chromium passes the screen's text to Debian's speech-dispatcher, and espeak-ng synthesises it.
 *
 * If either is missing, the test reports that it did not run.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterEach, expect } from 'vitest';
import { notRunUnless } from '../../../not-run.ts';
import { browserSwitches, chromiumPath, waitFor } from '../../browser.ts';
import { buildRenderer } from '../../build-renderer.ts';
import { captured } from '../../device/captured.ts';
import { openScriptedDevice } from '../../device/scripted-device.ts';

const needed = ['/usr/bin/speech-dispatcher', '/usr/lib/speech-dispatcher-modules/sd_espeak-ng'];
const voiceTest = notRunUnless(
  needed.every((file) => existsSync(file)),
  'speech-dispatcher or espeak-ng is not installed',
  'voice',
);

const patient = { timeout: 30_000 };
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A private speech-dispatcher in `folder`, whose sound is discarded: no machine needs a loudspeaker. */
async function setUpVoice(folder: string): Promise<Readonly<Record<string, string>>> {
  const config = join(folder, 'config/speech-dispatcher');
  await mkdir(config, { recursive: true });
  await mkdir(join(folder, 'run'), { mode: 0o700 });
  await writeFile(
    join(config, 'speechd.conf'),
    'AudioOutputMethod "libao"\nAddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"\nDefaultModule espeak-ng\nTimeout 1\n',
  );
  await writeFile(join(folder, '.libao'), 'default_driver=null\n');
  return { XDG_CONFIG_HOME: join(folder, 'config'), XDG_RUNTIME_DIR: join(folder, 'run'), HOME: folder };
}

/** Runs in the page: records which utterances started and which ended. */
const listening = `
  globalThis.heard = [];
  const { speak } = SpeechSynthesis.prototype;
  SpeechSynthesis.prototype.speak = function (utterance) {
    for (const event of ['start', 'end', 'error'])
      utterance.addEventListener(event, () => heard.push(event + ': ' + utterance.text));
    return speak.call(this, utterance);
  };
`;

voiceTest(
  'a tap is read aloud by the voice of this machine',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touchpoint-voice-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const env = { ...process.env, ...(await setUpVoice(folder)) };
    const scripted = await openScriptedDevice(await buildRenderer());
    cleanups.push(() => scripted.close());
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [...browserSwitches, '--enable-speech-dispatcher'],
      env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
    });
    cleanups.push(() => browser.close());
    const page = await browser.newPage({ locale: 'en' });
    await page.addInitScript(listening);
    await page.goto(scripted.url);
    await waitFor(page, '.speech-toggle');
    await page.locator('.speech-toggle').click();
    const heard = () => page.evaluate<string[]>('heard');
    await expect
      .poll(heard, patient)
      .toContain(
        'end: This screen now reads aloud. On a keyboard, Tab goes on, Enter presses, and F8 ends the voice.',
      );
    scripted.tap(captured());
    await expect.poll(heard, patient).toContain('end: Thank you, Amélie B.');
  },
  120_000,
);
