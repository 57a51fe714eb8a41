/** Pictures drawn in a helper process: the results, and the effect of a crash. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import {
  createPictureDrawer,
  type DrawingProcess,
  forkDrawingProcess,
} from '../../src-main/drawing/picture-drawer.ts';
import { realClock } from '../core/real-parts.ts';
import { notRunUnless } from '../not-run.ts';

const root = join(import.meta.dirname, '../..');
const entry = join(root, 'src-main/drawing/drawing-process.ts');
const png = () =>
  sharp({ create: { width: 900, height: 450, channels: 3, background: '#1f4bd8' } })
    .png()
    .toBuffer();
const never = { sleep: () => new Promise<void>(() => undefined) };

test('a picture is drawn in both sizes, in a process that ends afterwards', async () => {
  const ended: string[] = [];
  const draw = createPictureDrawer(() => {
    const child = forkDrawingProcess(entry);
    child.onExit((how) => ended.push(how));
    return child;
  }, realClock);
  const [drawn, broken] = await Promise.all([draw(await png()), draw(Buffer.from('no picture'))]);
  expect(drawn).toMatchObject({ small: { width: 640, height: 320 }, large: { width: 900, height: 450 } });
  expect(broken).toBe('broken');
  await expect.poll(() => ended).toEqual(['SIGKILL']);
});

const linuxTest = notRunUnless(process.platform === 'linux', 'the libraries of a process are read on Linux');

linuxTest(
  "the drawing process loads no native code of sharp, which crashes beside Electron's GLib",
  async () => {
    const child = fork(entry, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    expect(readFileSync(`/proc/${child.pid}/maps`, 'utf8')).not.toContain('@img');
  },
);

test('the drawing process is killed when its parent is gone, because a normal exit can hang', async () => {
  const child = fork(entry, [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  child.send({ kind: 'draw', source: new Uint8Array(await png()) });
  const ended = once(child, 'exit');
  child.disconnect();
  expect(await ended).toEqual([null, 'SIGKILL']);
});

/** Processes that crash on this picture. */
function crashingAt(bad: Uint8Array) {
  let started = 0;
  const spawn = (): DrawingProcess => {
    started += 1;
    let hear: (message: unknown) => void = () => undefined;
    let exit: (how: string) => void = () => undefined;
    queueMicrotask(() => hear({ kind: 'ready' }));
    return {
      send: (message) => {
        const { source } = message as { source: Uint8Array };
        const side = { bytes: new Uint8Array(1), width: 1, height: 1 };
        queueMicrotask(() =>
          source === bad ? exit('SIGSEGV') : hear({ kind: 'drawn', picture: { small: side, large: side } }),
        );
      },
      onMessage: (given) => {
        hear = given;
      },
      onExit: (given) => {
        exit = given;
      },
      kill: () => undefined,
    };
  };
  return { spawn, started: () => started };
}

test('a crash affects only its picture, and only the next picture starts a process', async () => {
  const bad = new Uint8Array([1]);
  const { spawn, started } = crashingAt(bad);
  const draw = createPictureDrawer(spawn, never);
  const drawn = await Promise.all([new Uint8Array(1), bad, new Uint8Array(1)].map((source) => draw(source)));
  expect(drawn.map((one) => (typeof one === 'string' ? one : 'drawn'))).toEqual([
    'drawn',
    'crashed',
    'drawn',
  ]);
  expect(started()).toBe(2);
});

test('a program that cannot start reports `unavailable`, not a fault of the picture', async () => {
  const draw = createPictureDrawer(() => forkDrawingProcess(join(root, 'nothing.ts')), realClock);
  expect(await draw(await png())).toBe('unavailable');
});

test('a picture that takes too long counts as a crash', async () => {
  const silent: DrawingProcess = {
    send: () => undefined,
    onMessage: () => undefined,
    onExit: () => undefined,
    kill: () => undefined,
  };
  const draw = createPictureDrawer(() => silent, { sleep: () => Promise.resolve() });
  expect(await draw(new Uint8Array(1))).toBe('crashed');
});
