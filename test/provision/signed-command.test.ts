/** A device accepts a command that is for it, comes from its hub, has not expired and was not altered. */
import { expect, test } from 'vitest';
import { makeSigningKey } from '../../src-main/provision/provision-file.ts';
import { type DeviceCommand, readCommand, writeCommand } from '../../src-main/provision/signed-command.ts';

const hub = makeSigningKey();
const known = { fingerprint: hub.fingerprint, device: 'D1' };
const command: DeviceCommand = {
  device: 'D1',
  number: 7,
  issuedAt: 1_000,
  expiresAt: 2_000,
  command: { kind: 'message', text: 'Close at six' },
};

test('returns a command exactly as it was signed', () => {
  expect(readCommand(writeCommand(command, hub.privateKey), 1_500, known)).toEqual(command);
});

test('refuses another hub, device, time or text', () => {
  const text = writeCommand(command, hub.privateKey);
  expect(readCommand(writeCommand(command, makeSigningKey().privateKey), 1_500, known)).toBeNull();
  expect(readCommand(text, 1_500, { ...known, device: 'D2' })).toBeNull();
  expect(readCommand(text, 2_000, known)).toBeNull();
  expect(readCommand(text.replace('six', 'ten'), 1_500, known)).toBeNull();
  expect(readCommand(text.replace('number\\":7', 'number\\":8'), 1_500, known)).toBeNull();
  for (const none of ['', 'null', '7', '{}', '[]']) expect(readCommand(none, 1_500, known)).toBeNull();
});
