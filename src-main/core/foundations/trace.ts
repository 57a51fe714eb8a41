/**
 * Describes an unexpected error for the log: by its trace, or by its message if its kind quotes no personal data. Pure.
 *
 * Invariant: no personal data and no token (docs/laws.md#law-9). A message may quote them: `JSON.parse` quotes its
 * input.
 */

/** The name, the code and the place of an error. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  const lines = (error.stack ?? '').split('\n');
  const end = lines.findLastIndex((line) => !line.startsWith('    at '));
  return [`${error.name}${code}`, ...lines.slice(end + 1)].join('\n');
}

/**
 * The message of an `ApiError`, or of an error of SQLite, the file system or the network. Such a message may quote a
 * path or a host, but no record. For any other error, the trace.
 */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return traceOf(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const quotesNothing = error.name === 'ApiError' || /^(SQLITE_|E[A-Z0-9]+$)/u.test(code);
  return quotesNothing ? error.message : traceOf(error);
}
