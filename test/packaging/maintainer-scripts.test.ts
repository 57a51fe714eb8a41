/**
 * The scripts that dpkg runs for the packages of the kiosk and the hub. The system's programs are replaced by
 * programs that record their calls.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../core/fixture.ts';

const scripts = join(import.meta.dirname, '../../packaging/debian');

/**
 * Runs one of dpkg's scripts on a machine with systemd, on which `failing` programs exit with 1. Returns the calls
 * and the output.
 */
function dpkgRuns(
  script: string,
  args: readonly string[],
  failing: readonly string[] = [],
  of: 'kiosk' | 'hub' = 'kiosk',
) {
  const machine = ownFolder();
  const stand = join(machine, 'stand');
  mkdirSync(stand);
  const calls = join(machine, 'calls');
  for (const name of ['systemctl', 'udevadm', 'runuser', 'useradd']) {
    const program = join(machine, name);
    writeFileSync(
      program,
      `#!/bin/sh\necho "${name} $*" >> ${calls}\nexit ${failing.includes(name) ? 1 : 0}\n`,
    );
    chmodSync(program, 0o755);
  }
  const text = readFileSync(join(scripts, of, script), 'utf8')
    .replaceAll('/run/systemd/system', machine)
    .replaceAll('/var/lib/touchpoint/stand', stand)
    .replaceAll('/var/lib/touchpoint-hub', machine)
    .replaceAll('/var/lib/touchpoint', machine);
  const run = spawnSync('/bin/sh', ['-c', text, script, ...args], {
    encoding: 'utf8',
    env: { PATH: `${machine}:${process.env.PATH}` },
  });
  const called = existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [];
  return { status: run.status, stderr: run.stderr, calls: called, stand };
}

test('an upgrade stops the app, and the old version makes a backup of its leads', () => {
  const { status, calls, stand } = dpkgRuns('prerm', ['upgrade', '0.3.0']);
  expect(status).toBe(0);
  expect(calls).toEqual([
    'systemctl stop touchpoint.service',
    `runuser -u touchpoint -- /opt/touchpoint-kiosk/bin/touchpoint backup --data ${stand}`,
  ]);
});

test('an upgrade continues if the backup fails, and prints that', () => {
  const { status, stderr } = dpkgRuns('prerm', ['upgrade', '0.3.0'], ['runuser']);
  expect(status).toBe(0);
  expect(stderr).toContain('no backup was made');
});

test('the app and its screen run again after an upgrade, even a failed one, if they are enabled', () => {
  const restarted = [
    'systemctl restart touchpoint.service',
    'systemctl try-restart touchpoint-screen.service',
  ];
  expect(dpkgRuns('postinst', ['configure', '0.1.0']).calls.slice(-2)).toEqual(restarted);
  expect(dpkgRuns('postinst', ['abort-upgrade', '0.3.0']).calls.slice(-2)).toEqual(restarted);
  expect(dpkgRuns('postinst', ['configure', '0.1.0'], ['systemctl', 'udevadm']).calls).not.toContain(
    restarted[0],
  );
});

test('a first installation starts nothing', () => {
  const { calls } = dpkgRuns('postinst', ['configure', '']);
  expect(calls.filter((call) => call.includes('start'))).toEqual([]);
});

test('a removal stops the app; a purge keeps the leads and says where they are', () => {
  expect(dpkgRuns('prerm', ['remove']).calls).toEqual([
    'systemctl disable --now touchpoint-screen.service touchpoint.service',
  ]);
  const { status, stderr, stand } = dpkgRuns('postrm', ['purge']);
  expect(status).toBe(0);
  expect(stderr).toContain('leads and settings stay');
  expect(existsSync(stand)).toBe(true);
});

test('the hub is stopped for an upgrade and runs again afterwards, if it is enabled', () => {
  const hub = (script: string, ...args: readonly string[]) => dpkgRuns(script, args, [], 'hub');
  expect(hub('prerm', 'upgrade', '0.3.0').calls).toEqual(['systemctl stop touchpoint-hub.service']);
  for (const args of [
    ['configure', '0.1.0'],
    ['abort-upgrade', '0.3.0'],
  ])
    expect(hub('postinst', ...args).calls.at(-1)).toBe('systemctl restart touchpoint-hub.service');
  expect(hub('postinst', 'configure', '').calls.filter((call) => call.includes('start'))).toEqual([]);
  expect(hub('prerm', 'remove').calls).toEqual(['systemctl disable --now touchpoint-hub.service']);
  const { status, stderr } = hub('postrm', 'purge');
  expect(status).toBe(0);
  expect(stderr).toContain('facts, devices and keys stay');
});
