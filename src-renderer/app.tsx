/**
 * The page: the visitor's display, the staff pages, or the set-up of a new device, in the current language.
 *
 * Invariants:
 * - A visitor's tap covers the staff page at once (docs/laws.md#law-7) and locks it (`staff/entry`).
 * - The first time that the staff page opens soon after a tap, it shows that visitor's lead.
 * - The document always states its language and direction.
 * - A scanner works on every page.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { Link } from './link/link.ts';
import { pickLanguage } from './messages/catalogue.ts';
import { hourCycleAt } from './messages/hour-cycle.ts';
import { chooseStaffLanguage, chosenStaffLanguage, staffLanguages } from './messages/staff-language.ts';
import { LanguageProvider } from './messages/text.tsx';
import type { SoundPlayer } from './sound/sound-player.ts';
import { addressOf, goTo, useAddress } from './staff/address/address.ts';
import type { Entry } from './staff/entry/entry.ts';
import { FirstSetup } from './staff/setup/first-setup.tsx';
import { useGivenFile, useSetupState } from './staff/setup/setup-state.ts';
import { StaffPage } from './staff/staff-page.tsx';
import { showBrand } from './theme/theme.ts';
import type { Camera } from './visitor/camera/camera.ts';
import { DemoTray } from './visitor/input/demo-tray.tsx';
import { DisplayScreen } from './visitor/screen/display.tsx';
import type { Voice } from './visitor/speech/voice.ts';
import type { DisplayRuntime } from './visitor/state/runtime.ts';

export type AppProps = {
  readonly link: Link;
  readonly runtime: DisplayRuntime;
  readonly camera: Camera;
  readonly sounds: SoundPlayer;
  readonly voice: Voice;
  readonly entry: Entry;
  /** Languages of this device, in order of preference. */
  readonly deviceLanguages: readonly string[];
};

/** The whole renderer. */
export function App({ link, runtime, camera, sounds, voice, entry, deviceLanguages }: AppProps) {
  const snapshot = useSyncExternalStore(runtime.subscribe, runtime.snapshot);
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } }),
  );
  const address = useAddress();
  const setup = useSetupState(link);
  const { device, stand, view } = snapshot;
  const resting = !('since' in view) && view.kind !== 'linkLost' && view.kind !== 'connecting';
  const isNew = setup?.mode === 'needed' && view.kind !== 'linkLost';
  const staffInFront = address !== null && resting && device !== null;
  const [staffLanguage, chooseLanguage] = useStaffLanguage();
  const own = staffInFront && staffLanguage !== null ? [staffLanguage] : [];
  const language = pickLanguage(
    [...own, ...snapshot.languages, ...deviceLanguages],
    staffInFront || isNew ? staffLanguages : undefined,
  );
  const timeZone = device?.event?.timezone;
  const hourCycle = useMemo(() => hourCycleAt(timeZone, deviceLanguages), [timeZone, deviceLanguages]);
  const brand = stand?.brand.colour ?? device?.partner?.colour ?? null;

  useEffect(() => {
    document.documentElement.lang = language.tag;
    document.documentElement.dir = language.direction;
  }, [language]);
  useEffect(() => showBrand(window, brand), [brand]);
  const openStaff = useCallback(() => {
    runtime.send({ kind: 'staff' });
    goTo(addressOf('leads'));
  }, [runtime]);
  useStaffKey(openStaff);
  useGivenFile(setup, () => {
    if (setup?.mode !== 'running') return;
    runtime.send({ kind: 'staff' });
    goTo(addressOf('setup'));
  });

  return (
    <QueryClientProvider client={queries}>
      <I18nProvider locale={language.tag}>
        <LanguageProvider language={language} hourCycle={hourCycle}>
          {isNew ? <FirstSetup link={link} entry={entry} failed={setup.failed} /> : null}
          {staffInFront || isNew ? null : (
            <DisplayScreen
              link={link}
              snapshot={snapshot}
              runtime={runtime}
              camera={camera}
              sounds={sounds}
              voice={voice}
              onStaff={openStaff}
            />
          )}
          {address && device ? (
            <div className="page" hidden={!staffInFront}>
              <StaffPage
                {...{ link, device, sounds, address, entry, chooseLanguage }}
                inFront={staffInFront}
              />
            </div>
          ) : (
            <DemoTray link={link} device={device} />
          )}
        </LanguageProvider>
      </I18nProvider>
    </QueryClientProvider>
  );
}

/** The language of the staff pages, and the function that changes it. */
function useStaffLanguage(): readonly [chosen: string | null, choose: (tag: string) => void] {
  const [chosen, setChosen] = useState(() => chosenStaffLanguage(window.localStorage));
  const choose = useCallback((tag: string) => {
    chooseStaffLanguage(window.localStorage, tag);
    setChosen(tag);
  }, []);
  return [chosen, choose];
}

/** F2 opens the staff page from anywhere. */
function useStaffKey(open: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'F2') open();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [open]);
}
