/** Helper processes run all their threads at the lowest priority, so that no tap waits for a picture. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { forkDrawingProcess } from '../../src-main/drawing/picture-drawer.ts';
import { ownFolder } from '../core/fixture.ts';
import { notRunUnless } from '../not-run.ts';

const main = join(import.meta.dirname, '../../src-main');

/** The names of those threads of a process that may delay other processes. */
const hurried = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const [, name = '', fields = ''] = /\((.*)\) (.*)/u.exec(stat) ?? [];
    // The seventeenth field after the name (proc_pid_stat(5), `nice`).
    return fields.split(' ')[16] === '19' ? [] : [name];
  });

const onLinux = notRunUnless(process.platform === 'linux', 'the threads of a process are read on Linux');

const messages: Readonly<Record<string, (source: Uint8Array) => object>> = {
  'drawing/drawing-process.ts': (source) => ({ kind: 'draw', source }),
  'reading/reading-process.ts': (source) => ({
    kind: 'read',
    picture: { source, script: 'latin', beside: [], mirror: '/nowhere/mirror.db' },
  }),
};

for (const [entry, messageOf] of Object.entries(messages))
  onLinux(
    `${entry} gives each of its threads the lowest priority`,
    async () => {
      const child = fork(join(main, entry), [], {
        execArgv: [],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(child, 'message');
      const create = { width: 400, height: 200, channels: 3, background: '#1f4bd8' } as const;
      const source = new Uint8Array(await sharp({ create }).png().toBuffer());
      child.send(messageOf(source));
      // By now its engine has started all its threads.
      await once(child, 'message');
      expect(hurried(child.pid ?? 0)).toEqual([]);
    },
    120_000,
  );

test('a helper process has the lowest priority from its first statement', async () => {
  const entry = join(ownFolder(), 'report.mjs');
  writeFileSync(entry, `import { getPriority } from 'node:os'; process.send(getPriority());`);
  const priority = await new Promise((resolve) => {
    const child = forkDrawingProcess(entry);
    onTestFinished(child.kill);
    child.onMessage(resolve);
  });
  expect(priority).toBe(constants.priority.PRIORITY_LOW);
});
