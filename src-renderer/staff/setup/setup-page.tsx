/**
 * The set-up of this device, step by step, with the visitor's screen beside it.
 *
 *   event and key ─► stand ─► reader ─► screen ─► notice ─► questions ─► done       any step at any time
 *
 * Invariants:
 * - Input stays on the page until it is saved, and is saved only when every required step is complete.
 * - If somebody else changed `stand.json`, the page says so, and overwrites the file only on request.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Setup, SetupSaved, SetupTaken } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { AccessStep, type EventState } from './access-step.tsx';
import { Heard } from './fields.tsx';
import { FileTools } from './file-tools.tsx';
import { FinishStep } from './finish-step.tsx';
import { LookStep } from './look-step.tsx';
import { NoticeStep } from './notice-step.tsx';
import { PlaceStep, partnerIn } from './place-step.tsx';
import { Preview } from './preview.tsx';
import type { Scene } from './preview-scene.ts';
import { QuestionsStep } from './questions-step.tsx';
import { ReaderStep } from './reader-step.tsx';
import { Foot, SaveAnswer } from './setup-foot.tsx';
import {
  draftOf,
  formOf,
  isKeyMissing,
  type KnownEvent,
  missingIn,
  type SetupForm,
  type Step,
  steps,
  wholeAddress,
  withTaken,
} from './setup-form.ts';
import { useGivenFile, useSetupState } from './setup-state.ts';
import { SharingPart } from './sharing-part.tsx';

type SetupPageProps = {
  readonly link: Link;
  readonly version: string;
  /** Why the device could not start with the saved set-up; null if it could. */
  readonly failed: string | null;
  readonly onSaved: () => void;
};

/** The set-up, once it is read. */
export function SetupPage(props: SetupPageProps) {
  const { link } = props;
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: () => link.call((client, signal) => client.setup.read(undefined, { signal }), setupTimes.ask),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: true,
    retryDelay: setupTimes.retry,
  });
  return setup.data ? <SetupSteps {...props} setup={setup.data} onReread={() => setup.refetch()} /> : null;
}

type SetupStepsProps = SetupPageProps & { readonly setup: Setup; readonly onReread: () => Promise<unknown> };

const sceneAt: Readonly<Partial<Record<Step, Scene>>> = { notice: 'notice', questions: 'question' };

function SetupSteps({ link, version, failed, onSaved, setup, onReread }: SetupStepsProps) {
  const { locale } = useIntl();
  const [form, setForm] = useState(() => formOf(setup, locale));
  const [read, setRead] = useState(setup);
  const [step, setStep] = useState<Step>('access');
  // Steps without required input count as done once the user has opened them.
  const [seen, setSeen] = useState<ReadonlySet<Step>>(() => new Set(setup.access === null ? [] : steps));
  const [eventName, setEventName] = useState('');
  const given = useGivenFile(useSetupState(link), () => setStep('access'));
  const event = useEvent(link, form);
  const known = event.kind === 'event' ? event : null;
  const partner = known === null ? form.partner : partnerIn(form, known);
  const company = known?.partners.find(({ id }) => id === partner) ?? null;
  const change = (next: Partial<SetupForm>) => setForm((before) => ({ ...before, ...next }));
  const save = useSave(link, form, read.version, onSaved);
  // The form reloads when the user asks for the other version of the file.
  if (read !== setup) {
    setRead(setup);
    setForm(formOf(setup, locale));
  }
  const isWhole = steps.every((one) => missingIn(one, form) === null);
  const go = (to: Step) => {
    save.reset();
    setSeen((before) => new Set([...before, step]));
    setStep(to);
  };
  return (
    <div className="setup">
      <header className="setup-head">
        <h1>
          <Text id="setup.title" />
        </h1>
        <Steps {...{ step, seen, form }} onGo={go} />
      </header>
      <div className="setup-body">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
        <section className="setup-form" aria-labelledby="setup-step" tabIndex={0}>
          <h2 id="setup-step">
            <Text id={`setup.step.${step}`} />
          </h2>
          <p className="setup-lead">
            <Text id={`setup.lead.${step}`} />
          </p>
          <FileFaults faults={setup.faults} />
          <StartFault failed={failed} />
          <StepContent
            {...{ link, form, event, known, step, given }}
            partnerColour={company?.colour ?? null}
            canWrite={setup.access !== null}
            onChange={change}
            onName={setEventName}
            onGo={go}
            onTaken={(taken) => setForm((before) => withTaken(before, taken))}
          />
        </section>
        <Preview {...{ form, partner, eventName, version }} event={known} wanted={sceneAt[step] ?? 'rest'} />
      </div>
      <Foot
        step={step}
        isDone={missingIn(step, form) === null}
        isWhole={isWhole}
        isBusy={save.isPending}
        onGo={go}
        onSave={() => save.mutate(false)}
      >
        <SaveAnswer
          saved={save.data ?? null}
          isLost={save.isError}
          onForce={() => save.mutate(true)}
          onReread={() => {
            save.reset();
            void onReread();
          }}
        />
      </Foot>
    </div>
  );
}

