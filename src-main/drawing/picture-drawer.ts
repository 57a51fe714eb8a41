/**
 * Draws pictures in a helper process, so that a picture that crashes its process does not crash the core's process.
 *
 * Invariants:
 * - the process draws one picture at a time, so a crash belongs to that picture;
 * - the process starts for a picture and exits after the last one, which frees memory. After a crash it starts again
 *   only for the next picture;
 * - a picture that takes too long counts as a crash.
 */

import { fork } from 'node:child_process';
import { z } from 'zod';
import type { ScaledPicture } from '../core/event/pictures/picture-files.ts';
import type { DrawPicture } from '../core/event/pictures/pictures.ts';
import type { Clock } from '../core/foundations/ports.ts';
import { childEnvironment } from '../machine/child-environment.ts';
import { giveLowestPriority } from '../machine/lowest-priority.ts';

/** A process with `drawing-process.ts` as its program. */
export type DrawingProcess = {
  readonly send: (message: unknown) => void;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  readonly onExit: (listener: (how: string) => void) => void;
  readonly kill: () => void;
};

/** Longer than sharp may take for both sizes. */
const DRAWN_WITHIN_MS = 300_000;

const side = z.int().positive();
const scaledSchema = z.object({ bytes: z.instanceof(Uint8Array), width: side, height: side });
const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('drawn'),
    picture: z.object({ small: scaledSchema, large: scaledSchema }).nullable(),
  }),
]);

/** Draws in processes that `spawn` starts. */
export function createPictureDrawer(
  spawn: () => DrawingProcess,
  { sleep }: Pick<Clock, 'sleep'>,
): DrawPicture {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let helper: Helper | null = null;

  const drawNow: DrawPicture = async (source, smallSide) => {
    helper ??= startHelper(spawn);
    const drawing = new AbortController();
    const drawn = await Promise.race([
      helper.draw(source, smallSide),
      sleep(DRAWN_WITHIN_MS, drawing.signal).then(() => 'crashed' as const),
    ]);
    drawing.abort();
    waiting -= 1;
    if (waiting === 0 || drawn === 'crashed' || drawn === 'unavailable') {
      helper.kill();
      helper = null;
    }
    return drawn;
  };

  return (source, smallSide) => {
    waiting += 1;
    const drawn = last.then(() => drawNow(source, smallSide));
    last = drawn;
    return drawn;
  };
}

type Helper = { readonly draw: DrawPicture; readonly kill: () => void };

function startHelper(spawn: () => DrawingProcess): Helper {
  const child = spawn();
  let isReady = false;
  let settle: (drawn: Awaited<ReturnType<DrawPicture>>) => void = () => undefined;
  let end: 'crashed' | 'unavailable' | null = null;
  child.onMessage((message) => {
    const answer = answerSchema.safeParse(message);
    if (!answer.success) return;
    if (answer.data.kind === 'ready') isReady = true;
    else settle(answer.data.picture ?? 'broken');
  });
  child.onExit(() => {
    end = isReady ? 'crashed' : 'unavailable';
    settle(end);
  });
  return {
    draw: (source, smallSide) =>
      new Promise<ScaledPicture | 'broken' | 'crashed' | 'unavailable'>((resolve) => {
        if (end !== null) return resolve('unavailable');
        settle = resolve;
        child.send({ kind: 'draw', source, smallSide });
      }),
    kill: child.kill,
  };
}

/** Starts the drawing process with program `entry` on plain Node.js, as a forked child with the lowest priority. */
export function forkDrawingProcess(entry: string): DrawingProcess {
  const child = fork(entry, [], {
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  if (child.pid !== undefined) giveLowestPriority(child.pid);
  // A picture in progress does not keep this program running.
  child.unref();
  child.channel?.unref();
  return {
    send: (message) => {
      if (child.connected) child.send(message as never, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => {
      child.once('error', (error) => listener(error.message));
      child.once('exit', (code, signal) => listener(signal ?? `code ${code}`));
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
