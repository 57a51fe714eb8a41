/**
 * What a visitor can do in an outcome or at rest: take it back, go on, be done, type a code, read the notice.
 *
 * Invariant: a control is there only while it works.
 */
import { useRef, useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import { Text, useText } from '../../messages/text.tsx';
import { ScreenKeyboard } from '../input/screen-keyboard.tsx';
import { NoticeLines } from '../notice/notice-text.tsx';
import { UndoOffer } from '../session/step-parts.tsx';
import type { DisplayRuntime, View } from '../state/runtime.ts';
import type { Visit } from '../state/session.ts';
import { ActivityFacts, NoticeBrief, SecondsLeft } from './outcome-parts.tsx';
import { EmailOffer, ThingNotes, VisitNotes } from './session-notes.tsx';

type ControlsProps = { readonly view: View; readonly runtime: DisplayRuntime };

/** The controls of the stage on show. */
export function Controls({ view, runtime }: ControlsProps) {
  const { stage } = view;
  switch (stage.kind) {
    case 'firstSync':
      return view.stand?.notice ? <NoticeBrief notice={view.stand.notice} runtime={runtime} /> : null;
    case 'attract':
      return <AttractControls view={view} runtime={runtime} />;
    case 'captured':
      return <CapturedControls stage={stage} view={view} runtime={runtime} />;
    case 'goodbye':
      return <GoodbyeControls visit={stage.visit} view={view} runtime={runtime} />;
    case 'notice':
      return view.stand?.notice ? (
        <div className="notice-page">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
          <div className="notice-scroll" tabIndex={0}>
            <NoticeLines notice={view.stand.notice} />
          </div>
          <div className="actions">
            <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'dismiss' })}>
              <Text id="question.back" />
            </Button>
          </div>
        </div>
      ) : null;
    case 'still':
      return (
        <>
          <SecondsLeft left={stage.until - view.now} />
          <div className="actions">
            <Button
              className="pill action action-strong action-huge"
              autoFocus
              onPress={() => runtime.send({ kind: 'stay' })}
            >
              <Text id="still.more" />
            </Button>
          </div>
        </>
      );
    case 'typing':
      return <TypedCode runtime={runtime} />;
    case 'notAdmitted':
    case 'notRead':
    case 'refused':
    case 'failed':
    case 'undone':
      return (
        <div className="actions">
          <Done runtime={runtime} />
        </div>
      );
    default:
      return null;
  }
}

/** Before a tap: who gets what, or what one checks in to; and choosing first where there is something to choose. */
function AttractControls({ view, runtime }: ControlsProps) {
  const { device, stand } = view;
  const checksIn = device?.purpose === 'checkin';
  const choosable = device?.purpose === 'content' && stand && !stand.offer.here && stand.offer.count > 0;
  return (
    <>
      {checksIn && stand?.activity ? <ActivityFacts activity={stand.activity} view={view} seats /> : null}
      {stand?.notice ? (
        <NoticeBrief notice={stand.notice} runtime={runtime} />
      ) : checksIn ? null : (
        <ul className="chips">
          {device?.partner ? (
            <li>
              <Text id="attract.onlyPartner" values={{ partner: device.partner.name }} />
            </li>
          ) : null}
          <li>
            <Text id="attract.takeBack" />
          </li>
        </ul>
      )}
      {choosable ? (
        <div className="actions">
          <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'choose' })}>
            <Text id="choose.open" />
          </Button>
        </div>
      ) : null}
    </>
  );
}

type CapturedStage = Extract<View['stage'], { kind: 'captured' }>;

function CapturedControls({ stage, view, runtime }: ControlsProps & { readonly stage: CapturedStage }) {
  const { visit, event } = stage;
  const { stand } = view;
  const leadsOn = visit.steps.length > 0;
  const company = event.visitor?.company?.trim();
  return (
    <>
      {company ? (
        <p className="company">
          <bdi dir="auto">{company}</bdi>
        </p>
      ) : null}
      {event.checkin && stand?.activity ? (
        <ActivityFacts activity={stand.activity} view={view} seats={false} />
      ) : null}
      {visit.things.some(({ item }) => item.id !== event.collected?.id) ? (
        <ul className="visit-notes">
          <ThingNotes visit={visit} runtime={runtime} />
        </ul>
      ) : null}
      <div className="actions">
        {leadsOn ? (
          <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'onward' })}>
            <Text id="question.next" />
          </Button>
        ) : (
          <ShelfOffer view={view} runtime={runtime} visit={visit} />
        )}
        <UndoOffer visit={visit} runtime={runtime} now={view.now} />
        {leadsOn || visit.undo === 'asked' ? null : <Done runtime={runtime} />}
      </div>
      {!leadsOn && stand?.email && event.visitor ? (
        <div className="actions actions-more">
          <EmailOffer visit={visit} runtime={runtime} />
        </div>
      ) : null}
    </>
  );
}

/** The way to the shelf, where there is something on it that the visit has not been offered yet. */
function ShelfOffer({ view, runtime, visit }: ControlsProps & { readonly visit: Visit }) {
  const { stand, device } = view;
  const seen = visit.steps.some(({ kind }) => kind === 'shelf');
  if (seen || device?.purpose === 'checkin' || !stand || stand.offer.count === 0) return null;
  return (
    <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'openShelf' })}>
      <Text id="offer.open" />
    </Button>
  );
}

function GoodbyeControls({ visit, view, runtime }: ControlsProps & { readonly visit: Visit }) {
  return (
    <>
      <VisitNotes visit={visit} stand={view.stand} runtime={runtime} />
      <div className="actions">
        <ShelfOffer view={view} runtime={runtime} visit={visit} />
        <UndoOffer visit={visit} runtime={runtime} now={view.now} />
        {visit.undo === 'asked' ? null : <Done runtime={runtime} />}
      </div>
      {view.stand?.email ? (
        <div className="actions actions-more">
          <EmailOffer visit={visit} runtime={runtime} />
        </div>
      ) : null}
    </>
  );
}

function Done({ runtime }: { readonly runtime: DisplayRuntime }) {
  return (
    <Button className="pill action action-quiet" onPress={() => runtime.send({ kind: 'dismiss' })}>
      <Text id="common.done" />
    </Button>
  );
}

/** A code by hand, for badges that no reader reads. */
function TypedCode({ runtime }: { readonly runtime: DisplayRuntime }) {
  const text = useText();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  return (
    <Form
      className="typed-code"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim()) runtime.enter(code.trim(), 'manual');
      }}
    >
      <TextField
        className="field"
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={code}
        onChange={(value) => {
          setCode(value);
          runtime.send({ kind: 'typedKey' });
        }}
      >
        <Label className="only-heard">{text('typing.label')}</Label>
        <Input ref={field} className="field-input" autoCapitalize="characters" spellCheck="false" />
      </TextField>
      <ScreenKeyboard field={field} />
      <div className="actions">
        <Button type="submit" className="pill action action-strong" isDisabled={!code.trim()}>
          <Text id="typing.send" />
        </Button>
        <Button className="pill action" onPress={() => runtime.send({ kind: 'dismiss' })}>
          <Text id="typing.cancel" />
        </Button>
      </div>
    </Form>
  );
}
