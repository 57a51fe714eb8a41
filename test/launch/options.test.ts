/** The command line of `npm start --`. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { givenFile, loggedOptions, type Options, parseOptions } from '../../src-main/launch/options.ts';

function parse(line: string, env: Record<string, string> = {}) {
  return parseOptions(
    line.split(' ').filter((word) => word !== ''),
    env,
  );
}

const usual = {
  shell: 'auto',
  open: true,
  kiosk: false,
  port: null,
  data: null,
  reader: 'auto',
  scanner: null,
  platform: null,
  setUp: false,
  provision: null,
  file: null,
  updates: null,
  autostart: null,
};

test('without options, starts the demo event and chooses the shell', () => {
  expect(parse('')).toEqual({ kind: 'options', options: usual });
});

test('parses every option, with a space or an equals sign', () => {
  const platform = { url: 'https://p.example', key: 'k', password: '', expo: 'e-1', privateHttp: false };
  const expected = {
    shell: 'browser',
    open: false,
    kiosk: true,
    port: 80,
    data: '/d',
    reader: 'none',
    scanner: null,
    platform,
    setUp: false,
    provision: null,
    file: null,
    updates: null,
    autostart: null,
  };
  expect(
    parse(
      '--shell browser --no-open --kiosk --port 80 --data /d --reader none --platform https://p.example/ --key k --expo e-1',
    ),
  ).toEqual({ kind: 'options', options: expected });
  expect(
    parse(
      '--shell=browser --no-open --kiosk --port=80 --data=/d --reader=none --platform=https://p.example --key=k --expo=e-1',
    ),
  ).toEqual({ kind: 'options', options: expected });
});

test('accepts the path of a scanner on a serial port, with 9600 baud unless another speed is given', () => {
  expect(parse('--scanner /dev/ttyACM0')).toMatchObject({
    options: { scanner: { path: '/dev/ttyACM0', baud: 9600 } },
  });
  expect(parse('--scanner /dev/ttyUSB0,115200')).toMatchObject({
    options: { scanner: { path: '/dev/ttyUSB0', baud: 115_200 } },
  });
  for (const port of ['COM3', '/dev/ttyUSB0,fast', ','])
    expect(parse(`--scanner ${port}`)).toMatchObject({ kind: 'wrong' });
});

test("switches the start with the user's session on and off, but never for a browser or with a key", () => {
  expect(parse('--autostart on')).toMatchObject({ options: { autostart: 'on' } });
  expect(parse('--autostart off')).toMatchObject({ options: { autostart: 'off' } });
  const key = '--platform https://p.example --key k --expo 7';
  for (const line of [
    '--autostart',
    '--autostart yes',
    '--autostart on --shell browser',
    `--autostart on ${key}`,
  ])
    expect(parse(line)).toMatchObject({ kind: 'wrong' });
});

test('reads key, password and data folder from the environment', () => {
  const env = { TOUCHPOINT_KEY: 'secret', TOUCHPOINT_PASSWORD: 'word', TOUCHPOINT_DATA: '/data' };
  expect(parse('--platform https://p.example --expo 7', env)).toEqual({
    kind: 'options',
    options: {
      ...usual,
      data: '/data',
      platform: { url: 'https://p.example', key: 'secret', password: 'word', expo: '7', privateHttp: false },
    },
  });
  expect(parse('', env)).toMatchObject({ options: { platform: null } });
  expect(parse('', { TOUCHPOINT_KIOSK: '1' })).toEqual({
    kind: 'options',
    options: { ...usual, kiosk: true },
  });
});

test('leaves the event to the set-up with --set-up, and to the file with --provision', () => {
  expect(parse('--set-up')).toEqual({ kind: 'options', options: { ...usual, setUp: true } });
  const provision = { file: '/usb/D01.json', device: null };
  expect(parse('--provision /usb/D01.json')).toEqual({
    kind: 'options',
    options: { ...usual, setUp: true, provision },
  });
  expect(parse('--provision=/usb/D01.json --device D01')).toMatchObject({
    options: { provision: { ...provision, device: 'D01' } },
  });
});

test("accepts a hub's file for the set-up page in the way the system passes it", () => {
  const options = { ...usual, setUp: true, file: '/usb/T01.TOUCHPOINT' };
  expect(parse('/usb/T01.TOUCHPOINT')).toEqual({ kind: 'options', options });
  expect(parse('--data /d file:///usb/T01.touchpoint')).toMatchObject({
    options: { data: '/d', file: 'file:///usb/T01.touchpoint' },
  });
  const args = ['/opt/touchpoint', '--allow-file-access', '-x.touchpoint', 'T 01.touchpoint'];
  expect(givenFile(args, '/usb')).toBe('/usb/T 01.touchpoint');
  expect(givenFile(['file:///usb/T%2001.touchpoint'], '/')).toBe('/usb/T 01.touchpoint');
  expect(givenFile(['/opt/touchpoint', 'devices.json'], '/')).toBeNull();
});

test('gives help precedence over everything else', () => {
  expect(parse('--port x --help --what')).toEqual({ kind: 'help' });
});

test.each([
  ['--colour', 'There is no option --colour; --help lists them all.'],
  ['-p 80', 'There is no option -p; --help lists them all.'],
  ['now', 'Touchpoint takes options and one .touchpoint file; --help lists them all.'],
  ['-- x', 'Touchpoint takes options and one .touchpoint file; --help lists them all.'],
  ['a.touchpoint b.touchpoint', 'Touchpoint takes options and one .touchpoint file; --help lists them all.'],
  [
    'a.touchpoint --platform https://p.example --key k --expo 7',
    'A .touchpoint file says which event this is; it does not go with --platform or --provision.',
  ],
  [
    '--provision D01.json a.touchpoint',
    'A .touchpoint file says which event this is; it does not go with --platform or --provision.',
  ],
  ['--no-open=yes', 'The option --no-open takes no value.'],
  [
    '--set-up --platform https://p.example --key k --expo 7',
    'The option --set-up asks for the event on the screen; it does not go with --platform.',
  ],
  ['--device D01', 'The option --device belongs to --provision.'],
  [
    '--provision /usb/D01.json --set-up',
    'The file after --provision says which event this is; it does not go with --platform or --set-up.',
  ],
  ['--port', 'The option --port needs a value.'],
  ['--port --no-open', 'The option --port needs a value.'],
  ['--data=', 'The option --data needs a value.'],
  ['--port 80 --port 81', 'The option --port is given twice.'],
  ['--shell window', 'The option --shell takes auto, electron or browser.'],
  ['--reader usb', 'The option --reader takes auto, pcsc or none.'],
  ['--port 0', 'The option --port takes a number from 1 to 65535.'],
  ['--port 65536', 'The option --port takes a number from 1 to 65535.'],
  ['--port 0x50', 'The option --port takes a number from 1 to 65535.'],
  [
    '--platform https://p.example',
    'The options --platform, --key and --expo belong together (the key may stand in TOUCHPOINT_KEY).',
  ],
  [
    '--expo 1',
    'The options --platform, --key and --expo belong together (the key may stand in TOUCHPOINT_KEY).',
  ],
  [
    '--platform p.example --key k --expo 1',
    'The option --platform takes the address of the event platform, such as https://platform.example.',
  ],
  [
    '--platform http://p.example --key k --expo 1',
    'The address after --platform must begin with https://, so that the key does not travel in the open.',
  ],
  [
    '--platform http://192.168.1.20:8080/v2 --key k --expo 1',
    'The address after --platform must begin with https://, so that the key does not travel in the open; for a hub in a private network, --private-http allows http://.',
  ],
  [
    '--platform http://hub.local/v2 --key k --expo 1 --private-http',
    'With --private-http, the address after --platform must be https:// or a numeric address of a private network, such as http://192.168.1.20.',
  ],
  [
    '--platform http://93.184.216.34/v2 --key k --expo 1 --private-http',
    'With --private-http, the address after --platform must be https:// or a numeric address of a private network, such as http://192.168.1.20.',
  ],
  ['--private-http', 'The option --private-http belongs to --platform.'],
  ['--private-http=yes', 'The option --private-http takes no value.'],
  [
    '--platform https://u:v@p.example --key k --expo 1',
    'The address after --platform must carry no user name, no password, no "?" and no "#".',
  ],
  [
    '--platform https://p.example --key k --expo ../x',
    'The option --expo takes the id of the event: letters, digits, - and _.',
  ],
])('answers %s with one sentence', (line, sentence) => {
  expect(parse(line)).toEqual({ kind: 'wrong', sentence });
});

test('sets the device up in an installed package if no event is given, and runs the demo event on request', () => {
  const inPackage = (...args: readonly string[]) => parseOptions(args, {}, 'set-up');
  expect(inPackage()).toEqual({ kind: 'options', options: { ...usual, setUp: true } });
  expect(inPackage('--demo')).toEqual({ kind: 'options', options: usual });
  expect(inPackage('--platform', 'https://p.example', '--key', 'k', '--expo', '1')).toMatchObject({
    options: { setUp: false },
  });
  expect(parse('--demo')).toEqual({ kind: 'options', options: usual });
  for (const other of [
    '--set-up',
    '--provision f',
    'a.touchpoint',
    '--platform https://p.example --key k --expo 1',
  ]) {
    expect(parse(`--demo ${other}`), other).toEqual({
      kind: 'wrong',
      sentence:
        'The option --demo runs the demo event; it goes with no option or file that says another event.',
    });
  }
});

test('allows plain http to this machine', () => {
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
    expect(parse(`--platform http://${host} --key k --expo 1`)).toMatchObject({ kind: 'options' });
  }
});

test('allows plain http to a hub in a private network with --private-http', () => {
  for (const url of [
    'http://192.168.1.20:8080/v2',
    'http://10.0.0.5',
    'http://[fd00::1]',
    'https://p.example',
  ]) {
    expect(parse(`--platform ${url} --key k --expo 1 --private-http`)).toMatchObject({
      options: { platform: { url, privateHttp: true } },
    });
  }
});

test('turns any input into options, help, or one printable line without the key', () => {
  const word = fc.oneof(
    fc.constantFrom(
      '--key',
      '--port',
      '--data',
      '--no-open',
      '--',
      '--platform',
      '--expo',
      '--key=s3cr3t',
      '--private-http',
      's3cr3t',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const parsed = parseOptions(words, {});
      if (parsed.kind !== 'wrong') return;
      expect(parsed.sentence).toMatch(/^[\x20-\x7e]{10,200}$/);
      expect(parsed.sentence).not.toContain('s3cr3t');
    }),
    { numRuns: 2000 },
  );
});

test('logs only the origin of an address, and neither key nor the path of a file', () => {
  const addresses =
    '--platform https://p.example/s3cr3t-1 --key s3cr3t-2 --expo 1 --updates https://u.example/s3cr3t-3';
  const { options } = parse(addresses) as { readonly options: Options };
  const logged = loggedOptions({
    ...options,
    file: '/usb/s3cr3t-4',
    provision: { file: '/usb/s3cr3t-5', device: null },
  });
  expect(logged).toMatchObject({
    ...{ platform: 'https://p.example', updates: 'https://u.example', file: true, provision: true },
    reader: 'auto',
  });
  expect(JSON.stringify(logged)).not.toContain('s3cr3t');
});

test('accepts updates only over https or from this machine', () => {
  const of = (line: string) => parse(line) as { options?: { updates: string | null }; sentence?: string };
  for (const address of [
    'https://updates.example/',
    'https://updates.example/a/b',
    'http://127.0.0.1:8080/',
  ]) {
    expect(of(`--updates ${address}`).options?.updates).toBe(address);
  }
  const secret = ['https://user:s3cr3t@updates.example/', 'https://updates.example/?token=s3cr3t'];
  const plain = ['http://updates.example/', 'http://192.168.1.20/', 'updates.example', 'file:///u'];
  for (const address of [...plain, ...secret]) {
    expect(of(`--updates ${address}`).sentence).toBe(
      'The option --updates takes an address that begins with https://.',
    );
  }
  expect(of('--shell browser --updates https://updates.example/').sentence).toBe(
    'The option --updates is for the AppImage; it does not go with --shell browser.',
  );
});
