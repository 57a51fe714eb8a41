/**
 * Reads text in pictures in a helper process, so that neither its load nor a crash affects the core.
 *
 * Invariants:
 * - One picture at a time.
 * - The process starts for a picture, stays a minute for the next one, and then ends, which frees its memory.
 * - A picture that takes too long, or ends the process, has no text.
 */
import { z } from 'zod';
import type { Clock } from '../core/foundations/ports.ts';
import type { ReadLine, ReadText } from '../core/team/recognition/read-line.ts';
import type { DrawingProcess } from '../drawing/picture-drawer.ts';

/** A process with `reading-process.ts` as its program. */
type ReadingProcess = DrawingProcess;

const READ_WITHIN_MS = 60_000;
const KEPT_FOR_MS = 60_000;

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('unavailable') }),
  z.object({
    kind: z.literal('read'),
    lines: z.array(z.object({ text: z.string(), sure: z.number(), height: z.number() })),
  }),
]);

type Helper = { readonly read: ReadText; readonly kill: () => void; readonly isGone: () => boolean };

/** Reads in processes that `spawn` starts. */
export function createTextReader(spawn: () => ReadingProcess, { sleep }: Pick<Clock, 'sleep'>): ReadText {
  let last: Promise<unknown> = Promise.resolve();
  let helper: Helper | null = null;
  let rest = new AbortController();

  const readNow: ReadText = async (picture, script) => {
    rest.abort();
    if (helper === null || helper.isGone()) helper = startHelper(spawn);
    const own = helper;
    const late = new AbortController();
    const read = await Promise.race([
      own.read(picture, script),
      sleep(READ_WITHIN_MS, late.signal).then((): readonly ReadLine[] => {
        if (!late.signal.aborted) own.kill();
        return [];
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

  return (picture, script) => {
    const read = last.then(() => readNow(picture, script));
    last = read;
    return read;
  };
}

function startHelper(spawn: () => ReadingProcess): Helper {
  const child = spawn();
  let isReady = false;
  let isGone = false;
  let settle: (read: Awaited<ReturnType<ReadText>>) => void = () => undefined;
  child.onMessage((message) => {
    const answer = answerSchema.safeParse(message);
    if (!answer.success) return;
    if (answer.data.kind === 'ready') isReady = true;
    else settle(answer.data.kind === 'read' ? answer.data.lines : 'unavailable');
  });
  child.onExit(() => {
    isGone = true;
    settle(isReady ? [] : 'unavailable');
  });
  return {
    isGone: () => isGone,
    read: (source, script) =>
      new Promise((resolve) => {
        settle = resolve;
        child.send({ kind: 'read', source, script });
      }),
    kill: child.kill,
  };
}
