/** The policies outside the security checklist: keys, restarts, displays, keychains. */
import { describe, expect, test } from 'vitest';
import type { AttractFile } from '../../../src-main/page/attract-files.ts';
import { createSystemKeychain } from '../../../src-main/shell-electron/keychain/system-keychain.ts';
import { mayPress } from '../../../src-main/shell-electron/policies/keys.ts';
import { answerPage } from '../../../src-main/shell-electron/policies/page-protocol.ts';
import { createRestartBudget } from '../../../src-main/shell-electron/policies/restart-budget.ts';
import { secondDisplay } from '../../../src-main/shell-electron/policies/window-options.ts';
import { fakeSafeStorage } from '../fakes/safe-storage.ts';

/** The input event of a key combination such as `Ctrl+Shift+I`. */
function keyOf(text: string) {
  const parts = text.split('+');
  const key = parts.at(-1) ?? '';
  const has = (name: string) => parts.slice(0, -1).includes(name);
  return { key, control: has('Ctrl'), shift: has('Shift'), alt: has('Alt'), meta: has('Cmd') };
}

describe('keys', () => {
  test.each([
    ...['a', 'Ä', '@', '0', 'Enter', 'Tab', 'Shift+Tab', 'Escape', 'Backspace', 'ArrowLeft', 'F2', 'F8', ' '],
    ...['Ctrl+c', 'Ctrl+v', 'Ctrl+x', 'Ctrl+z', 'Ctrl+a', 'Cmd+c', 'Ctrl+ArrowLeft', 'Ctrl+Shift+Home'],
    // AltGr on Windows, Option on a Mac.
    ...['Ctrl+Alt+@', 'Ctrl+Alt+€', 'Ctrl+Alt+{', 'Alt+@', 'AltGraph', 'Shift', 'Ctrl+Control'],
  ])('%s reaches the page', (text) => {
    expect(mayPress(keyOf(text), false)).toBe(true);
  });

  test.each([
    ...[
      'F1',
      'F3',
      'F5',
      'F6',
      'F7',
      'F10',
      'F11',
      'F12',
      'Ctrl+F2',
      'Alt+F2',
      'Alt+F4',
      'Ctrl+F4',
      'Ctrl+F5',
    ],
    ...[
      'Ctrl+r',
      'Ctrl+Shift+R',
      'Cmd+r',
      'Ctrl+w',
      'Cmd+q',
      'Ctrl+n',
      'Ctrl+t',
      'Ctrl+o',
      'Ctrl+s',
      'Ctrl+p',
    ],
    ...[
      'Ctrl+u',
      'Ctrl+f',
      'Ctrl+h',
      'Ctrl+j',
      'Ctrl+l',
      'Ctrl+Tab',
      'Ctrl+Shift+I',
      'Ctrl+Shift+J',
      'Cmd+Alt+i',
    ],
    ...[
      'Ctrl++',
      'Ctrl+-',
      'Ctrl+0',
      'Ctrl+=',
      'Cmd+-',
      'Alt+ArrowLeft',
      'Alt+ArrowRight',
      'Alt+Home',
      'Alt+Tab',
    ],
    ...[
      'Ctrl+Alt+t',
      'Ctrl+Alt+Delete',
      'Ctrl+Escape',
      'ContextMenu',
      'BrowserBack',
      'BrowserHome',
      'LaunchMail',
    ],
  ])('%s does not reach the page', (text) => {
    expect(mayPress(keyOf(text.replace('++', '+PLUS')), false)).toBe(false);
  });

  test('DevTools open only when the app runs from its sources', () => {
    for (const text of ['F12', 'Ctrl+Shift+I', 'Cmd+Alt+i']) {
      expect([text, mayPress(keyOf(text), true), mayPress(keyOf(text), false)]).toEqual([text, true, false]);
    }
  });
});

test('allows three restarts a minute; the fourth waits until the first is a minute old', () => {
  let now = 1_000;
  const budget = createRestartBudget(() => now);
  expect([budget.spend(), budget.waitMs()]).toEqual([true, 0]);
  now += 10_000;
  expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false]);
  expect(budget.waitMs()).toBe(50_000);
  now += 49_999;
  expect(budget.spend()).toBe(false);
  now += 1;
  expect([budget.waitMs(), budget.spend(), budget.spend()]).toEqual([0, true, false]);
});

test('restarts three times after forty crashes in a minute', () => {
  let now = 0;
  const budget = createRestartBudget(() => now);
  let restarts = 0;
  for (let death = 0; death < 40; death += 1) {
    if (budget.spend()) restarts += 1;
    now += 1_400;
  }
  expect(restarts).toBe(3);
});

test('the second display is the first that is not the main one', () => {
  const display = (id: number) => ({ id, bounds: { x: 0, y: 0, width: 1, height: 1 } });
  expect(secondDisplay([display(1)], { id: 1 })).toBeNull();
  expect(secondDisplay([display(1), display(2), display(3)], { id: 1 })?.id).toBe(2);
  expect(secondDisplay([display(4), display(1)], { id: 1 })?.id).toBe(4);
});

test('the second display shows every picture and film in turn, without a script', async () => {
  const show = async (path: string, listed: readonly AttractFile[]) => {
    const attract = { list: () => listed, answer: () => null };
    const request = { method: 'GET', url: `app://touchpoint/${path}`, headers: new Headers() };
    return answerPage({ files: { find: () => null }, attract }, request).text();
  };
  const files = [
    { kind: 'picture', address: 'media/1.png' },
    { kind: 'video', address: 'media/2.mp4' },
  ] as const;
  const page = await show('second', files);
  expect(page).toContain('<img src="/media/1.png" alt="">');
  expect(page).toContain('<video src="/media/2.mp4" autoplay muted loop playsinline>');
  expect(page).not.toContain('<script');
  const style = await show('second.css', files);
  expect(style).toContain('50% { visibility: hidden }');
  expect(style).toContain('body > :nth-child(2) { animation-delay: 10s }');
  expect(await show('second', [])).not.toContain('<img');
  expect(await show('second.css', [])).not.toContain('animation');
});

test.each([
  ['basic_text', true, 'plainText'],
  ['basic_text', false, 'plainText'],
  ['unknown', true, 'unreachable'],
  ['gnome_libsecret', true, 'there'],
  ['kwallet6', true, 'there'],
  ['gnome_libsecret', false, 'unreachable'],
  [null, true, 'there'],
  [null, false, 'unreachable'],
] as const)('a keychain of %s, available %s, is %s', async (backend, available, status) => {
  const keychain = createSystemKeychain(
    {
      ...fakeSafeStorage('linux'),
      getSelectedStorageBackend: () => backend ?? 'unknown',
      isAsyncEncryptionAvailable: () => Promise.resolve(available),
    },
    backend === null ? 'win32' : 'linux',
  );
  expect(await keychain.status()).toBe(status);
});
