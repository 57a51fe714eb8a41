/**
 * Files that the system opens with the Electron shell: when, how often and to which core process the shell sends
 * them.
 */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { ShellApp } from '../../src-main/shell-electron/electron-api.ts';
import { followGivenFiles } from '../../src-main/shell-electron/given-files.ts';

const open = (changes: { readonly first?: string; readonly isDemo?: boolean } = {}) => {
  const app = new EventEmitter();
  const core = { isReady: false };
  const given: string[] = [];
  const begun: string[] = [];
  let fronts = 0;
  const files = followGivenFiles({
    app: app as unknown as Pick<ShellApp, 'on'>,
    first: changes.first ?? null,
    isDemo: changes.isDemo ?? false,
    isReady: () => core.isReady,
    give: (path) => void given.push(path),
    beginAgain: (path) => void begun.push(path),
    front: () => (fronts += 1),
  });
  const ready = () => {
    core.isReady = true;
    files.coreIsReady();
  };
  return { app, core, given, begun, fronts: () => fronts, ready };
};

test('sends the file of the start to the first core only', () => {
  const { given, core, ready } = open({ first: '/usb/T01.touchpoint' });
  expect(given).toEqual([]);
  ready();
  core.isReady = false;
  ready();
  expect(given).toEqual(['/usb/T01.touchpoint']);
});

test('a second start passes its file, relative to its own folder, and brings the window to the front', () => {
  const { app, given, fronts, ready } = open();
  ready();
  app.emit('second-instance', {}, ['/opt/touchpoint', '--type=x', 'T 02.touchpoint'], '/usb');
  app.emit('second-instance', {}, ['/opt/touchpoint', 'file:///usb/T03.touchpoint'], '/');
  app.emit('second-instance', {}, ['/opt/touchpoint'], '/usb');
  expect([given, fronts()]).toEqual([['/usb/T 02.touchpoint', '/usb/T03.touchpoint'], 3]);
});

test('a file waits for the core, and only the latest is sent', () => {
  const { app, given, ready } = open();
  let prevented = 0;
  const event = { preventDefault: () => (prevented += 1) };
  app.emit('open-file', event, '/usb/T01.touchpoint');
  app.emit('open-file', event, '/usb/T02.touchpoint');
  expect(given).toEqual([]);
  ready();
  expect([given, prevented]).toEqual([['/usb/T02.touchpoint'], 2]);
});

test('a demo does not send the file to its core, but restarts with it', () => {
  const { app, given, begun, ready } = open({ isDemo: true });
  ready();
  app.emit('open-file', { preventDefault: () => undefined }, '/usb/T01.touchpoint');
  expect([given, begun]).toEqual([[], ['/usb/T01.touchpoint']]);
});
