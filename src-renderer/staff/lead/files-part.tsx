/**
 * Photos and voice notes of a lead: shown, played, added, discarded.
 *
 * Invariants:
 * - The visitor is asked in their language before their voice is recorded. Without a yes nothing is recorded.
 * - If the page locks, a running recording is kept.
 */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components';
import type { AttachmentRefusal } from '../../../src-main/contract/attachments.ts';
import type { Edited, LeadAttachment, LeadDetail } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { pickLanguage } from '../../messages/catalogue.ts';
import { type Clock, HourCycleContext } from '../../messages/clock.ts';
import { LanguageProvider, Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import type { Entry } from '../entry/entry.ts';
import { TakePicture } from '../media/take-picture.tsx';
import { uploadFile } from '../media/upload.ts';
import { createVoiceRecorder, type Recording } from '../media/voice-recorder.ts';
import type { Edits } from './edits.ts';

type FilesPartProps = {
  readonly link: Link;
  readonly entry: Entry;
  readonly lead: LeadDetail;
  readonly clock: Clock;
  readonly edits: Edits;
};

type Kept = Edited | { readonly kind: 'refused'; readonly reason: AttachmentRefusal };
/** The message about the last file. */
type Said = AttachmentRefusal | 'quiet' | 'micLost' | null;

/** The part. */
export function FilesPart({ link, entry, lead, clock, edits }: FilesPartProps) {
  const [said, setSaid] = useState<Said>(null);
  const [isBusy, setBusy] = useState(false);
  const { run } = edits;
  const keep = useCallback(
    async (file: Blob, ask: (upload: string) => (to: Link) => Promise<Kept>): Promise<void> => {
      setBusy(true);
      let refused: AttachmentRefusal | null = null;
      await run(async (to): Promise<Edited> => {
        const upload = await uploadFile(to, file);
        const kept: Kept =
          upload === null ? { kind: 'refused', reason: 'notPicture' } : await ask(upload)(to);
        if (kept.kind !== 'refused') return kept;
        refused = kept.reason;
        return { kind: 'same' };
      });
      setBusy(false);
      if (refused !== null) setSaid(refused);
    },
    [run],
  );
  const { id } = lead;
  const photo = (file: Blob): void => {
    setSaid(null);
    void keep(
      file,
      (upload) => (to) =>
        to.call(
          (client, signal) => client.leads.attachments.photo({ lead: id, upload }, { signal }),
          setupTimes.ask,
        ),
    );
  };
  const voice = useCallback(
    ({ file, ms, quiet, lost }: Recording, of: 'team' | 'visitor'): Promise<void> => {
      setSaid(lost ? 'micLost' : quiet ? 'quiet' : null);
      const about = { lead: id, ms, of, agreed: of === 'visitor' };
      return keep(
        file,
        (upload) => (to) =>
          to.call((client, signal) => client.leads.attachments.voice({ ...about, upload }, { signal })),
      );
    },
    [keep, id],
  );
  return (
    <section className="detail-part files">
      <h3>
        <Text id="media.title" />
      </h3>
      {lead.attachments.length === 0 ? null : (
        <ul className="file-list">
          {lead.attachments.map((file) => (
            <File key={file.factId} link={link} file={file} clock={clock} edits={edits} />
          ))}
        </ul>
      )}
      <TakePicture
        link={link}
        isBusy={isBusy}
        takeLabel="media.photo"
        chooseLabel="media.choose"
        onPicture={photo}
        onTooLarge={() => setSaid('notPicture')}
      />
      <VoiceNote link={link} entry={entry} lead={lead} isBusy={isBusy} onRecording={voice} />
      {said === null ? null : (
        <p className="notice" data-tone="wait" role="status">
          <Text id={`media.said.${said}`} />
        </p>
      )}
    </section>
  );
}

type FileProps = Pick<FilesPartProps, 'link' | 'clock' | 'edits'> & { readonly file: LeadAttachment };

function File({ link, file, clock, edits }: FileProps) {
  const text = useText();
  const { factId, kind, at, staff, ms, ofVisitor } = file;
  const found = useQuery({
    queryKey: ['attachment', factId],
    enabled: !file.elsewhere,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      link.call((client, signal) => client.leads.attachments.read({ factId }, { signal }), setupTimes.ask),
  });
  const what = text(kind === 'photo' ? 'media.aPhoto' : ofVisitor ? 'media.aVisitor' : 'media.aVoice');
  const name = [what, clock(at), staff].filter((word) => word !== null).join(' · ');
  const isGone = file.elsewhere || found.data === null;
  return (
    <li className="file" data-kind={kind}>
      {found.data && kind === 'photo' ? (
        <img className="file-photo" alt={name} src={`data:image/webp;base64,${found.data.bytes}`} />
      ) : null}
      <div className="file-line">
        {found.data && kind === 'voice' ? <Play bytes={found.data.bytes} name={name} ms={ms ?? 0} /> : null}
        <span className="file-words">
          <bdi>{name}</bdi>
          {ms === null || found.data ? null : <bdi> · {minutesOf(ms)}</bdi>}
          {isGone ? (
            <span className="file-gone">
              <Text id={file.elsewhere ? 'media.elsewhere' : 'media.gone'} />
            </span>
          ) : null}
        </span>
        {file.elsewhere ? null : (
          <Button
            className="mini-button"
            aria-label={text('media.discardWhat', { what: name })}
            onPress={() => edits.undo(factId)}
          >
            <Text id="media.discard" />
          </Button>
        )}
      </div>
    </li>
  );
}

function minutesOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

type PlayProps = { readonly bytes: string; readonly name: string; readonly ms: number };

/** Plays a voice note from the position of its slider. */
function Play({ bytes, name, ms }: PlayProps) {
  const text = useText();
  const [address, setAddress] = useState<string | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  /** Seconds. A recording of MediaRecorder does not contain its own length. */
  const [position, setPosition] = useState(0);
  const length = Math.round(ms / 1_000);
  const where = text('media.position', { at: minutesOf(position * 1_000), length: minutesOf(ms) });
  const sound = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const file = new Blob([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], {
      type: 'audio/webm',
    });
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  const press = (): void => {
    const { current } = sound;
    if (isPlaying) current?.pause();
    else current?.play().catch(() => setPlaying(false));
  };
  const moveTo = (seconds: number): void => {
    if (sound.current !== null) sound.current.currentTime = seconds;
    setPosition(seconds);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: a note of the team has no captions */}
      <audio
        ref={sound}
        src={address ?? undefined}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) =>
          setPosition(Math.min(length, Math.floor(currentTarget.currentTime)))
        }
        onEnded={() => moveTo(0)}
      />
      <Button
        className="mini-button"
        aria-label={text(isPlaying ? 'media.pauseWhat' : 'media.playWhat', { what: name })}
        onPress={press}
      >
        <Text id={isPlaying ? 'media.pause' : 'media.play'} />
      </Button>
      <input
        className="file-position"
        type="range"
        aria-label={name}
        aria-valuetext={where}
        max={length}
        value={position}
        onChange={({ currentTarget }) => moveTo(currentTarget.valueAsNumber)}
      />
      <bdi className="file-time" aria-hidden="true">
        {where}
      </bdi>
    </>
  );
}

