/** The code of a device: it holds the same file in fewer characters, and incomplete and foreign codes are refused. */
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { readCode, writeCode } from '../../src-main/provision/provision-code.ts';
import { makeSigningKey, readProvision, writeProvision } from '../../src-main/provision/provision-file.ts';
import { realRandom } from '../core/real-parts.ts';

const signing = makeSigningKey();
const NOW = 1_790_000_000_000;
const random = (bytes: number) => Buffer.from(realRandom.bytes(bytes));
/** The file of a hub with a certificate and a standby. */
const fileOf = (name: string) =>
  writeProvision(
    {
      expo: random(12).toString('hex'),
      address: 'https://192.168.178.120:8820/create/v2',
      others: ['https://192.168.178.121:8820/create/v2'],
      pin: random(32).toString('base64'),
      hub: 'Halle 7',
      issuedAt: new Date(NOW).toISOString(),
      expiresAt: new Date(NOW + 86_400_000).toISOString(),
      devices: [
        {
          id: `D${random(5).toString('hex')}`,
          name,
          key: random(32).toString('base64url'),

          touchpoint: random(12).toString('hex'),
          partner: random(12).toString('hex'),
          purpose: 'lead',
        },
      ],
    },
    signing.privateKey,
  );

describe('a code', () => {
  it.each(['Lead capture at the reception desk', 'Löwen & "Söhne" 机器人', '\u2028', 'x'])(
    'contains the file of %j byte for byte',
    (name) => {
      const file = fileOf(name);
      const read = readCode(writeCode(file));
      expect(read).toEqual({ kind: 'file', text: file });
      expect(readProvision(file, NOW, null)).toMatchObject({ fingerprint: signing.fingerprint });
    },
  );

  it('of a realistic device is small enough for the camera of a laptop', () => {
    const code = writeCode(fileOf('Lead capture at the reception desk'));
    const { version, size } = encode(code, { ecc: 'M', boostEcc: false });
    // 79 modules and their quiet zone on 85 mm of paper: a module is one millimetre.
    expect(version).toBeLessThanOrEqual(15);
    expect(size).toBeLessThanOrEqual(79);
  });

  it('is refused with its own reason if it is from a newer version, a badge, a business card or an address', () => {
    const reasonOf = (text: string) => {
      const read = readCode(text);
      return read.kind === 'refused' ? read.reason : 'file';
    };
    expect(reasonOf(writeCode(fileOf('x')).replace(':1:', ':2:'))).toBe('newer');
    for (const other of [
      '04A1B2C3D4E5F6',
      'BEGIN:VCARD\nEND:VCARD',
      'https://touchpoint.example',
      '',
      'TOUCHPOINT',
    ])
      expect(reasonOf(other)).toBe('notOurs');
  });

  it('is refused as truncated at any length', () => {
    const code = writeCode(fileOf('Robots'));
    for (let length = 14; length < code.length; length += 1)
      expect(readCode(code.slice(0, length))).toEqual({ kind: 'refused', reason: 'cut' });
  });

  it('never gives other content if one character is changed', () => {
    const file = fileOf('Robots');
    const code = writeCode(file);
    for (let at = 0; at < code.length; at += 1) {
      const other = code[at] === 'A' ? 'B' : 'A';
      const read = readCode(code.slice(0, at) + other + code.slice(at + 1));
      // The last bits carry no data.
      if (read.kind === 'file' && read.text !== file)
        expect(readProvision(read.text, NOW, null)).toMatchObject({ kind: 'refused' });
    }
  });

  it('does not unpack to more than the largest file', () => {
    const bomb = writeCode(JSON.stringify({ text: ' '.repeat(1_000_000) }));
    expect(bomb.length).toBeLessThan(3_000);
    // Only the length is compared, because comparing the text takes minutes.
    expect(readCode(bomb).kind).toBe('refused');
  });
});
