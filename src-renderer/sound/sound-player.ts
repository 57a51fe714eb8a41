/**
 * The sounds of the outcomes, synthesised and distinct by contour.
 *
 * "Captured" rises. "Welcome" rises in three notes. A repeat is one soft note. "Not admitted" stays level. "Hold
 * longer" is two low ticks. "Refused" falls. "Failed" falls twice. "Undone" falls in two notes.
 *
 * Invariants:
 * - A sound never delays the picture.
 * - If the browser does not allow sound yet, there is none.
 * - Volume 0 is mute.
 */
import { displayTimes } from '../times.ts';

export type Sound =
  | 'captured'
  | 'again'
  | 'welcome'
  | 'notAdmitted'
  | 'longer'
  | 'refused'
  | 'failed'
  | 'undone';

export type SoundPlayer = {
  readonly play: (sound: Sound) => void;
  /** 0 to 1. */
  readonly volume: () => number;
  readonly setVolume: (volume: number) => void;
};

/** One note: start and length in seconds, frequencies in hertz, loudness 0 to 1. */
type Note = {
  readonly at: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
  readonly loud: number;
  readonly wave: OscillatorType;
};

const note = (
  at: number,
  length: number,
  from: number,
  to = from,
  loud = 0.5,
  wave: OscillatorType = 'sine',
): Note => ({
  at,
  length,
  from,
  to,
  loud,
  wave,
});

const scores: Readonly<Record<Sound, readonly Note[]>> = {
  captured: [note(0, 0.16, 659), note(0.11, 0.34, 988), note(0.11, 0.34, 1976, 1976, 0.08)],
  again: [note(0, 0.3, 784, 784, 0.32)],
  welcome: [
    note(0, 0.14, 523),
    note(0.1, 0.14, 659),
    note(0.2, 0.38, 784),
    note(0.2, 0.38, 1568, 1568, 0.08),
  ],
  notAdmitted: [note(0, 0.22, 330, 330, 0.4), note(0.26, 0.34, 330, 330, 0.4)],
  longer: [note(0, 0.07, 196, 196, 0.6, 'triangle'), note(0.17, 0.07, 196, 196, 0.6, 'triangle')],
  refused: [note(0, 0.36, 440, 262, 0.45, 'triangle')],
  failed: [note(0, 0.26, 392, 233, 0.5, 'triangle'), note(0.3, 0.4, 294, 165, 0.5, 'triangle')],
  undone: [note(0, 0.14, 880, 880, 0.35), note(0.11, 0.26, 587, 587, 0.35)],
};

const storageKey = 'touchpoint.volume';

/** The sound player of this page. Stores its volume on the device. */
export function createSoundPlayer(memory: Storage): SoundPlayer {
  let context: AudioContext | null = null;
  let volume = readVolume(memory);
  return {
    volume: () => volume,
    setVolume: (next) => {
      volume = Math.min(Math.max(next, 0), 1);
      memory.setItem(storageKey, String(volume));
    },
    play: (sound) => {
      if (volume === 0) return;
      context ??= new AudioContext();
      const ready = context;
      if (ready.state === 'running') return perform(ready, scores[sound], volume);
      // A sound that could only start late is dropped.
      const asked = performance.now();
      ready.resume().then(
        () =>
          performance.now() - asked < displayTimes.soundDelayAtMost && perform(ready, scores[sound], volume),
        () => undefined,
      );
    },
  };
}

function readVolume(memory: Storage): number {
  const kept = memory.getItem(storageKey);
  const volume = kept === null ? Number.NaN : Number(kept);
  return volume >= 0 && volume <= 1 ? volume : 0.7;
}

function perform(context: AudioContext, score: readonly Note[], volume: number): void {
  for (const { at, length, from, to, loud, wave } of score) {
    const start = context.currentTime + at + 0.005;
    const voice = context.createOscillator();
    const gain = context.createGain();
    voice.type = wave;
    voice.frequency.setValueAtTime(from, start);
    voice.frequency.exponentialRampToValueAtTime(to, start + length);
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(Math.max(loud * volume, 0.0002), start + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    voice.connect(gain).connect(context.destination);
    voice.start(start);
    voice.stop(start + length + 0.02);
  }
}
