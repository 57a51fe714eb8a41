/**
 * A core process for tests. The name of its data folder decides what it does. `refused`: it refuses the start.
 * `ends`: it exits at the start, unless the folder contains a file `mended`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openParentChannel } from '../../../src-main/devices/reader/parent-channel.ts';

const channel = openParentChannel();

channel?.onEnd(() => process.exit(1));
channel?.onMessage((message) => {
  const { kind, options, what } = message as {
    kind: string;
    options: { data: string | null };
    what?: string;
  };
  if (kind === 'update-ask') {
    const moment = { fair: null, lastFactAt: null, waiting: 0 };
    channel.send({ kind: 'update-said', what, answer: what === 'moment' ? moment : true });
  }
  if (kind === 'stop') process.exit(0);
  if (kind !== 'start') return;
  if (options.data?.endsWith('refused')) {
    channel.send({ kind: 'refused', sentence: 'The disk is full.' });
    return;
  }
  if (options.data?.endsWith('ends') && !existsSync(join(options.data, 'mended'))) process.exit(1);
  channel.send({ kind: 'display', display: { camera: true, microphone: false, attract: null } });
  channel.send({ kind: 'ready', lines: ['A line for the person'] });
});
