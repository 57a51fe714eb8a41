/**
 * What the page may do, as the headers both shells send with every answer.
 *
 * Invariants: nothing from elsewhere is loaded, connected to or framed; the page may not be framed; nothing of it is
 * kept in a cache; no other origin may read it. Follows Electron's security checklist and the OWASP header list.
 */

/** The one trusted-types policy of the page: it lets the QR reader's own worker begin and nothing else. */
const WORKER_POLICY = 'touchpoint-worker';

const directives = [
  "default-src 'none'",
  // WebAssembly of our own is allowed for the QR reader; text is never run as code.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${WORKER_POLICY}`,
];

/** Nothing here is asked for by the app. The camera is: only by our page, and only when somebody starts it. */
const deniedFeatures = [
  'accelerometer',
  'autoplay',
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
    'Permissions-Policy': ['camera=(self)', ...deniedFeatures.map((feature) => `${feature}=()`)].join(', '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}
