/**
 * What the page may do, as the headers both shells send with every answer.
 *
 * Invariants: nothing from elsewhere is loaded, connected to or framed; the page may not be framed; nothing of it is
 * kept in a cache; no other origin may read it. Follows Electron's security checklist and the OWASP header list.
 */

const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** Nothing here is asked for by the app; what a later screen needs is opened by name. */
const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];

/**
 * Headers of every answer. `socketHost` is the host and port the page was asked under, for the WebSocket to itself
 * (older browsers do not count it among 'self'); null where there is none.
 */
export function pageHeaders(socketHost: string | null): Readonly<Record<string, string>> {
  const named = socketHost !== null && !socketHost.startsWith('[');
  const connect = named ? `connect-src 'self' ws://${socketHost}` : "connect-src 'self'";
  return {
    'Content-Security-Policy': [...directives, connect].join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': deniedFeatures.map((feature) => `${feature}=()`).join(', '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}
