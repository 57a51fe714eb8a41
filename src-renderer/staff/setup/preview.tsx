/**
 * A preview of the visitor's screen during the set-up: the real components, drawn small.
 *
 * Invariants:
 * - It receives no touch, key, focus or sound and has no effect.
 * - It has the aspect ratio of this screen.
 */
import { useMemo, useState } from 'react';
import { I18nProvider, ToggleButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Link } from '../../link/link.ts';
import { pickLanguage } from '../../messages/catalogue.ts';
import { LanguageProvider, Text, useText } from '../../messages/text.tsx';
import { brandRoles } from '../../theme/brand.ts';
import type { Camera, CameraState } from '../../visitor/camera/camera.ts';
import { DisplayScreen } from '../../visitor/screen/display.tsx';
import type { Voice } from '../../visitor/speech/voice.ts';
import type { DisplayRuntime, Snapshot } from '../../visitor/state/runtime.ts';
import { LOGO, type Scene, sceneOf, scenesOf } from './preview-scene.ts';
import type { KnownEvent, SetupForm } from './setup-form.ts';

type PreviewProps = {
  readonly form: SetupForm;
  readonly event: KnownEvent | null;
  readonly partner: string | null;
  readonly eventName: string;
  /** The scene of the current step. */
  readonly wanted: Scene;
  readonly version: string;
};

const nothing = () => () => undefined;
const off: CameraState = { kind: 'off' };
const noCamera: Camera = {
  state: () => off,
  subscribe: nothing,
  start: () => undefined,
  other: () => undefined,
  close: () => undefined,
};
const noLanguages = [] as const;
const noVoice: Voice = {
  languages: () => noLanguages,
  subscribe: nothing,
  say: () => undefined,
  add: () => undefined,
  stop: () => undefined,
  followHeadphones: nothing,
};
const noSounds = { play: () => undefined, volume: () => 0, setVolume: () => undefined };

/** The preview, with a selector for its scene. */
export function Preview({ form, event, partner, eventName, wanted, version }: PreviewProps) {
  const text = useText();
  const there = scenesOf(form);
  const [chosen, setChosen] = useState<{ readonly scene: Scene; readonly over: Scene } | null>(null);
  const [language, setLanguage] = useState<string | null>(null);
  const asked = chosen?.over === wanted ? chosen.scene : wanted;
  const scene = there.includes(asked) ? asked : 'rest';
  const { locale } = useIntl();
  const tag =
    [language, locale].find((one) => one !== null && form.languages.includes(one)) ??
    form.languages[0] ??
    'en';
  const shown = pickLanguage([tag]);
  const colour =
    form.stand.brand.colour ?? event?.partners.find(({ id }) => id === partner)?.colour ?? '#1f4bd8';
  const snapshot = useMemo(
    () => sceneOf(scene, form, { event, partner, eventName, version, language: tag }),
    [scene, form, event, partner, eventName, version, tag],
  );
  const logo = form.logo?.picture ?? null;
  const link = useMemo(() => linkWith(logo), [logo]);
  return (
    <section className="setup-preview" aria-label={text('setup.preview')}>
      <div className="setup-screen" style={brandStyle(colour)} inert aria-hidden="true">
        <div className="setup-display" lang={shown.tag} dir={shown.direction}>
          <I18nProvider locale={shown.tag}>
            <LanguageProvider language={shown} hourCycle="h23">
              <DisplayScreen
                key={logo?.address ?? ''}
                link={link}
                snapshot={snapshot}
                runtime={runtimeOf(snapshot)}
                camera={noCamera}
                sounds={noSounds}
                voice={noVoice}
                onStaff={() => undefined}
              />
            </LanguageProvider>
          </I18nProvider>
        </div>
      </div>
      <div className="setup-scenes">
        {there.map((one) => (
          <ToggleButton
            key={one}
            className="filter-chip"
            isSelected={one === scene}
            onChange={() => setChosen({ scene: one, over: wanted })}
          >
            <Text id={`setup.scene.${one}`} />
          </ToggleButton>
        ))}
        {form.languages.length > 1 ? (
          <select
            className="setup-input setup-preview-language"
            aria-label={text('setup.previewLanguage')}
            value={tag}
            onChange={({ target }) => setLanguage(target.value)}
          >
            {form.languages.map((one) => (
              <option key={one} value={one}>
                {pickLanguage([one]).ownName}
              </option>
            ))}
          </select>
        ) : null}
      </div>
    </section>
  );
}

/** A link to no device, which serves only the picture of the page. */
function linkWith(
  logo: { readonly address: string; readonly width: number; readonly height: number } | null,
): Link {
  const pictures = {
    offer: { picture: async ({ id }: { readonly id: string }) => (id === LOGO ? logo : null) },
  };
  return {
    state: () => 'up',
    subscribe: nothing,
    call: (ask) => ask(pictures as unknown as Parameters<typeof ask>[0], new AbortController().signal),
    follow: nothing,
  };
}

function runtimeOf(snapshot: Snapshot): DisplayRuntime {
  return {
    snapshot: () => snapshot,
    subscribe: nothing,
    send: () => undefined,
    undo: () => undefined,
    enter: () => undefined,
    stop: () => undefined,
  };
}

function brandStyle(colour: string): React.CSSProperties {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
  const roles = brandRoles(colour, theme);
  if (roles === null) return {};
  const { brand, soft, fill, ink } = roles;
  return {
    '--brand': brand,
    '--brand-soft': soft,
    '--brand-fill': fill,
    '--on-brand': ink,
  } as React.CSSProperties;
}