type StepContentProps = {
  readonly link: Link;
  readonly form: SetupForm;
  readonly event: EventState;
  readonly known: KnownEvent | null;
  readonly step: Step;
  readonly given: string | null;
  readonly partnerColour: string | null;
  readonly canWrite: boolean;
  readonly onChange: (change: Partial<SetupForm>) => void;
  readonly onName: (name: string) => void;
  readonly onGo: (step: Step) => void;
  readonly onTaken: (taken: Extract<SetupTaken, { kind: 'setup' }>) => void;
};

/** The content of one step. */
function StepContent({ link, form, event, known, step, canWrite, onChange, ...rest }: StepContentProps) {
  const files = (written: boolean, given: string | null) => (
    <FileTools
      link={link}
      canWrite={written}
      given={given}
      hasPins={!form.pins.needed}
      isKeyMissing={isKeyMissing(form)}
      onTaken={rest.onTaken}
    />
  );
  switch (step) {
    case 'access':
      return (
        <>
          <AccessStep {...{ link, form, event, onChange }} onName={rest.onName} />
          {files(false, rest.given)}
          <SharingPart link={link} />
        </>
      );
    case 'place':
      return <PlaceStep {...{ link, form, onChange }} event={known} />;
    case 'reader':
      return <ReaderStep link={link} />;
    case 'look':
      return <LookStep {...{ link, form, onChange }} partnerColour={rest.partnerColour} />;
    case 'notice':
      return <NoticeStep {...{ form, onChange }} />;
    case 'questions':
      return <QuestionsStep {...{ form, onChange }} />;
    case 'finish':
      return (
        <>
          <FinishStep {...{ form, onChange }} onGo={rest.onGo} />
          {files(canWrite, null)}
        </>
      );
  }
}

type StepsProps = {
  readonly step: Step;
  readonly seen: ReadonlySet<Step>;
  readonly form: SetupForm;
  readonly onGo: (step: Step) => void;
};

/** The current step, and the steps that are done. */
function Steps({ step, seen, form, onGo }: StepsProps) {
  const text = useText();
  return (
    <nav className="setup-steps" aria-label={text('setup.steps')}>
      {steps.map((one, index) => (
        <Button
          key={one}
          className="setup-step"
          aria-current={one === step ? 'step' : 'false'}
          onPress={() => onGo(one)}
        >
          <span
            className="setup-number"
            data-done={seen.has(one) && missingIn(one, form) === null}
            aria-hidden="true"
          >
            {index + 1}
          </span>
          <span className="setup-step-name">
            <Text id={`setup.step.${one}`} />
          </span>
        </Button>
      ))}
    </nav>
  );
}

/** Saves the form; `force`: even if the file changed since `version`. */
function useSave(link: Link, form: SetupForm, version: string, onSaved: () => void) {
  return useMutation({
    mutationFn: (force: boolean): Promise<SetupSaved> =>
      link.call(
        (client, signal) => client.setup.save({ draft: draftOf(form), version, force }, { signal }),
        setupTimes.ask,
      ),
    onSuccess: (saved) => {
      if (saved.kind === 'saved') onSaved();
    },
  });
}

/** The rights of the key in the chosen event, and the event's partners and touchpoints. */
function useEvent(link: Link, form: SetupForm): EventState {
  const { key, privateHttp, expo } = form;
  const address = wholeAddress(form.address);
  const isAskable = expo !== null && !isKeyMissing(form);
  const asked = useQuery({
    queryKey: ['setup', 'event', address, key, privateHttp, expo],
    enabled: isAskable,
    gcTime: 0,
    staleTime: setupTimes.event,
    retry: false,
    queryFn: () =>
      link.call(
        (client, signal) =>
          client.setup.checkEvent(
            { address, key: key === '' ? null : key, privateHttp, expo: expo ?? '' },
            { signal },
          ),
        setupTimes.ask,
      ),
  });
  if (!isAskable) return { kind: 'none' };
  if (asked.isError) return { kind: 'refused', reason: 'noAnswer' };
  return asked.data ?? { kind: 'asking' };
}

/** Why the device could not start with the saved set-up. */
function StartFault({ failed }: { readonly failed: string | null }) {
  if (failed === null) return null;
  return (
    <Heard tone="stop">
      <Text id="setup.failed" /> <bdi lang="en">{failed}</bdi>
    </Heard>
  );
}

function FileFaults({ faults }: { readonly faults: readonly string[] }) {
  if (faults.length === 0) return null;
  return (
    <Heard tone="stop">
      <Text id="setup.handFault" />{' '}
      {faults.map((fault) => (
        <bdi key={fault} lang="en">
          {fault}.{' '}
        </bdi>
      ))}
    </Heard>
  );
}
