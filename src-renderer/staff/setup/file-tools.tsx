/**
 * Loads a set-up from a file or saves it to one. It also accepts a hub's file and the code on the hub's sheet.
 *
 * Invariants:
 * - A file contains the key and the PINs only on request.
 * - A file can be dropped anywhere on the page.
 * - Loading a file changes nothing until the user confirms it.
 */
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { SetupTaken } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { CheckField } from '../parts/check-field.tsx';
import { useCodeCamera } from './code-camera.tsx';
import { Heard } from './fields.tsx';
import { fetchSetup, putFile } from './files.ts';
import { FileRefusal, HubFile, type HubOffer, type Source } from './hub-file.tsx';

type FileToolsProps = {
  readonly link: Link;
  /** Offers to save this set-up for the next device, or otherwise to load one. */
  readonly canWrite: boolean;
  /** The upload of a file that was passed to the app, or null. */
  readonly given: string | null;
  /** Whether this device has both PINs, so that they can be saved. */
  readonly hasPins: boolean;
  /** Whether the page has no key for requests to the platform. */
  readonly isKeyMissing: boolean;
  readonly onTaken: (taken: Extract<SetupTaken, { kind: 'setup' }>) => void;
};

/** The contract's limit. Our codes are shorter. */
const LONGEST_CODE = 8_000;

type Answer =
  | { readonly kind: 'lost' | 'written' | 'enrolled' }
  | { readonly kind: 'taken'; readonly hasPins: boolean }
  | HubOffer
  | {
      readonly kind: 'refused';
      readonly from: Source;
      readonly taken: Extract<SetupTaken, { kind: 'refused' }>;
    };

/** Loads a set-up from a dropped, chosen or passed file, or from a code in front of the camera. */
function useTaking({ link, given, onTaken }: FileToolsProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const show = (taken: SetupTaken, from: Source) => {
    if (taken.kind === 'refused') return setAnswer({ kind: 'refused', from, taken });
    code.close();
    if (taken.kind === 'hub') return setAnswer(taken);
    setAnswer({ kind: 'taken', hasPins: taken.pins !== null });
    onTaken(taken);
  };
  const takeFile = async (file: File) => {
    const upload = await putFile(link, file);
    if (upload === null) return show({ kind: 'refused', reason: 'notOurs', faults: [] }, 'file');
    await take(upload);
  };
  const take = async (upload: string) => {
    const taken = await link.call(
      (client, signal) => client.setup.take({ upload }, { signal }),
      setupTimes.ask,
    );
    show(taken, 'file');
  };
  const lost = () => setAnswer({ kind: 'lost' });
  const use = (file: File) => void takeFile(file).catch(lost);
  const takeGiven = useRef(take);
  takeGiven.current = take;
  useEffect(() => {
    if (given !== null) takeGiven.current(given).catch(() => setAnswer({ kind: 'lost' }));
  }, [given]);
  const code = useCodeCamera(link, (read) => {
    link
      .call((client, signal) => client.setup.takeCode({ code: read.slice(0, LONGEST_CODE) }, { signal }))
      .then((taken) => show(taken, 'code'), lost);
  });
  useDroppedFile(use);
  return { answer, setAnswer, use, code };
}

/** Loads a set-up, or saves this one for the next device. */
export function FileTools(props: FileToolsProps) {
  const { link, canWrite, hasPins } = props;
  const text = useText();
  const [withKey, setWithKey] = useState(false);
  const [withPins, setWithPins] = useState(false);
  const { answer, setAnswer, use, code } = useTaking(props);
  const part = useRef<HTMLDivElement>(null);
  const isOpen = code.camera !== null;
  useEffect(() => {
    // The result appears below the button.
    if (answer !== null || isOpen) part.current?.scrollIntoView({ block: 'end' });
  }, [answer, isOpen]);
  return (
    <div className="setup-part" ref={part}>
      <h3>
        <Text id={canWrite ? 'setup.fileNext' : 'setup.file'} />
      </h3>
      <p className="setup-hint">
        <Text id={canWrite ? 'setup.fileNextHint' : 'setup.fileHint'} />
      </p>
      <div className="setup-row">
        {canWrite ? (
          <>
            <Button
              className="staff-button line-button"
              onPress={() => {
                fetchSetup(link, { withKey, withPins }).then(
                  () => setAnswer({ kind: 'written' }),
                  () => setAnswer({ kind: 'lost' }),
                );
              }}
            >
              <Text id="setup.fileWrite" />
            </Button>
            <CheckField label={text('setup.fileKey')} checked={withKey} onChange={setWithKey} />
            {hasPins ? (
              <CheckField label={text('setup.filePins')} checked={withPins} onChange={setWithPins} />
            ) : null}
          </>
        ) : (
          <>
            <label className="staff-button line-button file-button">
              <Text id="setup.fileTake" />
              <input
                className="only-heard"
                type="file"
                accept=".touchpoint,.json,application/json"
                onChange={({ target }) => {
                  const file = target.files?.[0];
                  if (file !== undefined) use(file);
                  target.value = '';
                }}
              />
            </label>
            {code.button}
          </>
        )}
      </div>
      {code.camera}
      {answer?.kind === 'hub' ? (
        <HubFile
          key={answer.upload}
          link={link}
          offer={answer}
          onEnrolled={() => setAnswer({ kind: 'enrolled' })}
        />
      ) : (
        <FileAnswer answer={answer} isKeyMissing={props.isKeyMissing} arePinsKept={hasPins} />
      )}
    </div>
  );
}

type FileAnswerProps = {
  readonly answer: Exclude<Answer, HubOffer> | null;
  readonly isKeyMissing: boolean;
  /** Whether the PINs of this device are kept. */
  readonly arePinsKept: boolean;
};

function FileAnswer({ answer, isKeyMissing, arePinsKept }: FileAnswerProps) {
  switch (answer?.kind) {
    case undefined:
      return null;
    case 'lost':
      return (
        <Heard tone="stop">
          <Text id="delivery.failed" />
        </Heard>
      );
    case 'refused':
      return <FileRefusal refusal={answer.taken} from={answer.from} />;
    case 'taken':
      return (
        <Heard tone={isKeyMissing ? 'wait' : 'captured'}>
          <Text id={isKeyMissing ? 'setup.file.takenNoKey' : 'setup.file.taken'} />{' '}
          {arePinsKept ? null : (
            <Text id={answer.hasPins ? 'setup.file.takenPins' : 'setup.file.takenNoPins'} />
          )}
        </Heard>
      );
    case 'written':
    case 'enrolled':
      return (
        <Heard tone="captured">
          <Text id={`setup.file.${answer.kind}`} />
        </Heard>
      );
  }
}

/** Receives files that are dropped anywhere on the page. Otherwise the browser would navigate to the file. */
function useDroppedFile(onFile: (file: File) => void): void {
  const current = useRef(onFile);
  current.current = onFile;
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) current.current(file);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, []);
}
