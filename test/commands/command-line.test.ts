/** Commands and test programs: `--help`, an unknown option, an empty folder. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', 'src-main', 'commands');

function run(command: string, args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    execFile(process.execPath, [join(folder, `${command}.ts`), ...args], (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

test.each(['facts', 'sync-doctor'])(
  '%s prints help, and one sentence for an unknown option or an empty folder',
  async (command) => {
    expect(await run(command, ['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`npm run ${command} --`),
      err: '',
    });
    expect(await run(command, ['--nonsense'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Unknown option '--nonsense'.*Try --help\.\n$/),
    });
    const data = mkdtempSync(join(tmpdir(), 'nothing-'));
    const event =
      command === 'facts' ? [] : ['--platform', 'http://127.0.0.1:9', '--key', 'k', '--expo', '1'];
    expect(await run(command, [...event, '--data', data])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^There is no (journal|mirror) at [^\n]+\n$/),
    });
    rmSync(data, { recursive: true });
  },
);

test.each(['mutations/main', 'exploration/main', 'renderer/screens/full-walk', 'renderer/screens/gallery'])(
  'test/%s prints help, and one sentence for an unknown option, before anything starts',
  async (program) => {
    const path = join('..', '..', 'test', program);
    expect(await run(path, ['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('npm run'),
      err: '',
    });
    expect(await run(path, ['--nonsense'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Unknown option '--nonsense'.*Try --help\.\n$/),
    });
  },
);
