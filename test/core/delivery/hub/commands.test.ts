/** Commands of the hub: each runs once, in the order of the numbers, and is remembered across a restart. */
import { expect, test } from 'vitest';
import { createHubCommands, type HubCommand } from '../../../../src-main/core/delivery/hub/commands.ts';
import type { SettingKey } from '../../../../src-main/core/journal/facts/settings.ts';
import { rememberingLog } from '../../fixture.ts';

const said = (number: number, command: HubCommand): string => JSON.stringify({ number, command });

/** A device with the stored `kept` settings. Here, signed texts are plain JSON. */
const startDevice = (kept: Map<SettingKey, string>) => {
  const heard = { reloads: 0, changes: 0 };
  const commands = createHubCommands({
    open: (text) =>
      text.startsWith('{')
        ? { issuedAt: 5, ...(JSON.parse(text) as { number: number; command: HubCommand }) }
        : null,
    settings: { get: (key) => kept.get(key) ?? null, set: (key, value) => void kept.set(key, value) },
    clock: { now: () => 10 },
    clockOffset: () => null,
    reload: () => {
      heard.reloads += 1;
    },
    onChange: () => {
      heard.changes += 1;
    },
    log: rememberingLog(),
  });
  return { commands, heard };
};

test("a device keeps the hub's commands across a restart, and runs each command once", () => {
  const kept = new Map<SettingKey, string>();
  const { commands, heard } = startDevice(kept);
  const off = said(3, { kind: 'outOfOrder', on: true });
  commands.take([said(4, { kind: 'message', text: 'Hall closes' }), off, said(2, { kind: 'reload' })]);
  expect(commands.state()).toEqual({ outOfOrder: true, staffMessage: { text: 'Hall closes', at: 5 } });
  expect(heard).toEqual({ reloads: 1, changes: 1 });

  const next = startDevice(kept);
  next.commands.take([said(2, { kind: 'reload' }), off]);
  expect(next.heard.reloads).toBe(0);
  expect(next.commands.last()).toBe(4);
  expect(next.commands.state().outOfOrder).toBe(true);
  next.commands.take([said(5, { kind: 'outOfOrder', on: false })]);
  next.commands.take([off]);
  expect(next.commands.putAway()).toBe(true);
  expect(next.commands.putAway()).toBe(false);
  expect(next.commands.state()).toEqual({ outOfOrder: false, staffMessage: null });
});

test('a device ignores commands that the hub did not sign', () => {
  const { commands, heard } = startDevice(new Map());
  commands.take(['not ours']);
  expect(heard.changes).toBe(0);
  expect(commands.state()).toEqual({ outOfOrder: false, staffMessage: null });
  expect(commands.last()).toBe(0);
});
