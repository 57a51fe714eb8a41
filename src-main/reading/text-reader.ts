/**
 * Reads the text in pictures in a helper process, so that neither its load nor a crash affects the core.
 *
 * Invariants:
 * - One picture at a time.
 * - The process starts for a picture, stays a minute for the next one, and then ends, which frees its memory.
 * - For a picture that takes too long, or ends the process, the result has no lines and no candidates.
 */
import { z } from 'zod';
import { candidateSchema } from '../contract/recognition.ts';
import type { Clock } from '../core/foundations/ports.ts';
import type { PictureText, ReadPicture } from '../core/team/recognition/read-line.ts';
import type { DrawingProcess } from '../drawing/picture-drawer.ts';
import { readLineSchema } from './text-lines.ts';

/** A process with `reading-process.ts` as its program. */
type ReadingProcess = DrawingProcess;

/** A few seconds usually, but the process has the lowest priority, and the machine may be busy. */
const READ_WITHIN_MS = 150_000;
const KEPT_FOR_MS = 60_000;

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('unavailable') }),
  z.object({
    kind: z.literal('read'),
    lines: z.array(readLineSchema),
    match: z.object({
      candidates: z.array(candidateSchema),
      scripts: z.array(z.enum(['arabic', 'kana', 'han'])),
      named: z.enum(['all', 'some', 'none']),
    }),
  }),
]);

const NOTHING: PictureText = { lines: [], match: { candidates: [], scripts: [], named: 'all' } };

type Helper = { readonly read: ReadPicture; readonly kill: () => void; readonly isGone: () => boolean };

/** Reads in processes that `spawn` starts. */
export function createTextReader(spawn: () => ReadingProcess, { sleep }: Pick<Clock, 'sleep'>): ReadPicture {
  let last: Promise<unknown> = Promise.resolve();
  let helper: Helper | null = null;
  let rest = new AbortController();

  const readNow: ReadPicture = async (picture) => {
    rest.abort();
    if (helper === null || helper.isGone()) helper = startHelper(spawn);
    const own = helper;
    const late = new AbortController();
    const read = await Promise.race([
      own.read(picture),
      sleep(READ_WITHIN_MS, late.signal).then(() => {
        if (!late.signal.aborted) own.kill();
        return NOTHING;
      }),
    ]);
    late.abort();
    rest = new AbortController();
    const { signal } = rest;
    void sleep(KEPT_FOR_MS, signal).then(() => {
      if (signal.aborted) return;
      own.kill();
      if (helper === own) helper = null;
    });
    return read;
  };

  return (picture) => {
    const read = last.then(() => readNow(picture));
    last = read;
    return read;
  };
}

function startHelper(spawn: () => ReadingProcess): Helper {
  const child = spawn();
  let isReady = false;
  let isGone = false;
  let settle: (read: Awaited<ReturnType<ReadPicture>>) => void = () => undefined;
  child.onMessage((message) => {
    const answer = answerSchema.safeParse(message);
    if (!answer.success) return;
    if (answer.data.kind === 'ready') isReady = true;
    else settle(answer.data.kind === 'read' ? answer.data : 'unavailable');
  });
  child.onExit(() => {
    isGone = true;
    settle(isReady ? NOTHING : 'unavailable');
  });
  return {
    isGone: () => isGone,
    read: (picture) =>
      new Promise((resolve) => {
        settle = resolve;
        child.send({ kind: 'read', picture });
      }),
    kill: child.kill,
  };
}
