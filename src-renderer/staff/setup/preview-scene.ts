/**
 * The state of the preview: the display at one moment, built from the set-up on the page. Pure.
 *
 * Invariant: it contains no real person. Visitor and tap are invented.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Stand } from '../../../src-main/contract/stand.ts';
import type { CapturedEvent } from '../../visitor/state/outcome.ts';
import type { Snapshot } from '../../visitor/state/runtime.ts';
import { type Session, startSession } from '../../visitor/state/session.ts';
import type { View } from '../../visitor/state/view.ts';
import { type KnownEvent, type SetupForm, writtenStand } from './setup-form.ts';

export const scenes = ['rest', 'notice', 'tap', 'consent', 'question'] as const;
export type Scene = (typeof scenes)[number];

/** The name under which the preview requests the logo of this page. */
export const LOGO = 'setup.logo';

/** Longer than a preview is ever open. */
const LONG = 86_400_000;

/** Scenes for which the set-up provides content. */
export function scenesOf(form: SetupForm): readonly Scene[] {
  const { notice, consents, questions } = writtenStand(form);
  const has: Readonly<Record<Scene, boolean>> = {
    rest: true,
    notice: notice !== null,
    tap: true,
    consent: consents.length > 0,
    question: questions.length > 0,
  };
  return scenes.filter((scene) => has[scene]);
}

/** The display in `scene`, in `language`. */
export function sceneOf(
  scene: Scene,
  form: SetupForm,
  known: {
    readonly event: KnownEvent | null;
    readonly partner: string | null;
    readonly eventName: string;
    readonly version: string;
    readonly language: string;
  },
): Snapshot {
  const stand = standOf(form);
  return {
    view: viewOf(scene, stand, known.language),
    device: deviceOf(form, known),
    stand,
    basket: null,
    shownItems: [],
    waiting: 0,
    interrupted: null,
    languages: [known.language],
    now: 0,
  };
}

function standOf(form: SetupForm): Stand {
  const { headline, notice, consents, questions, brand, email, screen } = writtenStand(form);
  return {
    ...{ headline, notice, consents, questions, email },
    offer: { count: 0, here: null, first: null },
    activity: null,
    brand: { colour: brand.colour, logo: form.logo?.picture ? LOGO : null },
    attract: form.attract.flatMap(({ picture }) =>
      picture === null ? [] : [{ kind: 'picture' as const, address: picture.address }],
    ),
    screen: { ...screen, camera: false },
  };
}

function viewOf(scene: Scene, stand: Stand, language: string): View {
  const span = { since: 0, until: LONG };
  if (scene === 'rest') return { kind: 'attract' };
  if (scene === 'notice') return { kind: 'notice', ...span };
  const event: CapturedEvent = {
    kind: 'captured',
    at: 0,
    factId: 'preview',
    leadId: 'preview',
    visitor: { name: 'Amélie B.', company: null, language },
    repeat: null,
    undoUntil: LONG,
    collected: null,
    checkin: null,
    asksConsent: stand.consents.length > 0,
    openQuestions: stand.questions.map(({ id }) => id),
  };
  const session: Session = startSession(event, { stand, chosen: [], comfort: false }, 0);
  if (scene === 'tap') return { kind: 'captured', ...span, event, session };
  const question = stand.questions[0];
  if (scene === 'question' && question !== undefined) {
    return {
      kind: 'question',
      ...span,
      session: { ...session, steps: [{ kind: 'question', question }], at: 0 },
    };
  }
  return { kind: 'consent', ...span, session: { ...session, steps: [{ kind: 'consent' }], at: 0 } };
}

function deviceOf(
  { stand }: SetupForm,
  { event, partner, eventName, version }: Parameters<typeof sceneOf>[2],
): DeviceState {
  const place = event?.touchpoints.find(({ id }) => id === stand.touchpoint);
  const company = event?.partners.find(({ id }) => id === partner);
  return {
    version,
    demo: false,
    deviceName: place?.name ?? '',
    event: { id: '', name: eventName, timezone: 'UTC' },
    partner: company === undefined ? null : { id: company.id, name: company.name, stand: company.stand },
    purpose: place?.purpose ?? 'lead',
    cardService: 'up',
    readers: [],
    mirror: { complete: true, resources: [], remaining: null, asks: [], lastPassAt: null },
    delivery: {
      captured: 0,
      due: 0,
      inFlight: 0,
      uncertain: 0,
      sent: 0,
      confirmed: 0,
      parked: 0,
      pause: null,
    },
    network: 'online',
    storage: 'ok',
    clock: { offsetMs: 0, suspect: false, platformDoubted: false },
    busyShare: 0,
    leads: 0,
  };
}
