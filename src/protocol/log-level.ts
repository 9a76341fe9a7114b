/** From the most verbose to the most severe. [MCP 2025-11-25 logging § Log Levels; RFC 5424 § 6.2.1] */
const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logLevelNames: string = logLevels.join(', ');

export function isLogLevel(text: unknown): text is LogLevel {
  return (logLevels as readonly unknown[]).includes(text);
}

/** Whether a line of level `line` is to be heard by somebody who wants `wanted` and above. */
export function isHeard(line: LogLevel, wanted: LogLevel): boolean {
  return logLevels.indexOf(line) >= logLevels.indexOf(wanted);
}

/** The level that satisfies everybody; `undefined` when nobody wants anything in particular. */
export function mostVerbose(levels: Iterable<LogLevel>): LogLevel | undefined {
  const wanted = new Set(levels);
  return logLevels.find((level) => wanted.has(level));
}
