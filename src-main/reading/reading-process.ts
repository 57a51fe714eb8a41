/**
 * Entry of the process that reads the text in pictures, with Tesseract compiled to WebAssembly.
 *
 * Invariants:
 * - It runs at the lowest priority of the system, so that no tap waits for it.
 * - Programs and language data come from packages of the app. Nothing is fetched.
 * - It ends with the process that started it.
 */
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { createWorker, type Worker } from 'tesseract.js';
import { z } from 'zod';
import { openParentChannel } from '../devices/reader/parent-channel.ts';
import { linesOf } from './text-lines.ts';

const messageSchema = z.object({
  kind: z.literal('read'),
  source: z.instanceof(Uint8Array),
  language: z.enum(['eng', 'ara', 'jpn', 'chi_sim']),
});

const require = createRequire(import.meta.url);

/** The folder of a language's data, in its package. */
function folderOf(language: string): string {
  return join(dirname(require.resolve(`@tesseract.js-data/${language}/package.json`)), '4.0.0_best_int');
}

const channel = openParentChannel();
if (channel === null) process.exitCode = 2;
else {
  channel.onEnd(() => process.exit(1));
  setPriority(constants.priority.PRIORITY_LOW);
  const workers = new Map<string, Promise<Worker>>();
  const workerFor = (language: string): Promise<Worker> => {
    const known = workers.get(language);
    if (known !== undefined) return known;
    const made = createWorker([language], 1, { langPath: folderOf(language), cacheMethod: 'none' });
    workers.set(language, made);
    return made;
  };
  const read = async (source: Uint8Array, language: string) => {
    const worker = await workerFor(language);
    const { data } = await worker.recognize(Buffer.from(source), {}, { text: false, blocks: true });
    return linesOf(data.blocks ?? []);
  };
  channel.onMessage((message) => {
    const asked = messageSchema.safeParse(message);
    if (!asked.success) return;
    read(asked.data.source, asked.data.language).then(
      (lines) => channel.send({ kind: 'read', lines }),
      // A picture that Tesseract refuses has no text.
      () => channel.send({ kind: 'read', lines: [] }),
    );
  });
  channel.send({ kind: 'ready' });
}