type VoiceNoteProps = Pick<FilesPartProps, 'link' | 'entry' | 'lead'> & {
  readonly isBusy: boolean;
  readonly onRecording: (recording: Recording, of: 'team' | 'visitor') => Promise<void>;
};

type Step = 'closed' | 'who' | 'ask' | 'team' | 'visitor';

/** Who speaks, the visitor's agreement, and the recording. */
function VoiceNote({ link, entry, lead, isBusy, onRecording }: VoiceNoteProps) {
  const [step, setStep] = useState<Step>('closed');
  if (step === 'closed')
    return (
      <div className="media-buttons">
        <Button className="staff-button line-button" isDisabled={isBusy} onPress={() => setStep('who')}>
          <Text id="media.voice" />
        </Button>
      </div>
    );
  if (step === 'who')
    return (
      <div className="media-buttons">
        <Button className="staff-button" onPress={() => setStep('team')}>
          <Text id="media.own" />
        </Button>
        <Button className="staff-button line-button" onPress={() => setStep('ask')}>
          <Text id="media.visitor" />
        </Button>
        <Button className="mini-button" onPress={() => setStep('closed')}>
          <Text id="media.cancel" />
        </Button>
      </div>
    );
  if (step === 'ask')
    return <AskVisitor lead={lead} onAnswer={(yes) => setStep(yes ? 'visitor' : 'closed')} />;
  return (
    <Record
      link={link}
      entry={entry}
      onEnd={() => setStep('closed')}
      onRecording={(recording) => onRecording(recording, step)}
    />
  );
}

