const MS_PER_UNIT = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

const BYTES_PER_UNIT = new Map([
  ['B', 1],
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
]);

/** What a written duration looks like, as a regular expression for the JSON schema. */
export const DURATION_PATTERN = quantityPattern(MS_PER_UNIT);

/** What a written size looks like, as a regular expression for the JSON schema. */
export const SIZE_PATTERN = quantityPattern(BYTES_PER_UNIT);

/** Milliseconds of `400ms`, `20s`, `1.5m`, `1h`, rounded; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  return parseQuantity(text, MS_PER_UNIT, DURATION_PATTERN);
}

/** Bytes of `512B`, `64KiB`, `4MiB`, `1GiB`, rounded; `undefined` for anything else. */
export function parseSize(text: string): number | undefined {
  return parseQuantity(text, BYTES_PER_UNIT, SIZE_PATTERN);
}

function quantityPattern(units: ReadonlyMap<string, number>): string {
  return `^([0-9]+(?:\\.[0-9]+)?)(${[...units.keys()].join('|')})$`;
}

function parseQuantity(
  text: string,
  units: ReadonlyMap<string, number>,
  pattern: string,
): number | undefined {
  const [, amount, unit] = new RegExp(pattern).exec(text) ?? [];
  const factor = unit === undefined ? undefined : units.get(unit);
  return factor === undefined ? undefined : Math.round(Number(amount) * factor);
}
