/**
 * The dark sidebar of the staff pages: the name of the stand, the sections, and sound and theme of this screen.
 *
 * Invariants:
 * - Settings here apply to this screen and take effect at once.
 * - Name and lock stay in sight; what does not fit between them scrolls and fades out.
 */
import { useRef, useState } from 'react';
import {
  Button,
  Label,
  Slider,
  SliderThumb,
  SliderTrack,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Link } from '../link/link.ts';
import { languages } from '../messages/catalogue.ts';
import { staffLanguages } from '../messages/staff-language.ts';
import { Text, useText } from '../messages/text.tsx';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { chooseTheme, chosenTheme, type ThemeChoice } from '../theme/theme.ts';
import { staffTimes } from '../times.ts';
import { useScrollEnd } from '../widgets/scroll-end.ts';
import { addressOf, type Section } from './address/address.ts';
import { tasksAt, useDestinations } from './destinations/destination-counts.tsx';
import { useAllFacets } from './parts/facets.ts';

type RailProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly sounds: SoundPlayer;
  readonly section: Section;
  /** The signed-in team member. */
  readonly name: string;
  readonly onLeave: () => void;
  readonly chooseLanguage: (tag: string) => void;
};

const themes: readonly ThemeChoice[] = ['light', 'dark', 'system'];

/** The sidebar. */
export function Rail(props: RailProps) {
  const { link, device, sounds, section, name: member, onLeave, chooseLanguage } = props;
  const text = useText();
  const { unknown = 0, refused = 0 } = useAllFacets(link) ?? {};
  const crmTasks = (useDestinations(link, staffTimes.badge) ?? []).reduce(
    (sum, one) => sum + tasksAt(one),
    0,
  );
  const sections = useRef<HTMLDivElement>(null);
  const wholeInSight = useScrollEnd(sections);
  const name = device.partner?.name ?? device.event?.name ?? device.deviceName;
  return (
    <nav className="rail" aria-label={text('staff.sections')}>
      <div className="rail-brand">
        <span className="brand-tile" aria-hidden="true">
          {[...name.trim()][0]?.toLocaleUpperCase() ?? ''}
        </span>
        <bdi>{name}</bdi>
      </div>
      <div className="rail-sections" ref={sections} data-more={!wholeInSight}>
        <Item section="leads" open={section} count={device.leads} />
        <Item section="worklist" open={section} count={unknown + refused} />
        <Item section="numbers" open={section} count={0} />
        <Item section="delivery" open={section} count={device.delivery.parked} />
        <Item section="crm" open={section} count={crmTasks} />
        <Item section="handover" open={section} count={0} />
        <Item section="sheet" open={section} count={0} />
        <Item section="team" open={section} count={0} />
        <Item section="health" open={section} count={0} />
        <Item section="setup" open={section} count={0} />
        <div className="rail-end">
          <Volume sounds={sounds} />
          <Light />
          <p className="rail-device">
            <bdi>{device.deviceName}</bdi>
            <span className="rail-line">
              <a className="rail-about" href={addressOf('about')}>
                <Text id="staff.version" values={{ version: device.version }} />
              </a>
              <LanguageChoice onChoose={chooseLanguage} />
            </span>
          </p>
        </div>
      </div>
      <p className="rail-member">
        <bdi>{member}</bdi>
        <Button className="rail-leave" onPress={onLeave}>
          <Text id="staff.lock" />
        </Button>
      </p>
    </nav>
  );
}

type ItemProps = {
  readonly section: Exclude<Section, 'about'>;
  readonly open: Section;
  readonly count: number;
};

function Item({ section, open, count }: ItemProps) {
  // The companies are a view of the leads.
  const shown = open === 'companies' ? 'leads' : open;
  return (
    <a className="rail-item" href={addressOf(section)} aria-current={section === shown ? 'page' : undefined}>
      <Text id={`staff.${section}`} />
      {count > 0 ? (
        <span className="rail-count">
          <Text id="firstSync.count" values={{ count }} />
        </span>
      ) : null}
    </a>
  );
}

function Volume({ sounds }: { readonly sounds: SoundPlayer }) {
  const [volume, setVolume] = useState(() => Math.round(sounds.volume() * 100));
  return (
    <Slider
      className="volume"
      minValue={0}
      maxValue={100}
      step={10}
      value={volume}
      onChange={(value) => {
        if (typeof value !== 'number') return;
        setVolume(value);
        sounds.setVolume(value / 100);
      }}
      onChangeEnd={() => sounds.play('captured')}
    >
      <Label className="rail-label">
        <Text id={volume === 0 ? 'staff.soundOff' : 'staff.sound'} />
      </Label>
      <SliderTrack className="volume-track">
        <SliderThumb className="volume-thumb" />
      </SliderTrack>
    </Slider>
  );
}

/** The languages of these pages, each named in its own language. */
function LanguageChoice({ onChoose }: { readonly onChoose: (tag: string) => void }) {
  const text = useText();
  const { locale } = useIntl();
  return (
    <select
      className="rail-language"
      aria-label={text('staff.language')}
      value={staffLanguages.includes(locale) ? locale : 'en'}
      onChange={({ target }) => onChoose(target.value)}
    >
      {languages
        .filter(({ tag }) => staffLanguages.includes(tag))
        .map(({ tag, ownName }) => (
          <option key={tag} value={tag} lang={tag}>
            {ownName}
          </option>
        ))}
    </select>
  );
}

function Light() {
  const text = useText();
  const [theme, setTheme] = useState(() => chosenTheme(window.localStorage));
  return (
    <ToggleButtonGroup
      className="light"
      aria-label={text('staff.light')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[theme]}
      onSelectionChange={(keys) => {
        const next = themes.find((candidate) => keys.has(candidate));
        if (!next) return;
        setTheme(next);
        chooseTheme(window, next);
      }}
    >
      {themes.map((choice) => (
        <ToggleButton key={choice} id={choice} className="light-choice">
          <Text id={`staff.light.${choice}`} />
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