/** The question to the visitor, in their language. */
function AskVisitor({
  lead,
  onAnswer,
}: {
  readonly lead: LeadDetail;
  readonly onAnswer: (yes: boolean) => void;
}) {
  const hourCycle = useContext(HourCycleContext);
  const language = pickLanguage([lead.person.language, ...navigator.languages].filter((tag) => tag !== null));
  return (
    <LanguageProvider language={language} hourCycle={hourCycle}>
      <div className="media-ask" lang={language.tag} dir={language.direction}>
        <p>
          <Text id="voice.ask" />
        </p>
        <div className="media-buttons">
          <Button className="staff-button" onPress={() => onAnswer(true)}>
            <Text id="voice.yes" />
          </Button>
          <Button className="staff-button line-button" onPress={() => onAnswer(false)}>
            <Text id="voice.no" />
          </Button>
        </div>
      </div>
    </LanguageProvider>
  );
}

type RecordProps = Pick<FilesPartProps, 'link' | 'entry'> & {
  readonly onRecording: (recording: Recording) => Promise<void>;
  readonly onEnd: () => void;
};

function Record({ link, entry, onRecording, onEnd }: RecordProps) {
  const hear = useRef({ onRecording, onEnd });
  hear.current = { onRecording, onEnd };
  /** Called when a recording that was ended by a lock is saved. Null without a lock. */
  const kept = useRef<(() => void) | null>(null);
  const [recorder] = useState(() =>
    createVoiceRecorder({
      media: navigator.mediaDevices,
      now: () => performance.now(),
      onEnd: (recording) => {
        hear.current.onEnd();
        void hear.current.onRecording(recording).finally(() => kept.current?.());
      },
    }),
  );
  const state = useSyncExternalStore(recorder.subscribe, recorder.state);
  useEffect(() => {
    const leave = link.follow(
      (client, signal) => client.leads.attachments.use({ device: 'microphone' }, { signal }),
      recorder.start,
    );
    const unregister = entry.saveFirst(
      () =>
        new Promise<void>((resolve) => {
          if (recorder.state().kind !== 'recording') return resolve();
          kept.current = resolve;
          recorder.stop();
        }),
    );
    return () => {
      leave();
      unregister();
      // When the page locks, the recording is kept although the page goes away.
      if (kept.current === null) recorder.cancel();
    };
  }, [link, entry, recorder]);
  if (state.kind === 'failed')
    return (
      <div className="media-open">
        <p className="notice" data-tone="wait" role="status">
          <Text id={`media.microphone.${state.why}`} />
        </p>
        <div className="media-buttons">
          <Button className="staff-button line-button" onPress={recorder.start}>
            <Text id="camera.again" />
          </Button>
          <Button className="mini-button" onPress={onEnd}>
            <Text id="media.cancel" />
          </Button>
        </div>
      </div>
    );
  const isOn = state.kind === 'recording';
  return (
    <div className="media-open">
      <p className="media-recording" role="status" data-on={isOn}>
        <Text id={isOn ? 'media.recording' : 'media.starting'} />
        {isOn ? <bdi aria-hidden="true"> {minutesOf(state.ms)} / 2:00</bdi> : null}
      </p>
      <progress max={1} value={isOn ? Math.min(1, state.level * 3) : 0} aria-hidden="true" />
      {isOn && !state.heard && state.ms > quietAfter ? (
        <p className="notice" data-tone="wait" role="status">
          <Text id="media.said.quiet" />
        </p>
      ) : null}
      <div className="media-buttons">
        <Button className="staff-button" isDisabled={!isOn} onPress={recorder.stop}>
          <Text id="media.keep" />
        </Button>
        <Button className="mini-button" onPress={onEnd}>
          <Text id="media.cancel" />
        </Button>
      </div>
    </div>
  );
}

const quietAfter = 3_000;
