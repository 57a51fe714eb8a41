/**
 * The configuration of nats-server: who may do what, and that no text from outside gets further into it than it should.
 */
import { expect, test } from 'vitest';
import { configOf, subjectsFor, teamSubject } from '../../../src-hub/bell/users.ts';

test('the box may say everything of its event and hear nothing; a device hears what is its own and says nothing', () => {
  const { event, device, team } = subjectsFor('E1', { id: 'D1', partner: 'P1' });
  expect([event, device, team]).toEqual(['tp.E1.live.>', 'tp.E1.cmd.D1', 'tp.E1.team.P1']);
  const listener = { key: 'UDEVICE', subjects: [event, device] };
  const lines = configOf({ host: '0.0.0.0', port: 8822 }, 'UBOX', 'tp.E1.>', [listener]).split('\n');
  expect(lines).toContain('listen: "0.0.0.0:8822"');
  expect(lines.filter((line) => line.includes('nkey'))).toEqual([
    '  {nkey: UBOX, permissions: {"publish":"tp.E1.>","subscribe":{"deny":">"}}}',
    '  {nkey: UDEVICE, permissions: {"publish":{"deny":">"},"subscribe":{"allow":["tp.E1.live.>","tp.E1.cmd.D1"]}}}',
  ]);
  // No user outside of `accounts` (CVE-2023-47090).
  expect(lines.filter((line) => line.includes('authorization'))).toEqual([]);
  expect(configOf({ host: '::1', port: 1 }, 'UBOX', 'x', [])).toContain('listen: "[::1]:1"');
});

test.each(['P 1', 'P.1', '>', '*', '', 'P"}'])('the partner %j has no subject of its own', (partner) => {
  expect(teamSubject('E1', partner)).toBeNull();
  expect(subjectsFor('E1', { id: 'D1', partner }).team).toBeNull();
});
