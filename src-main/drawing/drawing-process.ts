/**
 * Entry of the process that draws pictures.
 *
 * Invariants:
 * - it runs at the lowest priority of the system, so that no tap waits for it;
 * - it draws with sharp compiled to WebAssembly: sharp's native code crashes in processes of Electron on Linux
 *   (lovell/sharp#4522, electron#46323);
 * - it ends with the process that started it, even while it draws: a normal exit waits for sharp's threads, sometimes
 *   for ever.
 */
import { registerHooks } from 'node:module';
import { z } from 'zod';
import { openParentChannel } from '../devices/reader/parent-channel.ts';
import { takeLowestPriority } from '../machine/lowest-priority.ts';

// A source tree also contains sharp's native code; a package does not.
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      /^@img\/sharp-\w+-\w+\/sharp\.node$/.test(specifier) ? '@img/sharp-wasm32/sharp.node' : specifier,
      context,
    ),
});

const messageSchema = z.object({
  kind: z.literal('draw'),
  source: z.instanceof(Uint8Array),
  smallSide: z.number().optional(),
});

const channel = openParentChannel();
if (channel === null) process.exitCode = 2;
else {
  takeLowestPriority();
  channel.onEnd(() => process.kill(process.pid, 'SIGKILL'));
  const { scalePicture } = await import('./scale.ts');
  channel.onMessage((message) => {
    const read = messageSchema.safeParse(message);
    if (!read.success) return;
    const { source, smallSide } = read.data;
    void scalePicture(source, smallSide).then((picture) => channel.send({ kind: 'drawn', picture }));
  });
  channel.send({ kind: 'ready' });
}
