/** The Debian packages: the Electron app, the kiosk that shows the app in Chromium, and the hub. */
import { join } from 'node:path';
import { makeDebianPackage } from './debian-package.ts';
import { type Icons, pngSizes } from './icons.ts';
import { LICENCES_FILE, type Stage } from './stage.ts';

/** The folders in which packages are made. */
type Places = {
  readonly root: string;
  readonly output: string;
  readonly work: string;
  readonly version: string;
};

/** System packages that Electron 45 needs (the list of electron-installer-debian), and the card service. */
const electronNeeds = [
  'libgtk-3-0',
  'libnotify4',
  'libnss3',
  'libxss1',
  'libxtst6',
  'xdg-utils',
  'libatspi2.0-0',
  'libuuid1',
  'libsecret-1-0',
  'libdrm2',
  'libgbm1',
  'libasound2',
  'pcscd',
  'libpcsclite1',
];

/** The unpacked Electron app in `/opt/Touchpoint`, with a menu entry. */
export function packElectronForDebian(
  { root, output, work, version }: Places,
  stage: Stage,
  unpacked: string,
  icons: Icons,
  quick: boolean,
): string {
  const from = (name: string) => join(root, 'packaging', 'debian', name);
  const app = 'opt/Touchpoint';
  const iconFiles = pngSizes.map((size) => [
    `usr/share/icons/hicolor/${size}x${size}/apps/touchpoint.png`,
    join(icons.pngFolder, `${size}x${size}.png`),
  ]);
  return makeDebianPackage(
    {
      name: 'touchpoint',
      version,
      architecture: architectureOf(stage),
      quick,
      summary: 'Badge taps at a trade-fair stand become safe leads',
      depends: electronNeeds,
      recommends: ['polkitd'],
      content: {
        [app]: unpacked,
        'usr/share/applications/touchpoint.desktop': from('touchpoint.desktop'),
        'usr/share/mime/packages/touchpoint.xml': from('touchpoint.xml'),
        'usr/share/doc/touchpoint/copyright': join(root, 'LICENSE'),
        [`usr/share/doc/touchpoint/${LICENCES_FILE}`]: join(stage.folder, LICENCES_FILE),
        ...Object.fromEntries(iconFiles),
        ...readerFiles('touchpoint', from),
      },
      links: { 'usr/bin/touchpoint': `/${app}/touchpoint` },
      scripts: {},
      isProgram: (path) =>
        path === `${app}/touchpoint` ||
        /^opt\/Touchpoint\/(chrome_crashpad_handler|[^/]*\.so(\.\d+)*)$/.test(path),
      // Chromium's sandbox on systems whose kernel denies user namespaces.
      isSetuid: (path) => path === `${app}/chrome-sandbox`,
    },
    output,
    work,
  );
}

/** The app with its own Node.js in `/opt/touchpoint-kiosk`, and the units that show it on the only screen. */
export function packKioskForDebian(
  { root, output, work, version }: Places,
  stage: Stage,
  node: string,
  quick: boolean,
): string {
  const from = (name: string) => join(root, 'packaging', 'debian', name);
  const home = 'opt/touchpoint-kiosk';
  return makeDebianPackage(
    {
      name: 'touchpoint-kiosk',
      version,
      architecture: architectureOf(stage),
      quick,
      summary: 'Touchpoint in Chromium, as a kiosk',
      depends: ['chromium', 'pcscd', 'libpcsclite1', 'libc6 (>= 2.28)', 'libstdc++6', 'passwd'],
      recommends: ['cage', 'xwayland', 'polkitd', 'speech-dispatcher', 'fonts-noto-core', 'fonts-noto-cjk'],
      content: {
        [`${home}/app`]: stage.folder,
        [`${home}/bin/node`]: node,
        [`${home}/bin/touchpoint`]: from('kiosk/touchpoint'),
        'usr/lib/systemd/system/touchpoint.service': from('kiosk/touchpoint.service'),
        'usr/lib/systemd/system/touchpoint-screen.service': from('kiosk/touchpoint-screen.service'),
        'usr/share/polkit-1/rules.d/60-touchpoint-pcscd.rules': from('60-touchpoint-pcscd.rules'),
        'usr/share/doc/touchpoint-kiosk/copyright': join(root, 'LICENSE'),
        [`usr/share/doc/touchpoint-kiosk/${LICENCES_FILE}`]: join(stage.folder, LICENCES_FILE),
        ...readerFiles('touchpoint-kiosk', from),
      },
      links: { 'usr/bin/touchpoint-kiosk': `/${home}/bin/touchpoint` },
      scripts: {
        postinst: from('kiosk/postinst'),
        prerm: from('kiosk/prerm'),
        postrm: from('kiosk/postrm'),
      },
      isProgram: (path) => path.startsWith(`${home}/bin/`),
    },
    output,
    work,
  );
}

/** The hub with its own Node.js in `/opt/touchpoint-hub`, its unit, and the files for its monitoring. */
export function packHubForDebian(
  { root, output, work, version }: Places,
  stage: Stage,
  node: string,
  quick: boolean,
): string {
  const from = (name: string) => join(root, 'packaging', 'debian', 'hub', name);
  const home = 'opt/touchpoint-hub';
  const share = 'usr/share/doc/touchpoint-hub';
  return makeDebianPackage(
    {
      name: 'touchpoint-hub',
      version,
      architecture: architectureOf(stage),
      quick,
      summary: 'One key of the event platform for many touchpoints',
      depends: ['libc6 (>= 2.28)', 'libstdc++6', 'passwd', 'ca-certificates'],
      recommends: [],
      content: {
        [`${home}/app`]: stage.folder,
        [`${home}/bin/node`]: node,
        [`${home}/bin/touchpoint-hub`]: from('touchpoint-hub'),
        'usr/lib/systemd/system/touchpoint-hub.service': from('touchpoint-hub.service'),
        [`${share}/environment`]: from('environment'),
        [`${share}/monitoring`]: join(root, 'packaging', 'monitoring'),
        [`${share}/copyright`]: join(root, 'LICENSE'),
        [`${share}/${LICENCES_FILE}`]: join(stage.folder, LICENCES_FILE),
      },
      links: { 'usr/bin/touchpoint-hub': `/${home}/bin/touchpoint-hub` },
      scripts: { postinst: from('postinst'), prerm: from('prerm'), postrm: from('postrm') },
      isProgram: (path) => path.startsWith(`${home}/bin/`),
    },
    output,
    work,
  );
}

/** @throws Error for a system without Debian packages */
function architectureOf({ system }: Stage): string {
  if (system.debian === null) throw new Error(`There is no Debian package for ${system.id}`);
  return system.debian;
}

/** The names contain the package, because two packages must not contain the same file. */
function readerFiles(name: string, from: (name: string) => string): Record<string, string> {
  return {
    [`usr/lib/udev/rules.d/60-${name}-readers.rules`]: from('60-touchpoint-readers.rules'),
    [`usr/lib/modprobe.d/${name}-readers.conf`]: from('touchpoint-readers.conf'),
  };
}
