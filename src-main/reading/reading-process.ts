/**
 * Entry of the process that reads the text in pictures and compares it with the people of the event, and of its
 * threads, with Tesseract compiled to WebAssembly.
 *
 * Invariants:
 * - It runs at the lowest priority of the system, so that no tap waits for it.
 * - The first script of a picture is the Latin one. Only for it the people are read from the mirror again, if the
 *   mirror has changed: the names of 100,000 people need a second and much memory.
 * - Programs and language data come from packages of the app. Nothing is fetched.
 * - It ends with the process that started it.
 */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setImmediate as afterMessages } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import { z } from 'zod';
import type { PeopleSearch } from '../core/team/recognition/people-search.ts';
import type { ReadLine } from '../core/team/recognition/read-line.ts';
import { openParentChannel } from '../devices/reader/parent-channel.ts';
import { takeLowestPriority } from '../machine/lowest-priority.ts';
import { linesOf, readLineSchema } from './text-lines.ts';

const messageSchema = z.object({
  kind: z.literal('read'),
  picture: z.object({
    source: z.instanceof(Uint8Array),
    script: z.enum(['latin', 'arabic', 'kana', 'han']),
    beside: z.array(readLineSchema),
    mirror: z.string(),
  }),
});

type Picture = z.infer<typeof messageSchema>['picture'];
type Script = Picture['script'];

/**
 * The languages that read a script, by the names of their data. Several languages together cover the diacritics of
 * more Latin names. Dutch is left out, because it has no further diacritics and the largest data.
 */
const LANGUAGES: Readonly<Record<Script, readonly string[]>> = {
  latin: ['eng', 'deu', 'fra', 'spa', 'ita', 'por'],
  arabic: ['ara'],
  kana: ['jpn'],
  han: ['chi_sim'],
};

const require = createRequire(import.meta.url);

/**
 * Turns this thread into one of Tesseract. tesseract.js has its own program for that, but it reads the data of all
 * languages from one folder, and loads the larger engine with the old recognition.
 */
function runEngine(port: MessagePort): void {
  const engine = require('tesseract.js/src/worker-script/index.js') as {
    readonly setAdapter: (adapter: object) => void;
    readonly dispatchHandlers: (packet: unknown, send: (message: unknown) => void) => void;
  };
  engine.setAdapter({
    getCore: () => require('tesseract.js-core/tesseract-core-relaxedsimd-lstm'),
    gunzip: gunzipSync,
    readCache: (path: string) => {
      const file = basename(path);
      const [language = ''] = file.split('.');
      const folder = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
      return readFile(join(folder, '4.0.0_best_int', file));
    },
  });
  port.on('message', (packet) => engine.dispatchHandlers(packet, (message) => port.postMessage(message)));
}

async function openWorker(script: Script): Promise<Worker> {
  const worker = await createWorker([...LANGUAGES[script]], OEM.LSTM_ONLY, {
    workerPath: fileURLToPath(import.meta.url),
    langPath: '.',
    cacheMethod: 'none',
    // The promise is also rejected with this error. Without a handler here, it would be thrown as well.
    errorHandler: () => undefined,
  });
  // As one block of text, a name of two or three large Chinese characters would be mistaken for a drawing, and a large
  // Arabic name on a tilted badge would be missed.
  if (script !== 'latin') await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
  return worker;
}

/** Changes with every write to the mirror. */
function markOf(mirror: string): string {
  const files = [mirror, `${mirror}-wal`].map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? path : `${path} ${found.ino} ${found.size} ${found.mtimeMs}`;
  });
  return files.join();
}

async function serve(): Promise<void> {
  const channel = openParentChannel();
  if (channel === null) {
    process.exitCode = 2;
    return;
  }
  channel.onEnd(() => process.exit(1));
  takeLowestPriority();
  // The names of 100,000 people are read with much garbage. The space for new objects would grow for it, by 60 MB.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Imported here, so that the threads of Tesseract do not load it.
  const { createPeopleSearch } = await import('../core/team/recognition/people-search.ts');
  const workers = new Map<Script, Promise<Worker>>();
  const workerFor = (script: Script): Promise<Worker> => {
    const worker = workers.get(script) ?? openWorker(script);
    workers.set(script, worker);
    return worker;
  };
  const peopleOf = (mirror: string): PeopleSearch => {
    try {
      return createPeopleSearch(mirror);
    } catch {
      // A damaged mirror is fetched again by the app. The text of a business card needs no names.
      return () => ({ candidates: [], scripts: [], named: 'none' });
    }
  };
  let known: { readonly mark: string; readonly compare: PeopleSearch } | null = null;
  const read = async (worker: Worker, { source, script, beside, mirror }: Picture) => {
    const reading = worker.recognize(Buffer.from(source), {}, { text: false, blocks: true }).then(
      ({ data }): readonly ReadLine[] => linesOf(data.blocks ?? []),
      // A picture that Tesseract refuses has no text.
      () => [],
    );
    // Tesseract's thread has the picture now, and reads it while the people are prepared.
    await afterMessages();
    const mark = markOf(mirror);
    if (known === null || (script === 'latin' && known.mark !== mark)) {
      known = null;
      known = { mark, compare: peopleOf(mirror) };
    }
    const { compare } = known;
    const lines = await reading;
    channel.send({ kind: 'read', lines, match: compare([...beside, ...lines]) });
  };
  channel.onMessage((message) => {
    const asked = messageSchema.safeParse(message);
    if (!asked.success) return;
    const { picture } = asked.data;
    workerFor(picture.script).then(
      (worker) => read(worker, picture),
      // The engine or the data of a language is missing.
      () => channel.send({ kind: 'unavailable' }),
    );
  });
  channel.send({ kind: 'ready' });
}

if (parentPort === null) await serve();
else runEngine(parentPort);
