/**
 * The security headers that both shells send with every answer.
 *
 * Invariants (after Electron's security checklist and the OWASP header list):
 * - the page loads, frames and connects to nothing from other origins;
 * - no page may frame it, no cache may store it, and no other origin may read it.
 */

/** The page's only trusted-types policy: it allows the QR reader's worker and nothing else. */
const WORKER_POLICY = 'touchpoint-worker';

const directives = [
  "default-src 'none'",
  // Our own WebAssembly is allowed for the QR reader; text never runs as code.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  // Voice notes are played from blobs of the page.
  "media-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${WORKER_POLICY}`,
];

/** Features that the app does not need. It needs camera and microphone, only on its own page. */
const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'midi',
  'payment',
  'serial',
  'usb',
];

/**
 * Headers of every answer. `socketHost`: host and port of the request, for the page's WebSocket (older browsers do not
 * include it in 'self'); null when there is none.
 */
export function pageHeaders(
  socketHost: string | null,
  socketScheme: 'ws' | 'wss' = 'ws',
): Readonly<Record<string, string>> {
  const named = socketHost !== null && !socketHost.startsWith('[');
  const connect = named ? `connect-src 'self' ${socketScheme}://${socketHost}` : "connect-src 'self'";
  return {
    'Content-Security-Policy': [...directives, connect].join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': [
      'camera=(self)',
      'microphone=(self)',
      ...deniedFeatures.map((feature) => `${feature}=()`),
    ].join(', '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}
