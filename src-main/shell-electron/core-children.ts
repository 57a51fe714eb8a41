/**
 * The helper processes of the core, which the shell starts: a utility process cannot start another one.
 *
 * Invariant: the end of a helper is reported once, after all its other messages.
 */
import type { PlatformProcess } from '../demo-platform/demo-platform.ts';
import type { ReaderProcess } from '../devices/supervisor/reader-run.ts';
import type { DrawingProcess } from '../drawing/picture-drawer.ts';
import type { SharingProcess } from '../sharing/sharing-child.ts';
import type { CoreProgram, FromCore, ToCore } from './core-messages.ts';

type ChildMessage = Extract<ToCore, { readonly kind: 'child-said' | 'child-line' | 'child-ended' }>;

type Child = {
  readonly said: ((message: unknown) => void)[];
  readonly line: ((line: string) => void)[];
  readonly ended: ((how: string) => void)[];
};

export type CoreChildren = {
  readonly reader: () => ReaderProcess;
  readonly drawing: () => DrawingProcess;
  readonly sharing: () => SharingProcess;
  readonly reading: () => DrawingProcess;
  readonly platform: (args: readonly string[]) => PlatformProcess;
  /** Receives the shell's messages about helpers. */
  readonly take: (message: ChildMessage) => void;
};

/** The helpers of one core. `send`: sends a message to the shell. */
export function createCoreChildren(send: (message: FromCore) => void): CoreChildren {
  const children = new Map<number, Child>();
  let last = 0;
  const spawn = (program: CoreProgram, args: readonly string[]) => {
    last += 1;
    const id = last;
    const child: Child = { said: [], line: [], ended: [] };
    children.set(id, child);
    send({ kind: 'spawn', child: id, program, args });
    return {
      id,
      child,
      end: (force: boolean) => {
        if (children.has(id)) send({ kind: 'child-end', child: id, force });
      },
    };
  };
  const helper = (
    program: 'reader' | 'drawing' | 'reading' | 'sharing',
  ): ReaderProcess & DrawingProcess & SharingProcess => {
    const { id, child, end } = spawn(program, []);
    return {
      send: (message: unknown) => {
        if (children.has(id)) send({ kind: 'child-said', child: id, message });
      },
      onMessage: (listener) => void child.said.push(listener),
      onExit: (listener) => void child.ended.push(listener),
      kill: () => end(true),
      end,
    };
  };
  return {
    reader: () => helper('reader'),
    drawing: () => helper('drawing'),
    sharing: () => helper('sharing'),
    reading: () => helper('reading'),
    platform: (args) => {
      const { child, end } = spawn('platform', args);
      return {
        onLine: (listener) => void child.line.push(listener),
        onExit: (listener) => void child.ended.push(listener),
        end,
      };
    },
    take: (message) => {
      const child = children.get(message.child);
      if (child === undefined) return;
      if (message.kind === 'child-said') for (const listener of child.said) listener(message.message);
      else if (message.kind === 'child-line') for (const listener of child.line) listener(message.line);
      else {
        children.delete(message.child);
        for (const listener of child.ended) listener(message.how);
      }
    },
  };
}
