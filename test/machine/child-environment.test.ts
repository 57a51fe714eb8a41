/** No child process gets the platform's key in its environment. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { spawnPlatformChild } from '../../src-main/demo-platform/platform-child.ts';
import { forkReaderProcess } from '../../src-main/devices/supervisor/reader-child.ts';
import { forkDrawingProcess } from '../../src-main/drawing/picture-drawer.ts';
import { spawnNode } from '../../src-main/shell-electron/helper-process.ts';
import { ownFolder } from '../core/fixture.ts';

const REPORT = `
  const names = Object.keys(process.env).filter((name) => name.startsWith('TOUCHPOINT_TRY') || /KEY|PASSWORD/.test(name));
  const report = JSON.stringify(names);
  console.log(report);
  process.send?.(report);
  setInterval(() => {}, 1000);
`;

type Start = (entry: string, hear: (report: unknown) => void) => () => void;

const starts: Readonly<Record<string, Start>> = {
  reader: (entry, hear) => {
    const child = forkReaderProcess(entry);
    child.onMessage(hear);
    return child.kill;
  },
  drawing: (entry, hear) => {
    const child = forkDrawingProcess(entry);
    child.onMessage(hear);
    return child.kill;
  },
  platform: (entry, hear) => {
    const child = spawnPlatformChild(entry, []);
    child.onLine(hear);
    return () => child.end(true);
  },
  helper: (entry, hear) => {
    const endWithParent = join(import.meta.dirname, '../../setup/end-with-parent.mjs');
    const program = { name: 'core', entry, args: [], output: 'lines', endsItself: true } as const;
    const child = spawnNode({ program: process.execPath, endWithParent }, program);
    child.onMessage(hear);
    return () => child.end(true);
  },
};

it.each(Object.entries(starts))(
  'the %s process has the environment without the key',
  async (_name, start) => {
    const entry = join(ownFolder(), 'report.mjs');
    writeFileSync(entry, REPORT);
    vi.stubEnv('TOUCHPOINT_KEY', 'secret');
    vi.stubEnv('TOUCHPOINT_PASSWORD', 'secret');
    vi.stubEnv('TOUCHPOINT_TRY', 'kept');
    onTestFinished(() => void vi.unstubAllEnvs());
    const report = await new Promise((resolve) => {
      const end = start(entry, resolve);
      onTestFinished(() => void end());
    });
    expect(report).toBe('["TOUCHPOINT_TRY"]');
  },
);
