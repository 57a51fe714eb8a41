/**
 * Records a voice note of up to two minutes with the microphone of this device (Opus in WebM).
 *
 *   off ─start─► starting ─► recording ─► ended (stopped, two minutes, microphone gone)
 *                   └──► failed: refused | missing | busy
 *
 * Invariants:
 * - In every state but `recording`, the microphone is off.
 * - If the microphone is lost, the recording up to then is kept.
 * - `state` is replaced, never mutated.
 */
import { LONGEST_VOICE_MS } from '../../../src-main/contract/attachment-limits.ts';
import { type CameraFailure, failureOf } from '../../visitor/camera/camera.ts';

/** A complete recording. `quiet`: nothing was loud enough. `lost`: the microphone was disconnected. */
export type Recording = {
  readonly file: Blob;
  readonly ms: number;
  readonly quiet: boolean;
  readonly lost: boolean;
};

export type RecorderState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  /** `level`: the loudest of the latest 2,048 samples. `heard`: whether anything was loud enough so far. */
  | { readonly kind: 'recording'; readonly ms: number; readonly level: number; readonly heard: boolean }
  | { readonly kind: 'failed'; readonly why: CameraFailure };

export type VoiceRecorder = {
  readonly state: () => RecorderState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly start: () => void;
  /** Stops and passes the recording to `onEnd`. */
  readonly stop: () => void;
  /** Stops without a recording. */
  readonly cancel: () => void;
};

type RecorderPorts = {
  readonly media: MediaDevices;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly onEnd: (recording: Recording) => void;
};

/** Interval of reports. */
const REPORT_MS = 200;
/** Below this level a microphone is muted or covered: a quiet room is above it. */
const HEARD_LEVEL = 0.01;
const TYPE = 'audio/webm;codecs=opus';
const BITS_PER_SECOND = 32_000;

/** A recorder in the state `off`. */
export function createVoiceRecorder({ media, now, onEnd }: RecorderPorts): VoiceRecorder {
  const listeners = new Set<() => void>();
  let state: RecorderState = { kind: 'off' };
  let running: { readonly stop: () => void; readonly cancel: () => void } | null = null;
  /** Number of starts. If an earlier start is still pending, it sees a higher number and stops. */
  let run = 0;
  const become = (next: RecorderState): void => {
    state = next;
    for (const listener of [...listeners]) listener();
  };

  const start = async (): Promise<void> => {
    running?.cancel();
    run += 1;
    const own = run;
    become({ kind: 'starting' });
    try {
      const stream = await media.getUserMedia({ audio: true, video: false });
      if (own !== run) return endTracks(stream);
      running = record(stream, {
        now,
        report: (ms, level, heard) => become({ kind: 'recording', ms, level, heard }),
        end: (recording) => {
          if (own !== run) return;
          running = null;
          // A microphone that is disconnected before the first sound leaves nothing to keep.
          become(recording === null ? { kind: 'failed', why: 'lost' } : { kind: 'off' });
          if (recording !== null) onEnd(recording);
        },
      });
    } catch (error) {
      if (own === run) become({ kind: 'failed', why: failureOf(error) });
    }
  };

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    start: () => void start(),
    stop: () => running?.stop(),
    cancel: () => {
      run += 1;
      running?.cancel();
      become({ kind: 'off' });
    },
  };
}

type RecordingPorts = {
  readonly now: () => number;
  readonly report: (ms: number, level: number, heard: boolean) => void;
  /** Null if cancelled. */
  readonly end: (recording: Recording | null) => void;
};

/** Records a stream until it is stopped. */
function record(stream: MediaStream, { now, report, end }: RecordingPorts) {
  const recorder = new MediaRecorder(stream, { mimeType: TYPE, audioBitsPerSecond: BITS_PER_SECOND });
  const meter = createMeter(stream);
  const pieces: Blob[] = [];
  const began = now();
  let heard = false;
  let lost = false;
  let isCancelled = false;
  const timer = setInterval(() => {
    const level = meter.level();
    heard ||= level >= HEARD_LEVEL;
    const ms = now() - began;
    report(ms, level, heard);
    if (ms >= LONGEST_VOICE_MS) stop();
  }, REPORT_MS);
  const stop = (): void => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  stream.getAudioTracks()[0]?.addEventListener('ended', () => {
    lost = true;
    stop();
  });
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  recorder.addEventListener('stop', () => {
    clearInterval(timer);
    meter.close();
    endTracks(stream);
    const ms = Math.max(1, Math.round(Math.min(now() - began, LONGEST_VOICE_MS)));
    const file = new Blob(pieces, { type: TYPE });
    end(isCancelled || file.size === 0 ? null : { file, ms, quiet: !heard, lost });
  });
  recorder.start(REPORT_MS);
  report(0, 0, false);
  return {
    stop,
    cancel: () => {
      isCancelled = true;
      stop();
    },
  };
}

/** Measures the loudest of the latest 2,048 samples of a stream. */
function createMeter(stream: MediaStream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: (): number => {
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    },
    close: () => void context.close(),
  };
}

function endTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
