/**
 * Processes the core needs, started for it by the shell: a utility process cannot start another one.
 *
 * Invariant: a child that ended is told of once and heard of no more.
 */
import type { PlatformProcess } from '../demo-platform/demo-platform.ts';
import type { ReaderProcess } from '../devices/supervisor/reader-run.ts';
import type { DrawingProcess } from '../drawing/picture-drawer.ts';
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
  readonly platform: (args: readonly string[]) => PlatformProcess;
  /** Takes what the shell tells of one. */
  readonly take: (message: ChildMessage) => void;
};

/** The children of one core, asked for by `send`. */
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
  const helper = (program: 'reader' | 'drawing'): ReaderProcess & DrawingProcess => {
    const { id, child, end } = spawn(program, []);
    return {
      send: (message: unknown) => {
        if (children.has(id)) send({ kind: 'child-said', child: id, message });
      },
      onMessage: (hear) => void child.said.push(hear),
      onExit: (hear) => void child.ended.push(hear),
      kill: () => end(true),
    };
  };
  return {
    reader: () => helper('reader'),
    drawing: () => helper('drawing'),
    platform: (args) => {
      const { child, end } = spawn('platform', args);
      return {
        onLine: (hear) => void child.line.push(hear),
        onExit: (hear) => void child.ended.push(hear),
        end,
      };
    },
    take: (message) => {
      const child = children.get(message.child);
      if (child === undefined) return;
      if (message.kind === 'child-said') for (const hear of child.said) hear(message.message);
      else if (message.kind === 'child-line') for (const hear of child.line) hear(message.line);
      else {
        children.delete(message.child);
        for (const hear of child.ended) hear(message.how);
      }
    },
  };
}
