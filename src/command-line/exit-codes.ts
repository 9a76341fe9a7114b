/** How the program ends; 64 and above as in BSD's sysexits. */
export const exitCodes = {
  clean: 0,
  /** A second signal, or an end that nobody asked for. */
  forced: 1,
  /** The command line makes no sense. */
  usage: 64,
  /** A port cannot be bound, or a required backend is not available. */
  unavailable: 69,
  /** A fault of the program itself. */
  internal: 70,
  /** What was asked for cannot be written to stdout. */
  output: 74,
  /** The configuration has problems. */
  configuration: 78,
} as const;
